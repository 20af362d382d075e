"""Whether allowing more gives less: no depth limit beside depths 2, 3 and 4.

Every data set of a suite, with each of its penalties, is searched without a depth limit
and with each of three, for the same seconds. The tree without a limit should be as good
as the best of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import ostrya
from benchmarks.data import load
from benchmarks.problem import Problem
from benchmarks.summary import ROUNDING

DEPTHS = (2, 3, 4)
HEADER = ("problem", "seconds", "no limit", "proved depth", "depth 2", "3", "4", "")


def tables(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return one problem for each table and penalty, without a depth limit."""
    return tuple(dict.fromkeys(replace(p, depth=None, target=None) for p in problems))


def report(problems: Iterable[Problem], limits: Iterable[float]) -> Iterator[str]:
    """Yield the lines of a Markdown table, and what they come to."""
    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    n_worse = n_all = 0
    for problem in tables(problems):
        X, y = load(problem)
        for seconds in limits:
            free, *limited = (
                ostrya.solve(
                    X,
                    y,
                    leaf_penalty=problem.penalty,
                    max_depth=depth,
                    time_limit=seconds,
                )
                for depth in (None, *DEPTHS)
            )
            best = min(outcome.objective for outcome in limited)
            is_worse = free.objective > best + ROUNDING
            n_worse, n_all = n_worse + is_worse, n_all + 1
            depth = "any" if free.proved_depth is None else str(free.proved_depth)
            cells = (
                problem.name.removesuffix(", any depth"),
                f"{seconds:g}",
                f"{free.objective:.5f}",
                depth,
                *(f"{o.objective:.5f}{'*' * o.is_optimal}" for o in limited),
                "WORSE" if is_worse else "",
            )
            yield f"| {' | '.join(cells)} |"
    yield f"\n{n_all} comparisons, {n_worse} worse without a limit (* proved)."
