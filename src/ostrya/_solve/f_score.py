"""The tree of best F-score, by searches for losses that add up.

With b = beta squared the loss of a tree is a ratio f / g of sums over rows,

    f = FP + b FN,    g = (1 + b) P - FN + FP,

and a tree with h leaves beats the objective U exactly if ``f - (U - penalty h) g < 0``
(Dinkelbach 1967). Let t = U - penalty q at some number of leaves q, the pivot. The left
side is ``f - t g + penalty g (h - q)``, at least

    f - t g + charge (h - q)

for trees of q leaves if charge is anything; of q or more if it is at most penalty times
the least g, of q or fewer if it is at least penalty times the greatest g, over trees
with f < u g. These are (1 + b) P b / (b + u) and (1 + b) P / (1 - u). A tree of least
``f - t g`` with a charge per leaf is an additive search; labels are free in it as well.
If none is below 0 the whole range of leaves is ruled out. Else the tree found is better
than the best so far, or shows which charges cannot serve; when none is left the range
is cut in two. A lone number of leaves is settled by a search with that many at most.

The ratio t has the denominator of the objective to beat. One that is too large for the
integers of the engine is rounded down: then every tree below 0 is still better than the
best so far, and if there is none, no tree is better by more than the rounding.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._solve.engine import equal_rows, search_columns
from ostrya._solve.grid import MOST_COST, MOST_SUM, Grid
from ostrya._solve.limits import LEAST_SECONDS
from ostrya._solve.measure_grid import MeasureGrid
from ostrya._solve.measures import FScore
from ostrya._solve.multiples import simplest_between
from ostrya._solve.recount import exact_loss
from ostrya._solve.search import Report, SearchOptions, SearchPoint, SearchResult
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape
from ostrya.results.outcome import Statistics, Status, is_stopped

# Units of the grid, about 2**-58 each, by which an upper bound may be raised.
WANTED_UNITS = 2**12
# Ratios that are rounded to multiples of one over this are as good as exact.
LEAST_FINE = 2**26

# What is known of a range of leaves: no tree of it is better, one is and was kept,
# nothing yet; or what stopped the search.
Answer = Literal["none", "better", "open"] | Status


class RatioLimit(NamedTuple):
    """What a tree of so many leaves must stay below, f < limit g, in integers."""

    pivot: int  # leaves
    ratio: Fraction
    unit: int  # makes the costs whole
    rounded: Fraction  # by how much the ratio was rounded down

    def of(self, value: Fraction) -> int:
        """Return a multiple of the unit."""
        return math.floor(value * self.unit)


@dataclass
class FScoreSearch:
    """One search; `run` returns what an engine returns."""

    data: TrainingData
    grid: MeasureGrid
    options: SearchOptions
    report: Report | None
    start: TreeShape | None = None  # the warm start
    best: TreeShape = field(init=False)
    trace: list[SearchPoint] = field(default_factory=list)
    statistics: Statistics | None = None  # None: nothing has been searched yet

    def __post_init__(self) -> None:
        assert isinstance(self.grid.measure, FScore)
        self.square = self.grid.measure.square
        self.penalty = self.grid.penalty * self.grid.unit
        positive = self.data.codes == 1
        self.positives = int(self.grid.weights[positive].sum())
        self.total = int(self.grid.weights.sum())
        seconds = self.options.limits.time_limit
        self._ends = None if seconds is None else time.perf_counter() + seconds
        self.least_loss = self._least_loss(seconds)
        self.best = TreeShape.single_leaf()
        loss, n_leaves = exact_loss(self.best, self.data, self.grid)
        self.objective = loss + self.penalty * n_leaves
        self.cost = self.grid.cost_of(loss, n_leaves)
        self._waiting = 1  # fewest leaves not yet ruled out
        # A bound that was asked for is an integer cost. It is taken as a ratio of fewer
        # digits, slightly above it, so that ratios fit the integers of the engine.
        self._wanted: Fraction | None = None
        if self.options.upper is not None:
            least = self.options.upper * self.grid.unit
            most = least + WANTED_UNITS * self.grid.unit
            self._wanted = simplest_between(least, most)
        if self.start is not None:
            self._keep(self.start)
        # What was ruled out under a rounded ratio has at least this objective.
        self._ruled_out: Fraction | None = None

    def run(self) -> SearchResult:
        """Rule out ranges of leaves until none is left, or a search is stopped."""
        ranges = [(1, self._most_leaves())]
        status: Status = "optimal"
        while ranges:
            low, high = ranges.pop()
            high = min(high, self._most_leaves())
            if low > high and self.statistics is not None:
                continue
            high = max(low, high)  # at least one search says what the data are
            self._waiting = min([low, *(start for start, _ in ranges)])
            answer = self._settle(low, high)
            if answer == "better":
                ranges.append((low, high))
            elif answer == "open":
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)]
            elif answer != "none":
                ranges.append((low, high))
                status = answer
                break
        lower = self.cost
        if ranges:
            lower = min(self.cost, self._lower(min(low for low, _ in ranges)))
        elif self._ruled_out is not None:
            lower = min(lower, math.floor(self._ruled_out * self.grid.resolution))
            status = "optimal" if lower == self.cost else "optimal_to_rounding"
        wanted = self.options.upper
        if wanted is not None and lower >= wanted and not ranges:
            lower = min(wanted, self.cost)
            status = "optimal" if lower == self.cost else "upper_bound"
        assert self.statistics is not None
        self._trace(lower, self.statistics)
        return SearchResult(
            *(self.best, lower, self.cost, status, tuple(self.trace), self.statistics)
        )

    def _least_loss(self, seconds: float | None) -> Fraction:
        """Return what no tree loses less than: equal rows stay together.

        It is worth a tenth of the time at most, and 0 beyond that.
        """
        part = None if seconds is None else seconds / 10
        rows = equal_rows(self.data, part)
        if rows is None:
            return Fraction(0)
        return self.grid.measure.loss(masses_of_groups(rows, self.data, self.grid))

    def _report(self, point: SearchPoint) -> bool:
        """Report on the whole search while one of its parts runs."""
        assert self.report is not None
        lower = self.trace[-1].lower if self.trace else self._lower(1)
        before = self.statistics
        return self.report(
            SearchPoint(
                point.seconds + (0.0 if before is None else before.seconds),
                min(lower, self.cost),
                self.cost,
                point.subproblems + (0 if before is None else before.subproblems),
                point.memory,
                self.best.n_leaves,
            )
        )

    def _goal(self) -> Fraction:
        """Return the objective to beat."""
        if self._wanted is None:
            return self.objective
        return min(self.objective, self._wanted)

    def _most_leaves(self) -> int:
        """Return the most leaves with which a tree could still be better."""
        most = self.data.n_samples
        if self.options.limits.max_leaf_nodes is not None:
            most = min(most, self.options.limits.max_leaf_nodes)
        if self.penalty > 0:
            room = (self._goal() - self.least_loss) / self.penalty
            most = min(most, math.ceil(room) - 1)
        return most

    def _lower(self, low: int) -> int:
        """Return the least cost of a tree of `low` leaves or more."""
        return self.grid.cost_of(self.least_loss, low)

    def _settle(self, low: int, high: int) -> Answer:
        """Look for a better tree of `low` to `high` leaves."""
        if self.penalty == 0:
            return self._dual(self._limit(low), 0, 0, high)
        ratio = self._ratio(low)
        weight = (1 + self.square) * self.positives
        least = self.penalty * weight * self.square / (self.square + ratio)
        below, above = self._limit(low), self._limit(high)
        if low == high:
            answer = self._dual(below, 0, MOST_SUM)
            return self._dual(below, 0, 0, low) if answer == "open" else answer
        answer = self._dual(below, 0, below.of(least))
        if answer == "open" and ratio < 1:
            most = self.penalty * weight / (1 - ratio)
            answer = self._dual(above, above.of(most) + 1, MOST_SUM)
        return answer

    def _ratio(self, pivot: int) -> Fraction:
        """Return the loss that trees of so many leaves have to stay below."""
        # Trees of loss 1 find no positive row and are no better than a single leaf.
        ratio = self._goal() - self.penalty * pivot
        return min(max(ratio, Fraction(0)), Fraction(1))

    def _limit(self, pivot: int) -> RatioLimit:
        ratio = self._ratio(pivot)
        fine = finest_ratio(self.grid)
        rounded = ratio
        if ratio.denominator > fine:
            rounded = Fraction(math.floor(ratio * fine), fine)
        unit = rounded.denominator * self.square.denominator
        return RatioLimit(pivot, rounded, unit, ratio - rounded)

    def _dual(
        self,
        limit: RatioLimit,
        least: int,
        most: int,
        max_leaf_nodes: int | None = None,
    ) -> Answer:
        """Look for a charge from `least` to `most` under which no tree is below 0."""
        weight = (1 + self.square) * self.positives
        goal = limit.of(limit.ratio * weight)
        b, unit = self.square, limit.unit
        costs = [[0, (1 - limit.ratio) * unit], [(b + limit.ratio) * unit, 0]]
        matrix = np.array(costs, dtype=np.int64)
        # Above the greatest loss, all charges have the same best tree: one leaf.
        most = min(most, MOST_SUM)
        if least > most:
            return "open"
        charge = min(most, max(least, limit.of(self.penalty * weight)))
        while True:
            upper = min(goal + charge * limit.pivot, MOST_COST - 1)
            found = self._search(matrix, charge, upper, max_leaf_nodes)
            if is_stopped(found.status):
                self._keep(found.shape)
                return found.status
            if found.upper >= upper:
                self._rule_out(limit)
                return "none"
            if self._keep(found.shape):
                return "better"
            more = found.shape.n_leaves - limit.pivot
            value = found.upper - charge * (more + limit.pivot) - goal
            if more > 0:
                least = max(least, -(value // more))
            elif more < 0:
                most = min(most, value // -more)
            if least > most or more == 0:
                if max_leaf_nodes is None:
                    return "open"
                self._rule_out(limit)
                return "none"
            charge = (least + min(most, 2 * max(least, charge))) // 2

    def _rule_out(self, limit: RatioLimit) -> None:
        """Note what is proved of the trees that were ruled out."""
        if limit.rounded > 0:
            least = self._goal() - limit.rounded
            known = self._ruled_out
            self._ruled_out = least if known is None else min(least, known)

    def _search(
        self,
        costs: npt.NDArray[np.int64],
        charge: int,
        upper: int,
        max_leaf_nodes: int | None,
    ) -> SearchResult:
        """Search for a tree of additive cost below `upper`, and add up what it took."""
        limits = self.options.limits
        if max_leaf_nodes is not None:
            limits = replace(limits, max_leaf_nodes=max_leaf_nodes)
        if self._ends is not None:
            left = max(self._ends - time.perf_counter(), LEAST_SECONDS)
            limits = replace(limits, time_limit=left)
        grid = Grid(self.grid.weights, costs, 1, charge, Fraction(1))
        options = replace(self.options, limits=limits, upper=upper)
        report = None if self.report is None else self._report
        found = search_columns(self.data, grid, options, report)
        took = found.statistics
        self.statistics = took if self.statistics is None else took + self.statistics
        self._trace(self._lower(self._waiting), self.statistics)
        return found

    def _keep(self, shape: TreeShape) -> bool:
        """Keep a tree if it is better than the best so far; return whether it is."""
        loss, n_leaves = exact_loss(shape, self.data, self.grid)
        objective = loss + self.penalty * n_leaves
        if objective >= self._goal():
            return False
        self.best, self.objective = shape, objective
        self.cost = self.grid.cost_of(loss, n_leaves)
        return True

    def _trace(self, lower: int, took: Statistics) -> None:
        """Note the bounds, which only ever come closer."""
        last = self.trace[-1] if self.trace else None
        lower = min(lower if last is None else max(lower, last.lower), self.cost)
        if last is None or (last.lower, last.upper) != (lower, self.cost):
            self.trace.append(
                SearchPoint(
                    *(took.seconds, lower, self.cost, took.subproblems),
                    *(took.peak_memory, self.best.n_leaves),
                )
            )


def finest_ratio(grid: MeasureGrid) -> int:
    """Return the largest denominator of a ratio that the integers of a search hold.

    The losses of all rows then add up to less than a quarter of MOST_SUM.
    """
    assert isinstance(grid.measure, FScore)
    b, total = grid.measure.square, int(grid.weights.sum())
    return MOST_SUM // (4 * total * (math.ceil(b) + 1)) // b.denominator


def suits_sums(grid: MeasureGrid) -> bool:
    """Return whether searches for sums prove an F-score as well as leaf sets do.

    They do if every ratio fits, or is rounded by next to nothing. Weights over many
    orders of magnitude leave too little room for that.
    """
    assert isinstance(grid.measure, FScore)
    fine, b = finest_ratio(grid), grid.measure.square
    most = (b.numerator + b.denominator) * int(grid.weights.sum())
    return fine >= min(LEAST_FINE, most * (grid.penalty * grid.unit).denominator)


def masses_of_groups(
    group: npt.NDArray[np.int32], data: TrainingData, grid: MeasureGrid
) -> npt.NDArray[np.int64]:
    """Return groups of rows as leaves, given the group of each row."""
    size = int(group.max()) + 1
    masses = [
        np.bincount(group[own], grid.weights[own], minlength=size).astype(np.int64)
        for own in (data.codes == code for code in (0, 1))
    ]
    pairs = np.column_stack(masses)
    return pairs[pairs.any(axis=1)]
