"""From a search under guessed bounds to claims about the true problem (B9)."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ostrya.conclusion import require_proof
from ostrya.engines import TEN_YEARS, engine_limits, search
from ostrya.grid import Grid
from ostrya.guarantee import true_lower_bound
from ostrya.polish import Rows, polish
from ostrya.problem import Problem
from ostrya.recount import recount


def settle_guess(
    found: dict[str, Any],
    problem: Problem,
    grid: Grid,
    options: dict[str, Any],
    limits: dict[str, Any],
    started: float,
) -> dict[str, Any]:
    """Return what was found in the dearer problem, polished, of the true one.

    Parameters
    ----------
    found : dict
        What the engine said.
    problem, grid : Problem, Grid
        The training rows, and the same in integers.
    options : dict
        What the engine was told, reference labels included.
    limits : dict
        The limits as the caller gave them.
    started : float
        When the call began, by `time.perf_counter`.
    """
    cost = recount(found, problem, grid).cost
    if cost > found["upper"]:
        require_proof(found, cost)
    bound = true_lower_bound(found["lower"], options["reference"], problem, grid)
    is_closed = found["status"] in ("guessed", "upper_bound")
    status = "guessed" if is_closed else found["status"]
    found = found | {"lower": min(bound, cost), "upper": cost, "status": status}
    if status != "guessed" or limits["max_leaves"] is not None:
        return found
    return _polished(found, SubsetSearch(problem, grid, options, limits, started))


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


def _polished(found: dict[str, Any], subsets: SubsetSearch) -> dict[str, Any]:
    """Return what was found with its subtrees improved."""
    problem, grid = subsets.problem, subsets.grid
    max_depth = subsets.limits["max_depth"]
    better, is_through = polish(found, problem, grid, max_depth, subsets)
    cost = recount(better, problem, grid).cost
    is_proved = is_through and not subsets.is_stopped
    lower = cost if is_proved else min(found["lower"], cost)
    return found | better | {"lower": lower, "upper": cost}
