"""The compiled engines, with their arguments and results typed."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

import ostrya._core as _core
from ostrya._coded_matrix import Matrix
from ostrya._ctrl_c import CtrlC
from ostrya._solve import checkpoint
from ostrya._solve.checkpoint import Checkpoint
from ostrya._solve.grid import Grid
from ostrya._solve.limits import Limits
from ostrya._solve.measure_grid import (
    IntegerFScore,
    IntegerMonotone,
    IntegerRocArea,
    MeasureGrid,
)
from ostrya._solve.ranking import Ranking
from ostrya._solve.root_part import SplitTable
from ostrya._solve.search import Report, SearchOptions, SearchPoint, SearchResult
from ostrya._solve.training_data import TrainingData, engine_rows
from ostrya._tree_shape import TreeShape
from ostrya.bounds import Bounds, LeafSetBounds
from ostrya.results.outcome import Statistics, Status

Switched = TypeVar("Switched", _core.Bounds, _core.LeafSetBounds)
# Converting the points of a short search must take no noticeable time.
_numbers_of = attrgetter(*SearchPoint._fields)


def search_columns(
    data: TrainingData, grid: Grid, options: SearchOptions, report: Report | None = None
) -> SearchResult:
    """Search by dynamic programming for the tree of least additive cost."""
    ranked = options.top_k
    file = options.checkpoint
    options.ctrl_c.keep()
    try:
        found = _core.solve(
            *_problem(data, grid),
            _core.Options(
                _limits(options.limits),
                upper=options.upper,
                reference=options.reference,
                bounds=_switched(_core.Bounds(), options.bounds),
                top_k=None if ranked is None else _core.TopK(**ranked._asdict()),
                effort=options.effort,
                max_work=options.max_work,
                n_threads=options.n_jobs,
                checkpoint=None if file is None else _checkpoint(file),
                hand_over=options.hand_over,
                part=None if options.part is None else options.part.to_engine(),
                optimum=options.optimum,
                gains=grid.gains,
            ),
            _callback(report),
            options.ctrl_c.is_pressed,
        )
    except _core.SavedFactsError as error:
        assert file is not None
        raise file.refuse(str(error)) from None
    return _typed(found, options)


def _problem(
    data: TrainingData, grid: Grid
) -> tuple[
    npt.NDArray[np.float64] | _core.CodedRows,
    npt.NDArray[np.int32],
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    int,
    int,
]:
    """Return the arguments that all engines share."""
    return (
        *(engine_rows(data.X), data.codes, grid.weights),
        *(grid.costs, grid.scale, grid.penalty),
    )


def _checkpoint(file: Checkpoint) -> _core.Checkpoint:
    return _core.Checkpoint(
        *(file.facts, file.write, checkpoint.SECONDS),
        *(file.told, file.tell, file.most_told_bytes),
    )


def search_sizes(
    data: TrainingData,
    grid: Grid,
    options: SearchOptions,
    *,
    first: int,
    loss: int,
    report: Report | None = None,
) -> list[SearchResult]:
    """Search for the tree of least cost for every number of leaves, from `first` on.

    The best tree of fewer leaves has this `loss`; none of them costs less than the
    upper bound of the options. The status is "upper_bound" where no tree of a size
    costs less than all smaller ones.
    """
    ranking = options.ranking
    options.ctrl_c.keep()
    found = _core.solve_sizes(
        *_problem(data, grid),
        _core.Options(
            _limits(options.limits),
            upper=options.upper,
            bounds=_switched(_core.Bounds(), options.bounds),
            max_work=options.max_work,
            ranking=None if ranking is None else _core.Ranking(*ranking),
        ),
        first,
        loss,
        _callback(report),
        options.ctrl_c.is_pressed,
    )
    return [_typed(each, options) for each in found]


def search_leaf_sets(
    data: TrainingData, grid: Grid, options: SearchOptions, report: Report | None = None
) -> SearchResult:
    """Search over sets of leaves for the tree of least cost, additive or not."""
    options.ctrl_c.keep()
    found = _core.solve_leaf_sets(
        *_problem(data, grid),
        _core.LeafSetOptions(
            _limits(options.limits),
            upper=options.upper,
            policy=options.policy,
            bounds=_switched(_core.LeafSetBounds(), options.bounds),
        ),
        _measure(grid),
        _callback(report),
        options.ctrl_c.is_pressed,
    )
    return _typed(found, options)


def search_fronts(
    data: TrainingData,
    grid: Grid,
    options: SearchOptions,
    measure: IntegerMonotone,
    *,
    lower: int,
    shift: int,
    report: Report | None = None,
) -> SearchResult:
    """Search over fronts for the tree of least cost under a loss of the caller's own.

    The costs of the grid are prices of errors; a tree cheaper than the upper bound
    costs at least its priced cost plus `shift`, and none costs less than `lower`.
    """
    options.ctrl_c.keep()
    found = _core.solve_fronts(
        *(engine_rows(data.X), data.codes, grid.weights, grid.costs, grid.penalty),
        _core.FrontOptions(
            _limits(options.limits), upper=options.upper, lower=lower, shift=shift
        ),
        _core.Monotone(*measure),
        _callback(report),
        options.ctrl_c.is_pressed,
    )
    return _typed(found, options)


def count_trees(
    data: TrainingData,
    grid: Grid,
    limits: Limits,
    *,
    optimum: int,
    most: int,
    trivial_splits: bool,
    ctrl_c: CtrlC,
) -> _core.RashomonTrees:
    """Count all trees that cost at most `most`, in the order of their cost."""
    ctrl_c.keep()
    return _core.RashomonTrees(
        *_problem(data, grid),
        _limits(limits),
        optimum,
        most,
        trivial_splits,
        is_interrupted=ctrl_c.is_pressed,
    )


def search_constrained(
    data: TrainingData,
    grid: Grid,
    options: SearchOptions,
    *,
    directions: list[int],
    groups: list[list[int]],
    lower: int,
    effort: int | None = None,
    report: Report | None = None,
) -> tuple[SearchResult, npt.NDArray[np.int32]]:
    """Search for the tree of least cost under constraints; also returns its labels.

    `lower` is a bound of all trees. After `effort` nanoseconds of counted work, a proof
    for small depths is enough. The others are those of `TreeConstraints`.
    """
    options.ctrl_c.keep()
    found, labels = _core.solve_constrained(
        *_problem(data, grid),
        _limits(options.limits),
        directions,
        groups,
        lower,
        effort,
        _callback(report),
        options.ctrl_c.is_pressed,
    )
    return _typed(found, options), np.array(labels, dtype=np.int32)


def rank_rows(X: Matrix, limits: Limits, ctrl_c: CtrlC) -> Ranking | None:
    """Return what searches of these rows can share; None: stopped before that."""
    found = _core.rank_rows(engine_rows(X), _limits(limits), ctrl_c.is_pressed)
    return None if found is None else Ranking(*found)


def equal_rows(
    data: TrainingData, seconds: float | None
) -> npt.NDArray[np.int32] | None:
    """Return a number for each row, the same for equal rows; None: time was over."""
    return _core.number_rows(engine_rows(data.X), seconds)


def _limits(limits: Limits) -> _core.Limits:
    return _core.Limits(
        max_depth=limits.max_depth,
        max_leaf_nodes=limits.max_leaf_nodes,
        min_samples_leaf=limits.min_samples_leaf,
        time_limit=limits.time_limit,
        memory_limit=limits.memory_limit,
    )


def _switched(target: Switched, bounds: Bounds | LeafSetBounds) -> Switched:
    """Return the engine's bounds, all on, with those off that are off in ours."""
    for name, is_on in vars(bounds).items():
        if not is_on:
            getattr(target, name).is_on = False
    return target


