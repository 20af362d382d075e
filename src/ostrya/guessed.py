"""A search under guessed bounds, and what it says of the true problem (B9).

A problem that can be searched through in about a second needs no guess: it is solved
for the true costs. Others are searched with the bounds of a dearer problem, and the
tree found is polished.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ostrya.conclusion import require_proof
from ostrya.engines import TEN_YEARS, Report, engine_limits, search
from ostrya.grid import Grid
from ostrya.guarantee import true_lower_bound
from ostrya.polish import Rows, affordable_depth, polish
from ostrya.problem import Problem
from ostrya.recount import recount


def search_guessed(
    problem: Problem,
    grid: Grid,
    options: dict[str, Any],
    limits: dict[str, Any],
    started: float,
    report: Report | None,
) -> dict[str, Any]:
    """Return what a search with reference labels found, in terms of the true costs.

    Parameters
    ----------
    problem, grid : Problem, Grid
        The training rows, and the same in integers.
    options : dict
        What the engine is told, reference labels included.
    limits : dict
        The limits as the caller gave them.
    started : float
        When the call began, by `time.perf_counter`.
    report : callable or None
        Told of progress, as the engines do.
    """
    depth = limits["max_depth"]
    if depth is not None and depth <= affordable_depth(problem):
        asked = options | {"reference": None}
        found = search(problem, grid, "columns", asked, report)
        return found | {"status": _status(found)}
    found = search(problem, grid, "columns", options, report)
    cost = recount(found, problem, grid).cost
    if cost > found["upper"]:
        require_proof(found, cost)
    bound = true_lower_bound(found["lower"], options["reference"], problem, grid)
    status = _status(found)
    found = found | {"lower": min(bound, cost), "upper": cost, "status": status}
    if status != "guessed" or limits["max_leaves"] is not None:
        return found
    subsets = SubsetSearch(problem, grid, options, limits, started)
    better = polish(found, problem, grid, depth, subsets)
    cost = recount(better, problem, grid).cost
    return found | better | {"lower": min(found["lower"], cost), "upper": cost}


def _status(found: dict[str, Any]) -> str:
    """Return "guessed" for a search that came to its end, else what stopped it."""
    is_closed = found["status"] in ("optimal", "guessed", "upper_bound")
    return "guessed" if is_closed else str(found["status"])


@dataclass
class SubsetSearch:
    """A search of some of the rows, within what is left of the time."""

    problem: Problem
    grid: Grid
    options: dict[str, Any]
    limits: dict[str, Any]
    started: float
    is_stopped: bool = False

    def __call__(self, rows: Rows, max_depth: int, upper: int) -> dict[str, Any] | None:
        """Return the best tree of the rows if it costs less than `upper`."""
        spent = time.perf_counter() - self.started
        self.is_stopped |= spent >= (self.limits["time_limit"] or TEN_YEARS)
        if self.is_stopped:
            return None
        left = engine_limits(self.limits, self.problem.n_samples, self.started)
        asked = {"max_depth": max_depth, "upper": upper, "reference": None}
        part = replace(
            self.problem,
            X=self.problem.X[rows],
            codes=self.problem.codes[rows],
            weights=None,  # the grid has them
        )
        grid = replace(self.grid, weights=self.grid.weights[rows])
        found = search(part, grid, "columns", self.options | left | asked, None)
        self.is_stopped = found["status"] not in ("optimal", "upper_bound")
        return found if found["upper"] < upper else None
