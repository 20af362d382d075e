"""The search for the tree of least loss for every number of leaves.

`ostrya.frontier` and `OptimalTreeClassifierCV` read tables and call it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ostrya._ctrl_c import CtrlC
from ostrya._solve.grid import Grid, to_grid
from ostrya._solve.hull import SizedLoss, hull_of
from ostrya._solve.limits import Limits
from ostrya._solve.penalty_sweep import N_PASSES, PenaltySweep, search_penalty
from ostrya._solve.ranking import Ranking
from ostrya._solve.recount import Recount, recount
from ostrya._solve.reports import in_costs
from ostrya._solve.search import (
    FrontierResult,
    SearchOptions,
    SearchResult,
    SizeBracket,
)
from ostrya._solve.settings import Settings
from ostrya._solve.size_brackets import SizeBrackets
from ostrya._solve.size_search import SizeSearch, stop_of
from ostrya._solve.training_data import TrainingData
from ostrya.exceptions import InternalError
from ostrya.results.frontier import Frontier, FrontierPoint, PenaltyInterval
from ostrya.results.outcome import FrontierStatus, Statistics
from ostrya.tree import Tree

#: Work within which small problems are proved, about ten milliseconds. Others begin
#: with good trees of all sizes instead.
FIRST_WORK = 2**24


def find_frontier(
    data: TrainingData,
    settings: Settings,
    started: float,
    ranking: Ranking | None = None,
) -> Frontier:
    """Find the best tree of every number of leaves, for data and settings checked.

    The call `started` at that time, by `time.perf_counter`: limits count from then.
    `ranking` is that of the rows, where it is known.
    """
    search = FrontierSearch(data, settings, ranking)
    search.run(started)
    return search.conclude()


class FrontierSearch:
    """The best trees of all sizes, and what is proved of them so far."""

    def __init__(
        self, data: TrainingData, settings: Settings, ranking: Ranking | None = None
    ) -> None:
        self._data = data
        self._grid = to_grid(data)
        self._largest = largest_size(data.n_samples, settings.limits)
        self._limits = replace(settings.limits, max_leaf_nodes=self._largest)
        self._options = SearchOptions(
            limits=self._limits, bounds=settings.bounds, ranking=ranking
        )
        self._report = in_costs(settings.on_progress, self._grid)
        self._sizes = SizeBrackets(data, self._grid, self._largest)
        self._status: FrontierStatus = "work_limit"
        self._took: list[Statistics] = []
        self.has_good_trees = False  # of every size: the sweep, or all proofs, are done
        self._pass_ends: list[float] = []  # seconds of the passes that were completed
        self._improved: tuple[SearchResult, Grid] | None = None

    def run(
        self, started: float, max_work: int | None = None, n_passes: int = N_PASSES
    ) -> None:
        """Find good trees of all sizes, then prove as many sizes as limits allow.

        The proofs end after `max_work`, if given. With fewer than all passes of the
        sweep, nothing is proved. The call `started` at that time, by
        `time.perf_counter`: limits on time count from then.
        """
        with CtrlC() as ctrl_c:
            options = replace(self._options, ctrl_c=ctrl_c)
            if n_passes == N_PASSES:
                # Many problems are so small that they are proved at once.
                self._search_sizes(options, started, FIRST_WORK, self._largest)
            if self._status == "work_limit":
                sweep = PenaltySweep(self._data, self._grid, self._limits, options)
                stop = sweep.run(self._sizes, started, self._report, n_passes)
                self._took += sweep.took
                self._pass_ends = sweep.pass_ends
                if stop is not None:
                    self._status = stop
            self.has_good_trees = self._status in ("optimal", "work_limit")
            if self._status == "work_limit" and n_passes == N_PASSES:
                self._search_sizes(options, started, max_work, self._largest)

    def passes_within(self, seconds: float | None) -> int:
        """Return how many passes a search of similar rows completes in this time.

        This is at least one, and all of them if the time is not limited.
        """
        if seconds is None or (self.has_good_trees and not self._pass_ends):
            return N_PASSES
        return max(sum(end <= seconds for end in self._pass_ends), 1)

    def improve(self, size: int, settings: Settings, penalty: float) -> None:
        """Look for a better tree of at most `size` leaves, and for its proof.

        All trees are searched under a leaf penalty for which this size is about the
        best one. Where the settings do not limit the effort, a search of all sizes up
        to this one follows. Limits count from now on.
        """
        if not self._is_open(size):
            return
        started = time.perf_counter()
        with CtrlC() as ctrl_c:
            options = replace(self._options, ctrl_c=ctrl_c)
            limits = replace(settings.limits, max_leaf_nodes=None)
            limits = limits.remaining(self._data.n_samples, started)
            if settings.effort is None and limits.time_limit is not None:
                limits = replace(limits, time_limit=limits.time_limit / 2)
            found, grid = search_penalty(
                self._data,
                self._grid,
                penalty / float(self._grid.unit),
                replace(options, limits=limits, effort=settings.effort),
                self._report,
            )
            self._took.append(found.statistics)
            self._status = stop_of(found.status) or self._status
            self._sizes.reach(size)
            self._sizes.offer(found.shape)
            self._sizes.raise_bounds(
                lambda n_leaves: (
                    -((grid.penalty * n_leaves - found.lower) // grid.scale)
                )
            )
            is_interrupted = found.status == "interrupted"
            if settings.effort is None and self._is_open(size) and not is_interrupted:
                self._limits = replace(
                    self._limits, time_limit=settings.limits.time_limit
                )
                self._search_sizes(options, started, None, size)
            self._improved = found, grid

    def proved_depth(self, size: int) -> int:
        """Return a depth up to which no tree of at most `size` leaves loses less.

        It is known after `improve`, and 0 before.
        """
        if self._improved is None:
            return 0
        found, grid = self._improved
        cost = grid.scale * self._sizes.at(size).upper + grid.penalty * size
        return found.proved_depth if cost <= found.upper else 0

    def conclude(self) -> Frontier:
        """Recount every tree, and report what was proved in the caller's units."""
        sizes = tuple(self._sizes.all())
        is_proved = all(bracket.lower == bracket.upper for bracket in sizes)
        status: FrontierStatus = "optimal" if is_proved else self._status
        took = sum(self._took[1:], start=self._took[0])
        result = FrontierResult(sizes, status, took)
        return _conclude(result, self._largest, self._data, self._grid)

    def _is_open(self, size: int) -> bool:
        bracket = self._sizes.at(size)
        return bracket.lower < bracket.upper

    def _search_sizes(
        self,
        options: SearchOptions,
        started: float,
        max_work: int | None,
        largest: int,
    ) -> None:
        """Search for the best trees of all sizes up to `largest`, and take them."""
        limits = replace(self._limits, max_leaf_nodes=largest)
        options = replace(options, limits=limits, max_work=max_work)
        search = SizeSearch(self._data, self._grid, limits, options)
        result = search.run(started, self._report)
        self._took.append(result.statistics)
        self._sizes.take(result.sizes, largest)
        if result.status != "optimal" or largest == self._largest:
            self._status = result.status