def _measure(
    grid: Grid,
) -> _core.Additive | _core.RocArea | _core.FScore | _core.Monotone:
    measure = grid.in_integers if isinstance(grid, MeasureGrid) else None
    if isinstance(measure, IntegerRocArea):
        return _core.RocArea(*measure)
    if isinstance(measure, IntegerFScore):
        return _core.FScore(*measure)
    if isinstance(measure, IntegerMonotone):
        return _core.Monotone(*measure)
    return _core.Additive()


def _callback(report: Report | None) -> Callable[[_core.TracePoint], bool] | None:
    return None if report is None else lambda point: report(_point(point))


def _point(point: _core.TracePoint) -> SearchPoint:
    return SearchPoint._make(_numbers_of(point))


def _typed(found: _core.Result, options: SearchOptions) -> SearchResult:
    options.ctrl_c.has_searched(was_interrupted=found.status == "interrupted")
    took = found.statistics
    return SearchResult(
        shape=TreeShape(found.feature, found.threshold, found.yes, found.no),
        lower=found.lower,
        upper=found.upper,
        status=cast(Status, found.status),
        trace=tuple(_point(point) for point in found.trace),
        statistics=Statistics(
            subproblems=took.subproblems,
            memo_entries=took.memo_entries,
            memo_hits=took.memo_hits,
            first_scans=took.first_scans,
            pair_rows=took.pair_rows,
            seconds=took.seconds,
            peak_memory=took.peak_memory,
            n_groups=took.n_groups,
            n_columns=took.n_columns,
            n_thresholds=took.n_thresholds,
            instruction_set=_core.instruction_set(),
            work=took.work,
        ),
        proved_depth=found.proved_depth,
        splits=None if found.splits is None else SplitTable.copied(found.splits),
    )
