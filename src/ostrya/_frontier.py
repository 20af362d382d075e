"""Find the tree of least loss for every number of leaves, and prove each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from ostrya._ctrl_c import CtrlC
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.grid import Grid, to_grid
from ostrya._solve.hull import SizedLoss, hull_of
from ostrya._solve.limits import Limits
from ostrya._solve.penalty_sweep import PenaltySweep, search_penalty
from ostrya._solve.ranking import Ranking
from ostrya._solve.recount import Recount, recount
from ostrya._solve.reports import in_costs
from ostrya._solve.search import FrontierResult, SearchOptions, SizeBracket
from ostrya._solve.settings import Settings, check_settings
from ostrya._solve.size_brackets import SizeBrackets
from ostrya._solve.size_search import SizeSearch, stop_of
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import check_data, refuse_auto
from ostrya.exceptions import InternalError
from ostrya.outcome import FrontierStatus, Progress, Statistics
from ostrya.trade_off import Frontier, FrontierPoint, PenaltyInterval
from ostrya.tree import Tree

#: Work within which small problems are proved, about ten milliseconds. Others begin
#: with good trees of all sizes instead.
FIRST_WORK = 2**24


def frontier(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    max_leaves: int | None = 16,
    max_depth: int | None = None,
    min_samples_leaf: int = 1,
    sample_weight: npt.ArrayLike | None = None,
    class_weight: Any = None,
    cost_matrix: npt.ArrayLike | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
) -> Frontier:
    """Find the decision tree of least loss for every number of leaves.

    One search proves, for each h from 1 to `max_leaves`, which tree of at most h leaves
    loses least on the training rows. The trees that are best for some ``leaf_penalty``
    are told with the penalties for which they are: no penalty has to be guessed.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Finite numbers (bool, int or float), as in `ostrya.solve`.
    y : array-like of int, shape (n_samples,)
        Class codes 0, 1, ..., K - 1.
    max_leaves : int, default=16
        Most leaves of the largest trees. None: as many as the other limits allow.
    max_depth : int, default=None
        Most questions asked of a row; a lone leaf has depth 0. None: no limit.
    min_samples_leaf : int, default=1
        Fewest training rows in a leaf, counted without weights. A lone leaf is
        always allowed.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights >= 0, not all 0. None: all 1.
    class_weight : dict or "balanced", default=None
        Factor >= 0 for each class code, 1 for codes left out. "balanced":
        ``n_samples / (K * rows of the class)``, over the K classes present.
    cost_matrix : array-like of shape (K, K), default=None
        Cost >= 0 of each ``[true class, predicted class]``. None: 1 where they differ.
    time_limit : float, default=None
        Seconds until the search stops with what it has.
    memory_limit : int, default=None
        Bytes the whole process may hold, at least 32 MiB. None: half of the memory of
        the machine or container; 4 GiB where the system does not say.
    on_progress : callable, default=None
        Called with a `Progress` at once and then about every 0.1 s; returning True
        stops the search. Its ``objective`` and ``lower_bound`` are the loss and the
        bound of the size that is searched, its ``n_leaves`` are those of the best tree
        of that size.

    Returns
    -------
    Frontier
        The trees, their losses, and what was proved of each. Running out of a limit,
        or Ctrl-C, ends the search with what is proved so far and brackets for the
        rest.

    Raises
    ------
    TypeError, ValueError
        When an argument is of the wrong kind or outside its range.
    InternalError
        When a result fails its final recount.

    See Also
    --------
    ostrya.solve : The best tree for one penalty.

    Examples
    --------
    >>> import ostrya
    >>> X = [[1], [2], [3], [4], [5], [6], [7], [8]]
    >>> frontier = ostrya.frontier(X, [0, 0, 0, 1, 1, 0, 1, 1])
    >>> for point in frontier.points:
    ...     print(point.max_leaves, point.loss, point.status)
    1 0.5 optimal
    2 0.125 optimal
    3 0.125 optimal
    4 0.0 optimal
    >>> for each in frontier.hull:
    ...     print(each.n_leaves, each.least_penalty, each.most_penalty)
    1 0.375 inf
    2 0.0625 0.375
    4 0.0 0.0625
    """
    started = time.perf_counter()
    monitor = FitMonitor(time_limit, on_progress)
    monitor.report("preparing")
    data = check_data(X, y, sample_weight, class_weight, cost_matrix, 0.0)
    monitor.report("preparing")
    refuse_auto(max_depth)
    settings = check_settings(
        data,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_leaf=min_samples_leaf,
        time_limit=monitor.time_limit,
        memory_limit=memory_limit,
        on_progress=monitor.on_progress,
    )
    return find_frontier(data, settings, started)


def find_frontier(
    data: TrainingData,
    settings: Settings,
    started: float,
    ranking: Ranking | None = None,
) -> Frontier:
    """Do what `frontier` does, with arguments that are checked.

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
        self._limits = replace(settings.limits, max_leaves=self._largest)
        self._options = SearchOptions(
            limits=self._limits, bounds=settings.bounds, ranking=ranking
        )
        self._report = in_costs(settings.on_progress, self._grid)
        self._sizes = SizeBrackets(data, self._grid, self._largest)
        self._status: FrontierStatus = "work_limit"
        self._took: list[Statistics] = []
        self.has_good_trees = False  # of every size: the sweep, or all proofs, are done

    def run(self, started: float, max_work: int | None = None) -> None:
        """Find good trees of all sizes, then prove as many sizes as limits allow.

        The proofs end after `max_work`, if given. The call `started` at that time, by
        `time.perf_counter`: limits on time count from then.
        """
        with CtrlC() as ctrl_c:
            options = replace(self._options, ctrl_c=ctrl_c)
            # Many problems are so small that they are proved at once.
            self._search_sizes(options, started, FIRST_WORK, self._largest)
            if self._status == "work_limit":
                sweep = PenaltySweep(self._data, self._grid, self._limits, options)
                stop = sweep.run(self._sizes, started, self._report)
                self._took += sweep.took
                if stop is not None:
                    self._status = stop
            self.has_good_trees = self._status in ("optimal", "work_limit")
            if self._status == "work_limit":
                self._search_sizes(options, started, max_work, self._largest)

    def improve(self, size: int, settings: Settings, penalty: float) -> int:
        """Look for a better tree of at most `size` leaves, and for its proof.

        All trees are searched under a leaf penalty for which this size is about the
        best one. Where the settings do not limit the effort, a search of all sizes up
        to this one follows. Limits count from now on.

        Returns
        -------
        int
            No tree of at most this depth, and of at most `size` leaves, loses less.
        """
        if not self._is_open(size):
            return 0
        started = time.perf_counter()
        with CtrlC() as ctrl_c:
            options = replace(self._options, ctrl_c=ctrl_c)
            limits = replace(settings.limits, max_leaves=None)
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
        limits = replace(self._limits, max_leaves=largest)
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
    if limits.max_leaves is not None:
        largest = min(largest, limits.max_leaves)
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
            max_leaves=size,
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
        max_leaves=largest,
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
            f"bound {bracket.lower}, but its tree has {n_leaves} leaves and loses "
            f"{counted.cost}; this is a mistake of ostrya, please report it with the "
            "data and the arguments of the call"
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
