"""Searches of some of the rows, within what is left of a call's time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ostrya._guesses.polish import Rows
from ostrya._solve.engine import TEN_YEARS, Report, engine_limits, search
from ostrya._solve.grid import Grid
from ostrya._solve.training_data import Problem

# Seconds between two calls of the callback, as the engines have it.
PAUSE = 0.1


@dataclass
class SubsetSearch:
    """Search some of the rows for a better subtree of the tree found so far.

    Attributes
    ----------
    problem, grid, options, limits, started, report
        As for `ostrya._guesses.search.GuessedSearch`.
    found : dict
        What was found and proved of all rows.
    stop : str or None
        What stopped the searches, as a status; None: nothing.
    statistics : list of dict
        What each took.
    """

    problem: Problem
    grid: Grid
    options: dict[str, Any]
    limits: dict[str, Any]
    started: float
    report: Report | None
    found: dict[str, Any]
    stop: str | None = None
    statistics: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Keep cost and leaves of the whole tree, and when the caller was told."""
        self._cost = int(self.found["upper"])
        self._n_leaves = int(np.count_nonzero(np.asarray(self.found["feature"]) < 0))
        self._told = time.perf_counter()

    def __call__(
        self, rows: Rows, max_depth: int, upper: int, n_leaves: int
    ) -> dict[str, Any] | None:
        """Return the best tree of the rows if it costs less than `upper`.

        `n_leaves` are the leaves of the subtree there is.
        """
        self._look_around()
        if self.stop is not None:
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
        report = None if self.report is None else self._tell
        found = search(part, grid, "columns", self.options | left | asked, report)
        self.statistics.append(found["statistics"])
        if found["status"] not in ("optimal", "upper_bound"):
            self.stop = found["status"]
        if found["upper"] >= upper:
            return None
        self._cost -= upper - found["upper"]
        self._n_leaves += int(np.count_nonzero(found["feature"] < 0)) - n_leaves
        return found

    def _look_around(self) -> None:
        """Stop when the time is over, or when the callback says so."""
        now = time.perf_counter()
        if self.stop is not None:
            return
        if now - self.started >= (self.limits["time_limit"] or TEN_YEARS):
            self.stop = "time_limit"
        elif (
            self.report is not None
            and now - self._told >= PAUSE
            and self._tell(0.0, 0, 0, 0, 0, 0)
        ):
            self.stop = "interrupted"

    def _tell(self, seconds: float, lower: int, upper: int, *counts: int) -> bool:
        """Tell the caller of the whole tree, whatever part of it is searched."""
        assert self.report is not None
        self._told = time.perf_counter()
        subproblems, memory, _ = counts
        subproblems += sum(each["subproblems"] for each in self.statistics)
        subproblems += self.found["statistics"]["subproblems"]
        return self.report(
            *(self._told - self.started, self.found["lower"], self._cost),
            *(subproblems, memory, self._n_leaves),
        )
