"""Measure the time of a small solve from Python, including all overhead."""

from __future__ import annotations

import time
from statistics import median, quantiles

from benchmarks.data import load
from benchmarks.problem import Group, Problem

#: Calls timed, after one that warms the caches.
CALLS = 200
#: Iris: 150 rows, 4 columns of real values, 3 classes.
PROBLEMS = tuple(
    Problem("iris", Group.CONTINUOUS, penalty, depth)
    for penalty, depth in ((0.01, 3), (0.01, None))
)


def milliseconds(problem: Problem) -> list[float]:
    """Return the milliseconds of each timed call."""
    import ostrya

    X, y = load(problem)
    times = []
    for _ in range(CALLS + 1):
        start = time.perf_counter()
        ostrya.solve(X, y, leaf_penalty=problem.penalty, max_depth=problem.depth)
        times.append(1e3 * (time.perf_counter() - start))
    return times[1:]


def report() -> str:
    """Return a Markdown table of the median and the upper tenth."""
    lines = ["| problem | median ms | 90 % within ms |", "|---|---:|---:|"]
    for problem in PROBLEMS:
        times = milliseconds(problem)
        upper = quantiles(times, n=10)[-1]
        lines.append(f"| {problem.name} | {median(times):.3f} | {upper:.3f} |")
    return "\n".join(lines)
