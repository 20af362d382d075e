"""Measure the share of the optimum that dual prices (B10) prove at the root.

For every table and penalty of the suites, without a depth limit: the equivalent-points
bound (the base), the bound by dual prices, and the best known tree.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from benchmarks.data import load
from benchmarks.problem import Group, Problem

#: Most work for the prices of a problem, in rows looked at: some ten seconds.
WORK = 1 << 33
HEADER = (
    "| problem | base | by prices | best tree | share | above base | proved | "
    "prices s | settled |"
)


def distinct(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return every table and penalty above 0 once, without its depth limit."""
    unlimited = (
        replace(problem, group=Group.ANY_DEPTH, depth=None, target=None)
        for problem in problems
        if problem.penalty > 0
    )
    return tuple({problem.name: problem for problem in unlimited}.values())


def report(problems: Iterable[Problem], time_limit: float) -> Iterator[str]:
    """Yield the lines of a Markdown table, as they come, and the mean share."""
    yield HEADER
    yield "| --- |" + " ---: |" * (HEADER.count("|") - 2)
    shares = []
    for problem in distinct(problems):
        line, share = row(problem, time_limit)
        if share is not None:
            shares.append(share)
        yield line
    if shares:
        reached = sum(share >= 0.99 for share in shares)
        yield ""
        yield (
            f"{len(shares)} proved optima: prices reach "
            f"{100 * sum(shares) / len(shares):.1f} % of them in the mean, "
            f"99 % or more on {reached}."
        )


def row(problem: Problem, time_limit: float) -> tuple[str, float | None]:
    """Return the line of a problem, and the share where the optimum is known."""
    import ostrya
    from ostrya import _core
    from ostrya._solve.grid import to_grid
    from ostrya._solve.validation import check_data

    X, y = load(problem)
    outcome = ostrya.solve(X, y, leaf_penalty=problem.penalty, time_limit=time_limit)
    data = check_data(X, y, None, None, None, problem.penalty)
    grid = to_grid(data)
    start = time.perf_counter()
    base, bound, is_settled = _core.testing.price_bound(
        *(data.X, data.codes, grid.weights),
        *(grid.costs, grid.scale, grid.penalty),
        _core.Options(_core.Limits()),
        grid.to_cost(outcome.objective),
        WORK,
        time_limit,
    )
    seconds = time.perf_counter() - start
    best = outcome.objective
    lowest, reached = grid.to_objective(base), grid.to_objective(bound)
    above = (reached - lowest) / (best - lowest) if best > lowest else 1.0
    is_proved = outcome.status == "optimal"
    cells = (
        problem.name,
        f"{lowest:.4f}",
        f"{reached:.4f}",
        f"{best:.4f}",
        f"{100 * reached / best:.1f} %",
        f"{100 * above:.1f} %",
        "yes" if is_proved else f"no ({outcome.lower_bound:.4f})",
        f"{seconds:.2g}",
        "yes" if is_settled else "no",
    )
    return f"| {' | '.join(cells)} |", reached / best if is_proved else None
