"""Searches under a callable, repeated until rounding hides no better tree.

Losses are rounded down to units of a grid. The tree that a search proves optimal may
therefore lose up to one unit more than another. The grid is then moved so that the loss
of this tree is a whole number of units, and a second search looks for trees that cost
less. If there are none, no tree loses less, however little. Losses that are whole
numbers of units, such as integers, need no second search.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ostrya._solve.conclusion import keep_start
from ostrya._solve.limits import LEAST_SECONDS
from ostrya._solve.measure_grid import MeasureGrid
from ostrya._solve.multiples import written_ratio
from ostrya._solve.recount import Recount, exact_loss
from ostrya._solve.search import SearchOptions, SearchResult
from ostrya._solve.training_data import TrainingData
from ostrya.results.outcome import is_settled

#: One search on a grid.
Search = Callable[[MeasureGrid, SearchOptions], SearchResult]


def search_anchored(
    search: Search,
    data: TrainingData,
    grid: MeasureGrid,
    options: SearchOptions,
    start: Recount | None,
) -> tuple[SearchResult, MeasureGrid]:
    """Return the result of the last search, and the grid that it was made on.

    `start` is the warm start, which may be the best tree.
    """
    started = time.perf_counter()
    result = search(grid, options)
    if start is not None:
        result = keep_start(result, start, "optimal")
    while result.status == "optimal" and _may_hide_better(result, data, grid):
        loss, n_leaves = exact_loss(result.shape, data, grid)
        grid = grid.anchored_at(loss)
        cost = grid.cost_of(loss, n_leaves)
        limits = options.limits
        if limits.time_limit is not None:
            left = limits.time_limit - (time.perf_counter() - started)
            limits = replace(limits, time_limit=max(left, LEAST_SECONDS))
        again = search(grid, replace(options, limits=limits, upper=cost))
        result = _combined(result, again, cost)
    return result, grid


def _may_hide_better(
    result: SearchResult, data: TrainingData, grid: MeasureGrid
) -> bool:
    """Return whether a tree of the same cost may have a smaller objective."""
    if grid.has_rounded or grid.leaf_penalty != written_ratio(data.leaf_penalty):
        return False  # another search would not change that
    loss, _ = exact_loss(result.shape, data, grid)
    return ((loss - grid.least) * grid.resolution).denominator > 1


def _combined(before: SearchResult, again: SearchResult, cost: int) -> SearchResult:
    """Return what two searches prove; the tree of the first now has this cost.

    The first search rules out all costs below its own, which is one less.
    """
    shape, upper = before.shape, cost
    if again.upper < cost:
        shape, upper = again.shape, again.upper
    lower = min(max(again.lower, before.lower), upper)
    status = again.status
    if lower == upper:
        status = "optimal"
    elif not is_settled(status):
        status = "optimal_to_rounding"
    statistics = again.statistics + before.statistics
    last = before.trace[-1]._replace(
        seconds=statistics.seconds,
        lower=lower,
        upper=upper,
        subproblems=statistics.subproblems,
        n_leaves=shape.n_leaves,
    )
    trace = (*before.trace, last)
    return SearchResult(shape, lower, upper, status, trace, statistics)
