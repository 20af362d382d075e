"""The tree of least ROC loss: by leaf sets, after a greedy tree where rows are many.

With N negatives and P positives the balanced error of a labelled tree,
``(FP / N + FN / P) / 2``, is what lies above its one point on the ROC plane; the hull
of its leaves lies above that point too, so one minus the area is at most that. The
balanced error adds up over rows, so that a greedy tree for it is found long before the
leaf sets of a large table are counted. Bounds come from the leaf sets alone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ostrya._solve.engine import search_columns, search_leaf_sets
from ostrya._solve.grid import Grid
from ostrya._solve.limits import LEAST_SECONDS
from ostrya._solve.measure_grid import MeasureGrid
from ostrya._solve.multiples import written_ratio
from ostrya._solve.pruning import prune
from ostrya._solve.recount import exact_loss
from ostrya._solve.search import Report, SearchOptions, SearchPoint, SearchResult
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape
from ostrya.bounds import Bounds
from ostrya.results.outcome import Statistics, has_hit_limit

# Values of a table from which on leaf sets may not get to a tree in the time there is.
MANY_VALUES = 2**18
# Pairs of rows, counted twice, in a search for the balanced error.
MOST_PAIRS = 2**50
# Seconds that splits of the tree for the balanced error are tried without.
MOST_PRUNING = 0.02


@dataclass
class AreaSearch:
    """One search; `run` returns what an engine returns."""

    data: TrainingData
    grid: MeasureGrid
    options: SearchOptions
    report: Report | None

    def __post_init__(self) -> None:
        self.best = TreeShape.single_leaf()
        self.cost = self._cost_of(self.best)
        self.took: Statistics | None = None  # by the search for the balanced error

    def run(self) -> SearchResult:
        """Search over leaf sets, and for the balanced error where that may not do."""
        limits = self.options.limits
        lower = min(self.grid.penalty, self.cost)  # no loss is below 0
        if limits.time_limit is not None and self.data.X.size >= MANY_VALUES:
            started = time.perf_counter()
            found = self._search_balanced()
            if found.status == "interrupted":
                return self._result(found, lower, (), found.statistics)
            left = limits.time_limit - (time.perf_counter() - started)
            limits = replace(limits, time_limit=max(left, LEAST_SECONDS))
        upper = self.options.upper
        if self.best.n_leaves > 1:
            upper = self.cost if upper is None else min(self.cost, upper)
        found = search_leaf_sets(
            self.data,
            self.grid,
            replace(self.options, limits=limits, upper=upper),
            None if self.report is None else self._report,
        )
        trace = tuple(self._in_all(point) for point in found.trace)
        if found.upper < self.cost:
            self.best, self.cost = found.shape, found.upper
        has_none = self.best.n_leaves == 1 and self.took is None
        if has_none and has_hit_limit(found.status):
            self._search_balanced()
        took = found.statistics
        return self._result(
            found, found.lower, trace, took if self.took is None else took + self.took
        )

    def _result(
        self,
        found: SearchResult,
        lower: int,
        trace: tuple[SearchPoint, ...],
        took: Statistics,
    ) -> SearchResult:
        """Return the best tree, with what the last search proved of it."""
        lower = min(lower, self.cost)
        if not trace or (trace[-1].lower, trace[-1].upper) != (lower, self.cost):
            end = SearchPoint(
                *(took.seconds, lower, self.cost, took.subproblems),
                *(took.peak_memory, self.best.n_leaves),
            )
            trace = (*trace, end)
        status = "optimal" if lower == self.cost else found.status
        return SearchResult(self.best, lower, self.cost, status, trace, took)

    def _search_balanced(self) -> SearchResult:
        """Look for a tree of small balanced error, and keep it if it is better.

        In the least time a search can have it is a greedy tree, of a sample of the rows
        where they are many.
        """
        weights = self.grid.weights
        mass = [int(weights[self.data.codes == code].sum()) for code in (0, 1)]
        # Twice the pairs of rows are the unit, or as many as fit the grid. A class that
        # weighs next to nothing then costs a little too much, which does no harm here.
        divisor = 1 + 2 * mass[0] * mass[1] // MOST_PAIRS
        parts = [max(each // divisor, 1) for each in mass]
        pairs = mass[0] * parts[1] + mass[1] * parts[0]
        rate = min(written_ratio(self.data.leaf_penalty), Fraction(1))
        costs = np.array([[0, parts[1]], [parts[0], 0]], dtype=np.int64)
        options = replace(
            self.options,
            limits=replace(self.options.limits, time_limit=LEAST_SECONDS),
            upper=None,
            bounds=Bounds(),
        )
        found = search_columns(
            self.data,
            Grid(weights, costs, 1, round(rate * pairs), Fraction(1)),
            options,
        )
        self.took = found.statistics
        ends = time.perf_counter() + MOST_PRUNING
        shape = prune(found.shape, self.data, self.grid, ends)
        cost = self._cost_of(shape)
        if cost < self.cost:
            self.best, self.cost = shape, cost
        return found

    def _cost_of(self, shape: TreeShape) -> int:
        return self.grid.cost_of(*exact_loss(shape, self.data, self.grid))

    def _report(self, point: SearchPoint) -> bool:
        """Report while leaf sets are searched."""
        assert self.report is not None
        return self.report(self._in_all(point))

    def _in_all(self, point: SearchPoint) -> SearchPoint:
        """Return a state of the search over leaf sets as one of all."""
        if self.took is None:
            return point
        if self.cost <= point.upper and self.best.n_leaves > 1:
            point = point._replace(upper=self.cost, n_leaves=self.best.n_leaves)
        return point._replace(
            seconds=point.seconds + self.took.seconds,
            lower=min(point.lower, point.upper),
            subproblems=point.subproblems + self.took.subproblems,
        )
