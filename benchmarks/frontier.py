"""Compare the cost of a frontier with its hardest single search.

For each problem, in processor seconds: one `ostrya.frontier`; one `ostrya.solve` for
every number of leaves, and one without such a limit; and one fit of pystreed for every
number of splits, in its own environment.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import ostrya
from benchmarks.contenders import CONTENDERS
from benchmarks.data import ROOT, available, load
from benchmarks.environments import interpreter
from benchmarks.problem import Group, Problem
from benchmarks.process import environment
from benchmarks.summary import ROUNDING
from benchmarks.task import Task

#: Data, encoding, depth and most leaves.
SIZES = (
    ("compas", "numeric", 3, 8),
    ("compas", "numeric", 4, 16),
    ("compas_binary12", "numeric", None, 12),
    ("fico_binary17", "numeric", 4, 16),
    ("car_evaluation_binary15", "numeric", 5, 32),
    ("car_evaluation_binary15", "numeric", None, 9),
    ("monk1_binary11", "numeric", None, 12),
    ("monk2_binary11", "numeric", 5, 32),
    ("monk3_binary11", "numeric", None, 12),
    ("tic-tac-toe", "one-hot", 4, 16),
    ("dl85/anneal", "numeric", 4, 16),
    ("dl85/german-credit", "numeric", 3, 8),
    ("dl85/vehicle", "numeric", 3, 8),
    ("contree/bank", "numeric", 3, 8),
    ("contree/raisin", "numeric", 3, 8),
    ("contree/wilt", "numeric", 3, 8),
)
HEADER = (
    *("problem", "leaves", "frontier", "hardest solve", "times", "times, by work"),
    *("all solves", "pystreed, all sizes"),
)


def problems() -> dict[Problem, int]:
    """Return the problems whose data are here, with their most leaves."""
    group = Group.ANY_DEPTH
    all_sizes = {
        Problem(data, group, penalty=0.0, depth=depth, encoding=encoding): leaves
        for data, encoding, depth, leaves in SIZES
    }
    return {problem: all_sizes[problem] for problem in available(all_sizes)}


def report(
    chosen: dict[Problem, int], time_limit: float, peers: Iterable[str]
) -> Iterator[str]:
    """Yield the lines of a Markdown table, and what they come to."""
    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    worst = 0.0
    ostrya.frontier([[0], [1]], [0, 1])  # what the first call loads is not timed
    for problem, most in chosen.items():
        X, y = load(problem)
        limits = {"max_depth": problem.depth, "time_limit": time_limit}
        frontier, ours = timed(ostrya.frontier, X, y, **limits, max_leaf_nodes=most)
        singles, works = [], []
        for size in (None, *range(1, most + 1)):
            outcome, seconds = timed(
                ostrya.solve, X, y, **limits, max_leaf_nodes=size, leaf_penalty=0.0
            )
            singles.append(seconds)
            works.append(outcome.statistics.work)
            if size is not None:
                check(problem, size, frontier, outcome)
        times = ours / max(singles)
        worst = max(worst, times)
        cells = (
            *(problem.name, str(most)),
            f"{ours:.3f}" + ("" if frontier.is_optimal else " (open)"),
            *(f"{max(singles):.3f}", f"{times:.2f}"),
            f"{frontier.statistics.work / max(works):.2f}",
            f"{sum(singles):.3f}",
            peer_seconds(problem, frontier, time_limit) if "pystreed" in peers else "",
        )
        yield f"| {' | '.join(cells)} |"
    yield f"\nAt most {worst:.2f} times the hardest single solve."


def timed(search: Callable[..., Any], X: Any, y: Any, **limits: Any) -> Any:
    """Return what a search returns, and the seconds of the processor it took."""
    start = time.process_time()
    found = search(X, y, **limits)
    return found, time.process_time() - start


def check(
    problem: Problem,
    size: int,
    frontier: ostrya.results.Frontier,
    outcome: ostrya.results.Outcome,
) -> None:
    """Raise where a single solve and the frontier contradict each other."""
    point = frontier.at_leaves(min(size, frontier.max_leaf_nodes))
    is_sound = (
        point.lower_bound <= outcome.loss + ROUNDING
        and outcome.lower_bound <= point.loss + ROUNDING
    )
    if not is_sound:
        raise SystemExit(
            f"{problem.name}, {size} leaves: the frontier says {point.loss}, "
            f"{point.status}, and a single solve {outcome.loss}, {outcome.status}"
        )


def peer_seconds(
    problem: Problem, frontier: ostrya.results.Frontier, time_limit: float
) -> str:
    """Return the seconds of pystreed for all sizes, and how many it did not prove."""
    task = Task(problem, "pystreed", time_limit)
    done = subprocess.run(
        [
            interpreter(CONTENDERS["pystreed"]),
            *("-m", "benchmarks.frontier_worker", task.to_json()),
            str(frontier.max_leaf_nodes),
        ],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return "failed"
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    for size, run in enumerate(runs, 2):
        point = frontier.at_leaves(size)
        if run["proved"] and point.is_optimal:
            differs = abs(run["error"] - point.loss) > ROUNDING
            if differs:
                return f"another optimum for {size} leaves: {run['error']:.5f}"
    n_open = sum(not run["proved"] for run in runs)
    total = sum(run["seconds"] for run in runs)
    return f"{total:.3f}" + (f" ({n_open} open)" if n_open else "")
