"""The tree of least cost under a loss of the caller's own.

First searches for sums, at prices of errors (`ostrya._solve.error_prices`): they find
good trees and bound the least cost. What they leave open is closed by a search over
fronts (``cpp/fronts``), at the prices that bounded best.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from ostrya._solve.engine import (
    equal_rows,
    search_columns,
    search_fronts,
    search_leaf_sets,
)
from ostrya._solve.error_prices import (
    FEW_BLOCKS,
    MANY_BLOCKS,
    Leaves,
    NoTimeToAskError,
    PricedLoss,
    Prices,
)
from ostrya._solve.grid import MOST_COST, Grid
from ostrya._solve.limits import LEAST_SECONDS, Limits
from ostrya._solve.measure_grid import IntegerMonotone, MeasureGrid
from ostrya._solve.measures import Monotone
from ostrya._solve.pruning import prune
from ostrya._solve.recount import masses_of
from ostrya._solve.search import Report, SearchOptions, SearchPoint, SearchResult
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape
from ostrya.bounds import LeafSetBounds
from ostrya.results.outcome import Statistics, Status, is_settled, is_stopped

# A front holds errors in 32 bits. Those of rows that weigh more are searched for over
# leaf sets, which is slower.
MOST_IN_FRONTS = 2**31 - 1
# Searches for sums at most.
MOST_ROUNDS = 8
# Prices are not improved further for a smaller part of the gap.
LEAST_PROGRESS = 0.05
# A search for a sum gets this part of the time that is left.
SHARE_OF_TIME = 4


@dataclass
class CallableSearch:
    """One search; `run` returns what an engine returns."""

    data: TrainingData
    grid: MeasureGrid
    options: SearchOptions
    report: Report | None
    trace: list[SearchPoint] = field(default_factory=list)
    statistics: Statistics | None = None  # None: nothing has been searched yet

    def __post_init__(self) -> None:
        measure = self.grid.in_integers
        assert isinstance(measure, IntegerMonotone)
        assert isinstance(self.grid.measure, Monotone)
        self.measure, self._function = measure, self.grid.measure.function
        negatives, positives = (
            int(self.grid.weights[self.data.codes == code].sum()) for code in (0, 1)
        )
        seconds, now = self.options.limits.time_limit, time.perf_counter()
        self._ends = None if seconds is None else now + seconds
        self.priced = PricedLoss(
            loss=measure.loss,
            negatives=negatives,
            positives=positives,
            penalty=self.grid.penalty,
            most_leaves=self._most_leaves(),
            # Half of the time is left for a tree, if the caller's function is slow.
            ends=None if seconds is None else now + seconds / 2,
        )
        self._trees: list[Leaves] = []
        self.best = TreeShape.single_leaf()
        self.cost = MOST_COST
        self.lower = self.grid.penalty  # no loss is below 0 on the grid

    def run(self) -> SearchResult:
        """Search until the best tree is proved, or something stops it."""
        self._keep(self.best, is_needed=True)
        try:
            status = self._search()
            if status == "optimal" and self.lower >= self.cost:
                # Of equal costs the tree with fewer leaves is wanted.
                self.best = prune(self.best, self.data, self.grid, self._ends)
        except KeyboardInterrupt:  # in the caller's function or elsewhere
            status = "interrupted"
        except NoTimeToAskError:
            status = "time_limit"
        if self.statistics is None:
            status = self._search_once(status)
        assert self.statistics is not None
        lower = min(self.lower, self.cost)
        if lower == self.cost:
            status = "optimal"
        elif status == "optimal":
            status = "upper_bound"
        self._trace(self.statistics)
        return SearchResult(
            *(self.best, lower, self.cost, status, tuple(self.trace), self.statistics)
        )

    def _search_once(self, status: Status) -> Status:
        """Search at prices that nothing is known of: for a tree, whatever it costs."""
        seconds = LEAST_SECONDS
        if self._ends is not None and status == "time_limit":
            seconds = (self._ends - time.perf_counter()) / SHARE_OF_TIME
        prices = Prices(1, 1)
        with suppress(NoTimeToAskError):
            prices = self.priced.mean()
        found = self._priced_search(prices, MOST_COST - 1, seconds)
        try:
            self._keep(found.shape)
        except KeyboardInterrupt:
            return "interrupted"
        except NoTimeToAskError:
            pass
        return "interrupted" if found.status == "interrupted" else status

    @property
    def _goal(self) -> int:
        """The cost to stay below."""
        upper = self.options.upper
        return self.cost if upper is None else min(self.cost, upper)

    def _search(self) -> Status:
        """Return "optimal" when no tree is below the goal, else what stopped it."""
        best: Prices | None = None
        bound = -MOST_COST
        for _ in range(MOST_ROUNDS):
            if best is None:
                prices = self.priced.mean()
            else:
                prices, won = self._choose(best)
                if won < LEAST_PROGRESS:
                    break
            found = self._try(prices)
            if found is None or self.lower >= self._goal:
                self.lower = self._goal
                return "optimal"
            least, status = found
            if is_stopped(status) and status != "time_limit":  # it had a part of it
                return status
            if least > bound or best is None:
                best, bound = prices, least
            if status == "time_limit":
                break
        assert best is not None
        return self._search_fronts(best)

    def _choose(self, best: Prices) -> tuple[Prices, float]:
        """Return the prices to search at next, and the part of the gap to be won."""
        leaves = self._trees[-1]
        positive = np.array(self.grid.measure.weigh(leaves)[1], dtype=bool)
        fp, fn = int(leaves[positive, 0].sum()), int(leaves[~positive, 1].sum())
        near = [best, *self.priced.slopes(fp, fn)]
        return self.priced.choose(self._trees, self._goal, near)

    def _try(self, prices: Prices) -> tuple[int, Status] | None:
        """Search at these prices; return the bound proved. None: no tree is better."""
        goal = self._goal
        shift = self.priced.shift(prices, goal, FEW_BLOCKS)
        if shift is None or shift >= goal:
            return None
        seconds = None
        if self._ends is not None:
            seconds = (self._ends - time.perf_counter()) / SHARE_OF_TIME
        found = self._priced_search(prices, goal - shift, seconds)
        self.priced.ends = self._ends
        self._keep(found.shape)
        self.priced.prove(prices, found.lower)
        # What was proved rules out some counts, and the best tree may be better.
        shift = self.priced.shift(prices, self._goal, FEW_BLOCKS)
        if shift is None:
            return None
        bound = min(found.lower + shift, self._goal)
        self.lower = max(self.lower, bound)
        assert self.statistics is not None
        self._trace(self.statistics)
        return bound, found.status

    def _search_fronts(self, prices: Prices) -> Status:
        """Look for a better tree among all that these prices do not rule out."""
        goal = self._goal
        shift = self.priced.shift(prices, goal, MANY_BLOCKS)
        if shift is None or self.priced.least(prices) + shift >= goal:
            self.lower = goal
            return "optimal"
        self.lower = max(self.lower, self.priced.least(prices) + shift)
        options = replace(self.options, limits=self._limits(None), upper=goal)
        report = None if self.report is None else self._report_fronts
        if self.priced.negatives + self.priced.positives <= MOST_IN_FRONTS:
            found = search_fronts(
                self.data,
                self._additive(prices),
                options,
                self.measure,
                lower=min(self.lower, goal),
                shift=shift,
                report=report,
            )
        else:
            options = replace(options, bounds=LeafSetBounds())
            found = search_leaf_sets(self.data, self.grid, options, report)
        before = self.statistics
        assert before is not None
        for point in found.trace:
            self._note(self._whole(point, before))
        self._add(found.statistics)
        self._keep(found.shape)
        self.lower = max(self.lower, min(found.lower, self._goal))
        if not is_settled(found.status):
            return found.status
        # Its labels may be among too many to be looked at once more.
        is_recounted = found.upper >= goal or self.cost <= found.upper
        return "optimal" if is_recounted else "memory_limit"

    def _priced_search(
        self, prices: Prices, upper: int, seconds: float | None = None
    ) -> SearchResult:
        """Search for a tree of priced cost below `upper`."""
        options = replace(
            self.options,
            limits=self._limits(seconds),
            upper=min(upper, MOST_COST - 1),
        )
        report = None if self.report is None else self._report
        found = search_columns(self.data, self._additive(prices), options, report)
        self._add(found.statistics)
        return found

    def _most_leaves(self) -> int:
        """Return the most leaves that any tree has."""
        limits = self.options.limits
        most = self.data.n_samples
        part = None if limits.time_limit is None else limits.time_limit / 10
        if (rows := equal_rows(self.data, part)) is not None:
            most = int(rows.max()) + 1
        if limits.max_leaf_nodes is not None:
            most = min(most, limits.max_leaf_nodes)
        if limits.max_depth is not None:
            most = min(most, 2 ** min(limits.max_depth, 62))
        return most

    def _additive(self, prices: Prices) -> Grid:
        matrix = [[0, prices.false_positive], [prices.false_negative, 0]]
        costs = np.array(matrix, dtype=np.int64)
        return Grid(self.grid.weights, costs, 1, self.grid.penalty, Fraction(1))

    def _limits(self, seconds: float | None) -> Limits:
        if self._ends is not None:
            left = self._ends - time.perf_counter()
            seconds = max(left if seconds is None else seconds, LEAST_SECONDS)
        return replace(self.options.limits, time_limit=seconds)

    def _keep(self, shape: TreeShape, *, is_needed: bool = False) -> None:
        """Keep a tree if it is better than the best so far, and what it looks like.

        Raises
        ------
        NoTimeToAskError
            When there is no time left to ask for losses, unless it `is_needed`.
        """
        leaves = masses_of(shape, self.data, self.grid)[shape.is_leaf]

        def in_time(fp: int, fn: int) -> Fraction:
            if self._ends is not None and time.perf_counter() > self._ends:
                raise NoTimeToAskError
            return self._function(fp, fn)

        loss = Monotone(self._function if is_needed else in_time).loss(leaves)
        cost = self.grid.cost_of(loss, len(leaves))
        self._trees.append(leaves)
        if cost < self.cost:
            self.best, self.cost = shape, cost

    def _add(self, took: Statistics) -> None:
        self.statistics = took if self.statistics is None else took + self.statistics

    def _report(self, point: SearchPoint) -> bool:
        """Report on the whole search while a search for sums runs."""
        assert self.report is not None
        # What is proved of sums to some depth says nothing of the caller's losses.
        told = point._replace(
            lower=self.lower,
            upper=self.cost,
            n_leaves=self.best.n_leaves,
            proved_depth=0,
            next_depth_lower=0,
        )
        return self.report(self._whole(told, self.statistics))

    def _report_fronts(self, point: SearchPoint) -> bool:
        """Report on the whole search while that over fronts runs."""
        assert self.report is not None
        return self.report(self._whole(point, self.statistics))

    def _whole(self, point: SearchPoint, before: Statistics | None) -> SearchPoint:
        """Return a state of a part as one of the whole search."""
        if point.upper > self.cost:
            point = point._replace(upper=self.cost, n_leaves=self.best.n_leaves)
        lower = min(max(point.lower, self.lower), point.upper)
        if before is None:
            return point._replace(lower=lower)
        return point._replace(
            seconds=point.seconds + before.seconds,
            lower=lower,
            subproblems=point.subproblems + before.subproblems,
        )

    def _trace(self, took: Statistics) -> None:
        """Note where the whole search is."""
        self._note(
            SearchPoint(
                *(took.seconds, min(self.lower, self.cost), self.cost),
                *(took.subproblems, took.peak_memory, self.best.n_leaves),
            )
        )

    def _note(self, point: SearchPoint) -> None:
        """Keep a state, unless neither bound has moved; they only come closer."""
        if self.trace:
            last = self.trace[-1]
            upper = min(point.upper, last.upper)
            lower = min(max(point.lower, last.lower), upper)
            if (lower, upper) == (last.lower, last.upper):
                return
            point = point._replace(lower=lower, upper=upper)
        self.trace.append(point)
