"""Compare the estimates of `ostrya.estimate_runtime` with measured searches.

Estimates that come from a finished trial search are exact. Only the others are
compared, with searches that end within a few processor seconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ostrya
from benchmarks import ledger
from benchmarks.data import load
from benchmarks.problem import Problem
from ostrya.estimators.table_runtime import METHODS

HEADER = ("method", "problem", "work", "estimated", "off by", "seconds", "estimated")


class Case(NamedTuple):
    """One search that was not over within the trials of its estimate."""

    method: str
    name: str
    is_proved: bool
    work: float
    estimated_work: float
    seconds: float
    estimated_seconds: float
    subproblems: float
    estimated_subproblems: float
    memory: float
    estimated_memory: float


def report(problems: Iterable[Problem], seconds: float, output: Path) -> Iterator[str]:
    """Yield a Markdown table, and what the errors come to for each method."""
    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    kept = {(r["method"], r["name"]): Case(**r) for r in ledger.read(output)}
    cases, n_counted = [], 0
    for problem in problems:
        for method in METHODS:
            case = kept.get((method, problem.name)) or compare(method, problem, seconds)
            if (method, problem.name) not in kept:
                ledger.append(output, case._asdict())
            if case.estimated_work == case.work:
                n_counted += 1
                continue
            cases.append(case)
            yield line(case)
    yield f"\n{n_counted} searches were over within their trials, and counted."
    for method in METHODS:
        yield from summary(method, [case for case in cases if case.method == method])


def compare(method: str, problem: Problem, seconds: float) -> Case:
    """Return an estimate beside the search, which gets so many processor seconds."""
    X, y = load(problem)
    limits: dict[str, Any] = {"max_depth": problem.depth}
    asked = dict(limits, leaf_penalty=problem.penalty)
    found = ostrya.estimate_runtime(X, y, method=method, **asked)
    if method == "guessed_thresholds":
        X = ostrya.guesses.ThresholdGuess().fit(X, y).encode(X)
    start = time.process_time()

    def is_enough(progress: ostrya.results.Progress) -> bool:
        return time.process_time() - start > seconds

    if method == "frontier":
        search: Any = ostrya.frontier(X, y, on_progress=is_enough, **limits)
    else:
        top_k = ostrya.top_k.TopKSplits(k=8) if method == "top_k" else None
        search = ostrya.solve(X, y, on_progress=is_enough, top_k=top_k, **asked)
    took = search.statistics
    return Case(
        method=method,
        name=problem.name,
        is_proved=search.status in ("optimal", "optimal_in_top_k"),
        work=took.work,
        estimated_work=took.work if found.is_counted else found.work,
        seconds=time.process_time() - start,
        estimated_seconds=found.seconds,
        subproblems=took.subproblems,
        estimated_subproblems=found.subproblems,
        memory=took.peak_memory,
        estimated_memory=found.memory,
    )


def line(case: Case) -> str:
    """Return a row of the table."""
    more = "" if case.is_proved else "> "
    off = f"{case.estimated_work / max(case.work, 1):.2g}"
    cells = (
        *(case.method, case.name, f"{more}{case.work:.2g}"),
        *(f"{case.estimated_work:.2g}", off if case.is_proved else ""),
        *(f"{more}{case.seconds:.2g}", f"{case.estimated_seconds:.2g}"),
    )
    return f"| {' | '.join(cells)} |"


def summary(method: str, cases: list[Case]) -> Iterator[str]:
    """Yield the geometric mean of the errors, the worst, and the share within ten."""
    proved = [case for case in cases if case.is_proved]
    if not proved:
        return
    for name in ("work", "seconds", "subproblems", "memory"):
        ratios = [
            getattr(case, f"estimated_{name}") / max(getattr(case, name), 1e-9)
            for case in proved
        ]
        logs = np.abs(np.log(np.maximum(ratios, 1e-9)))
        yield (
            f"- {method}, {name}: off by {math.exp(logs.mean()):.2g} in the geometric "
            f"mean of {len(proved)}, {math.exp(logs.max()):.2g} at worst, within a "
            f"factor of ten {np.mean(logs <= math.log(10)):.0%}"
        )
    low = [c for c in cases if not c.is_proved and 10 * c.estimated_work < c.work]
    n_open = len(cases) - len(proved)
    yield f"- {method}: of {n_open} not over, {len(low)} took over ten times as much"


def without_repeats(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return each problem once, guessed thresholds left to the method of that name."""
    plain = (replace(problem, target=None, tags=()) for problem in problems)
    return tuple(dict.fromkeys(p for p in plain if p.encoding != "guessed"))
