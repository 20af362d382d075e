"""Check that a looser limit never gives a worse tree: no depth limit, depths 2 to 4.

Every data set of a suite, with each of its penalties, is searched without a depth limit
and with each of three. At any time, the tree without a limit should be as good as the
best of the others. Each search runs once, for the longest time; its trace shows the
earlier results. Times are processor seconds, so that a busy machine affects all
searches alike.

Searches with a depth limit run first. The one without a limit ends as soon as its tree
is as good as all others, because from then on it is never worse.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import ostrya
from benchmarks import ledger
from benchmarks.contenders.ostrya import Ostrya
from benchmarks.data import load
from benchmarks.problem import Group, Problem, grid
from benchmarks.summary import ROUNDING

DEPTHS = (2, 3, 4)
HEADER = ("problem", "seconds", "no limit", "proved depth", "depth 2", "3", "4", "")
SKLEARN = "sklearn/"
#: Raw tables that no suite has, by the name of their suite.
MORE_TABLES = {
    "raw": (
        *grid("contree/magic", Group.ANY_DEPTH, (0.01,)),
        *grid(f"{SKLEARN}breast_cancer", Group.ANY_DEPTH, (0.01,)),
    )
}


@dataclass(frozen=True)
class Curve:
    """What a search had at which time.

    Parameters
    ----------
    points : list of [float, float, int]
        Processor seconds, objective, proved depth, whenever one of them changed.
    is_proved : bool
        Whether it ended with a proof.
    seconds : float
        Processor seconds of the search.
    """

    points: list[list[float]]
    is_proved: bool
    seconds: float

    def objective(self, seconds: float) -> float:
        """Return the best objective at a time; infinite before the first tree."""
        return min((p[1] for p in self.points if p[0] <= seconds), default=np.inf)

    def depth(self, seconds: float) -> str:
        """Return the depth proved at a time, in words."""
        if self.is_proved and self.seconds <= seconds:
            return "any"
        return str(int(max((p[2] for p in self.points if p[0] <= seconds), default=0)))


def tables(
    problems: Iterable[Problem], max_leaf_nodes: int | None = None
) -> tuple[Problem, ...]:
    """Return one problem for each table and penalty, without a depth limit.

    Where leaves are limited in number, they are free.
    """
    penalty = {} if max_leaf_nodes is None else {"penalty": 0.0}
    found = (replace(p, depth=None, target=None, tags=(), **penalty) for p in problems)
    group = Group.ANY_DEPTH
    return tuple(dict.fromkeys(replace(p, group=group) for p in found))


def read(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns and label codes of a table, scikit-learn's own included."""
    if not problem.data.startswith(SKLEARN):
        return load(problem)
    from sklearn import datasets

    name = problem.data.removeprefix(SKLEARN)
    return getattr(datasets, f"load_{name}")(return_X_y=True)


def search(X: Any, y: Any, seconds: float, enough: float, **given: Any) -> Curve:
    """Search for some processor seconds, or until an objective is reached."""
    began, start = time.process_time(), time.perf_counter()
    looks = [(0.0, 0.0)]  # seconds of the clock and of the processor

    def look() -> float:
        taken = time.process_time() - began
        looks.append((time.perf_counter() - start, taken))
        return taken

    def is_over(progress: ostrya.results.Progress) -> bool:
        return look() >= seconds or progress.objective <= enough

    outcome = ostrya.solve(X, y, time_limit=None, on_progress=is_over, **given)
    took = look()
    clock, processor = zip(*looks, strict=True)
    points = [
        [float(np.interp(p.seconds, clock, processor)), p.objective, p.proved_depth]
        for p in outcome.trace
    ]
    return Curve(points, outcome.is_optimal, took)


@dataclass
class Runs:
    """Searches of a table, kept in a file: a build is not run twice.

    Searches with a depth limit stand for all builds, since they say only what is to be
    reached. To run them anew, remove the file.
    """

    file: Path
    max_leaf_nodes: int | None = None

    def __post_init__(self) -> None:
        self.version = Ostrya().version()
        self.known = {
            self.key(r["name"], r["depth"], r["max_leaf_nodes"], r["version"]): r
            for r in ledger.read(self.file)
        }

    def key(self, name: str, depth: int | None, leaves: Any, version: str) -> Any:
        """Return what a search is known by."""
        return name, depth, leaves, version if depth is None else ""

    def search(
        self, problem: Problem, depth: int | None, seconds: float, enough: float
    ) -> Curve:
        """Return what a search had over time, as kept or run now."""
        key = self.key(problem.name, depth, self.max_leaf_nodes, self.version)
        known = self.known.get(key)
        if known is not None:
            curve = Curve(**known["curve"])
            is_enough = curve.objective(np.inf) <= enough
            if curve.is_proved or is_enough or known["limit"] >= seconds:
                return curve
        leaves = (
            {}
            if self.max_leaf_nodes is None
            else {"max_leaf_nodes": self.max_leaf_nodes}
        )
        given = {"leaf_penalty": problem.penalty, "max_depth": depth, **leaves}
        curve = search(*read(problem), seconds, enough, **given)
        record = {
            "name": problem.name,
            "depth": depth,
            "max_leaf_nodes": self.max_leaf_nodes,
            "version": self.version,
            "limit": seconds,
            "curve": asdict(curve),
        }
        self.known[key] = record
        ledger.append(self.file, record)
        return curve


def report(
    problems: Iterable[Problem], limits: Iterable[float], runs: Runs
) -> Iterator[str]:
    """Yield the lines of a Markdown table, and what they come to."""
    limits = sorted(limits)
    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    worse = dict.fromkeys(limits, 0)
    n_tables = 0
    for problem in tables(problems, runs.max_leaf_nodes):
        limited = [runs.search(problem, d, limits[-1], -np.inf) for d in DEPTHS]
        least = min(curve.objective(np.inf) for curve in limited)
        free = runs.search(problem, None, limits[-1], least + ROUNDING)
        n_tables += 1
        for seconds in limits:
            found = [curve.objective(seconds) for curve in limited]
            is_worse = free.objective(seconds) > min(found) + ROUNDING
            worse[seconds] += is_worse
            stars = ["*" * (c.is_proved and c.seconds <= seconds) for c in limited]
            cells = (
                problem.name.removesuffix(", any depth"),
                f"{seconds:g}",
                f"{free.objective(seconds):.5f}",
                free.depth(seconds),
                *(f"{o:.5f}{s}" for o, s in zip(found, stars, strict=True)),
                "WORSE" if is_worse else "",
            )
            yield f"| {' | '.join(cells)} |"
    counts = ", ".join(f"{count} at {seconds:g} s" for seconds, count in worse.items())
    yield f"\n{n_tables} tables and penalties; worse without a limit: {counts}"
    yield "(* proved)."