def largest_size(n_samples: int, limits: Limits) -> int:
    """Return the most leaves that a tree within the limits can have."""
    largest = n_samples
    if limits.max_leaf_nodes is not None:
        largest = min(largest, limits.max_leaf_nodes)
    if limits.max_depth is not None and limits.max_depth < largest.bit_length():
        largest = min(largest, 2**limits.max_depth)
    return largest


def _conclude(
    result: FrontierResult, largest: int, data: TrainingData, grid: Grid
) -> Frontier:
    """Recount every tree, and say what was proved in the caller's units."""
    trees: list[Tree] = []
    losses: list[float] = []
    counted: Recount | None = None
    for size, bracket in enumerate(result.sizes, 1):
        if counted is None or counted.cost != bracket.upper:
            counted = recount(bracket.shape, data, grid)
        _require_proof(size, bracket, counted)
        trees.append(counted.tree)
        # Smaller costs are smaller losses, whatever rounding makes of them.
        losses.append(min([counted.loss, *losses[-1:]]))
    points = [
        FrontierPoint(
            max_leaf_nodes=size,
            tree=tree,
            n_leaves=tree.n_leaves,
            loss=loss,
            lower_bound=lower,
            gap=loss - lower,
            status=_status(bracket, loss - lower, result.status),
        )
        for size, (bracket, tree, loss, lower) in enumerate(
            zip(
                *(result.sizes, trees, losses),
                _lower_bounds(result.sizes, losses, grid),
                strict=True,
            ),
            1,
        )
    ]
    sizes = [
        SizedLoss(tree.n_leaves, bracket.upper, bracket.lower)
        for tree, bracket in zip(trees, result.sizes, strict=True)
    ]
    status = result.status
    if status == "optimal" and not all(point.is_optimal for point in points):
        status = "optimal_to_rounding"
    return Frontier(
        points=tuple(points),
        hull=tuple(_intervals(points, sizes, grid)),
        max_leaf_nodes=largest,
        status=status,
        statistics=result.statistics,
    )


def _status(
    bracket: SizeBracket, gap: float, stopped: FrontierStatus
) -> FrontierStatus:
    """Return what is proved of a size, or what stopped the search."""
    if bracket.lower < bracket.upper:
        return stopped
    return "optimal" if gap == 0 else "optimal_to_rounding"


def _lower_bounds(
    sizes: Sequence[SizeBracket], losses: Sequence[float], grid: Grid
) -> list[float]:
    """Return the bounds of all sizes in the caller's units; none rises with size.

    A bound on trees of more leaves holds for those of fewer. Where it is the higher
    one, rounding made it so: losses are summed in the caller's weights.
    """
    bounds: list[float] = []
    for bracket, loss in zip(reversed(sizes), reversed(losses), strict=True):
        is_proved = bracket.lower == bracket.upper and grid.is_exact
        lower = loss if is_proved else min(grid.to_lower_bound(bracket.lower), loss)
        lower = max(lower, 0.0)
        bounds.append(max([lower, *bounds[-1:]]))
    return bounds[::-1]


def _require_proof(size: int, bracket: SizeBracket, counted: Recount) -> None:
    """Raise unless the claims about a size agree with the recount of its tree."""
    n_leaves = counted.tree.n_leaves
    is_sound = counted.cost == bracket.upper and bracket.lower <= bracket.upper
    if not is_sound or n_leaves > size:
        raise InternalError(
            f"the search for {size} leaves ended with loss {bracket.upper} and lower "
            f"bound {bracket.lower}, but its tree has {n_leaves} leaves and loss "
            f"{counted.cost}. This is a bug in Ostrya; please report it with the data "
            "and the arguments of the call"
        )


def _intervals(
    points: list[FrontierPoint], sizes: list[SizedLoss], grid: Grid
) -> Iterator[PenaltyInterval]:
    for place, least, most, is_proved in hull_of(sizes):
        point = points[place]
        yield PenaltyInterval(
            least_penalty=float(least * grid.unit),
            most_penalty=math.inf if most is None else float(most * grid.unit),
            tree=point.tree,
            n_leaves=point.n_leaves,
            loss=point.loss,
            is_optimal=is_proved and grid.is_exact,
        )
