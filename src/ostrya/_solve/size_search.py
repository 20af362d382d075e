"""SizeSearch: every number of leaves, by searches whose penalties fall.

A penalty makes bounds strong. The tree of least ``loss + penalty * leaves`` among those
of at most h leaves is the one of least loss if it has h leaves. If no tree of h leaves
costs less than all smaller ones, then none loses less than the least of their costs,
less the penalties of h leaves. So one search goes from size to size until that leaves
open whether there is a better tree, and the next one, with a lower penalty, begins
there. Without a penalty nothing is left open.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ostrya._solve.engine import search_sizes
from ostrya._solve.grid import MOST_COST, Grid
from ostrya._solve.limits import Limits
from ostrya._solve.search import (
    FrontierResult,
    Report,
    SearchOptions,
    SearchPoint,
    SearchResult,
    SizeBracket,
)
from ostrya._solve.training_data import TrainingData
from ostrya.results.outcome import FrontierStatus, Statistics, Status, is_settled

#: The first penalty is this share of what a single leaf loses.
FIRST_SHARE = 16
#: By how much the penalty falls from one search to the next.
STEP = 8
#: Thresholds up to which a limit on depth keeps row sets few.
FEW_THRESHOLDS = 1000


class SizeSearch:
    """Searches one problem on a grid without a penalty."""

    def __init__(
        self, data: TrainingData, grid: Grid, given: Limits, options: SearchOptions
    ) -> None:
        assert grid.penalty == 0
        assert given.max_leaf_nodes is not None
        self._data, self._grid, self._options = data, grid, options
        self._given, self._largest = given, given.max_leaf_nodes
        self._sizes: list[SizeBracket] = []
        self._statistics: Statistics | None = None

    def run(self, started: float, report: Report | None) -> FrontierResult:
        """Search all sizes; the call `started` at that time, for its limits."""
        rate: float = self._first_rate()
        while True:
            grid = self._with_penalty(rate)
            limits = self._given.remaining(self._data.n_samples, started)
            options = replace(
                self._options,
                limits=limits,
                upper=self._least_cost(grid),
                max_work=self._work_left(),
            )
            results = search_sizes(
                self._data,
                grid,
                options,
                first=len(self._sizes) + 1,
                loss=self._sizes[-1].upper if self._sizes else 0,
                report=_in_losses(report, grid, self._largest),
            )
            took = self._add_up(results)
            stopped = [each.status for each in results if not is_settled(each.status)]
            # The last bracket of a stopped search holds for all larger sizes, too.
            holds_to = [len(self._sizes) + i for i in range(1, len(results) + 1)]
            if stopped:
                holds_to[-1] = self._largest
            added = [
                self._add(result, grid, size)
                for result, size in zip(results, holds_to, strict=True)
            ]
            if stopped or (all(added) and self._is_last(grid)):
                status = (stop_of(stopped[-1]) if stopped else None) or "optimal"
                return FrontierResult(tuple(self._sizes), status, took)
            latest = results[-1].statistics if results else took
            rate = self._lower_rate(rate, latest)

    def _work_left(self) -> int | None:
        """Return what is left of the work that all searches together may take."""
        if self._options.max_work is None:
            return None
        spent = 0 if self._statistics is None else self._statistics.work
        return max(self._options.max_work - spent, 1)

    def _add_up(self, results: list[SearchResult]) -> Statistics:
        """Return what all searches took; one without sizes took next to nothing."""
        if results:
            took = results[-1].statistics
            self._statistics = (
                took if self._statistics is None else self._statistics + took
            )
        assert self._statistics is not None
        return self._statistics

    def _is_last(self, grid: Grid) -> bool:
        """Return whether sizes that a search has not told of bring nothing.

        With a penalty that is not known: cuts that pay for no leaf are dropped then, so
        it may be for lack of them that no tree loses less.
        """
        return grid.penalty == 0 or len(self._sizes) >= self._largest

    def _first_rate(self) -> float:
        """Return the first penalty, in units of the loss."""
        data, grid = self._data, self._grid
        masses = np.bincount(data.codes, grid.weights, minlength=data.n_classes)
        single_leaf = float((masses @ grid.costs).min())
        return min(single_leaf, MOST_COST / 4 / data.n_samples) / FIRST_SHARE

    def _lower_rate(self, rate: float, took: Statistics) -> float:
        """Return the penalty of the next search.

        With few thresholds and a limit on depth there is none: row sets come back so
        often there that what one search of all sizes shares is worth more.
        """
        if self._given.max_depth is not None and took.n_thresholds <= FEW_THRESHOLDS:
            return 0.0
        if rate >= STEP:
            return rate / STEP
        # Losses are whole: half of one is the least penalty that says anything.
        return 0.5 if rate > 0.5 else 0.0

    def _with_penalty(self, rate: float) -> Grid:
        if rate == 0.5:
            return replace(self._grid, scale=2 * self._grid.scale, penalty=1)
        return replace(self._grid, penalty=int(rate))

    def _least_cost(self, grid: Grid) -> int | None:
        """Return the least cost of all trees of the sizes that are solved."""
        return min(
            (
                grid.scale * size.upper + grid.penalty * size.shape.n_leaves
                for size in self._sizes
            ),
            default=None,
        )

    def _add(self, result: SearchResult, grid: Grid, holds_to: int) -> bool:
        """Take what is proved of the next size; False: that is not enough.

        The bracket must hold for all trees of up to `holds_to` leaves.
        """
        size, n_leaves = len(self._sizes) + 1, result.shape.n_leaves
        loss = (result.upper - grid.penalty * n_leaves) // grid.scale
        if not self._sizes:
            self._sizes.append(SizeBracket(result.shape, loss, loss))
            return True
        before = self._sizes[-1]
        shape, upper = before.shape, before.upper
        if loss < upper and n_leaves <= size:
            shape, upper = result.shape, loss
        # A tree of so many leaves pays their penalties, and its loss is whole.
        least = -((grid.penalty * holds_to - result.lower) // grid.scale)
        lower = min(max(least, 0), upper, before.lower)
        if lower < upper and is_settled(result.status):
            return False
        self._sizes.append(SizeBracket(shape, lower, upper))
        return True


def stop_of(status: Status) -> FrontierStatus | None:
    """Return why a search of all sizes stopped, given how its last search ended."""
    if status == "optimal_to_depth":
        return "work_limit"
    if status in ("time_limit", "memory_limit", "interrupted"):
        return status
    return None


def _in_losses(report: Report | None, grid: Grid, largest: int) -> Report | None:
    """Return the callback as a search with a penalty calls it."""
    if report is None or (grid.penalty == 0 and grid.scale == 1):
        return report

    def in_losses(point: SearchPoint) -> bool:
        if point.n_leaves > 0:
            loss = (point.upper - grid.penalty * point.n_leaves) // grid.scale
            lower = (point.lower - grid.penalty * largest) // grid.scale
            point = point._replace(upper=loss, lower=max(min(lower, loss), 0))
        return report(point)

    return in_losses
