"""Pruning: splits of a tree that are not worth their leaves become leaves.

The engines give a leaf where a split costs the same. A warm start is held to the same
rule before it competes: as long as some split, with all that is below it, can become a
leaf without raising the cost, it does. It still obeys the limits, for it only gets
smaller, and its leaves larger.
"""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.measure_grid import MeasureGrid
from ostrya._solve.recount import losses_of, masses_of
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape

Kept = npt.NDArray[np.bool_]  # True at the nodes that stay splits


def prune(
    shape: TreeShape, data: TrainingData, grid: Grid, ends: float | None = None
) -> TreeShape:
    """Return the tree without the splits that can be pruned at no cost.

    Where that has to end at some time, by `time.perf_counter`, some may be left.
    """
    if isinstance(grid, MeasureGrid):
        masses = masses_of(shape, data, grid)
        return cut(shape, _worth_in_measure(shape, masses, grid, ends))
    return cut(shape, _worth_in_sum(shape, losses_of(shape, data, grid), grid))


def _worth_in_sum(
    shape: TreeShape, of_labels: npt.NDArray[np.int64], grid: Grid
) -> Kept:
    """Return the splits that are worth it where losses add up over leaves."""
    losses = of_labels.min(axis=1).tolist()
    cost = [grid.scale * loss + grid.penalty for loss in losses]  # as a leaf
    kept = np.zeros(len(cost), dtype=bool)
    for node in splits_upwards(shape):
        below = cost[shape.yes[node]] + cost[shape.no[node]]
        kept[node] = below < cost[node]
        cost[node] = min(below, cost[node])
    return kept


def _worth_in_measure(
    shape: TreeShape,
    masses: npt.NDArray[np.int64],
    grid: MeasureGrid,
    ends: float | None,
) -> Kept:
    """Return the splits that are worth it where all leaves count together."""

    def cost_of(is_end: Kept) -> int:
        leaves = masses[is_end]
        return grid.cost_of(grid.measure.loss(leaves), len(leaves))

    # A subtree of so many leaves stands together in preorder.
    n_below = (2 * shape.add_up(shape.is_leaf) - 2).astype(np.intp).tolist()
    is_end, kept = shape.is_leaf, ~shape.is_leaf
    cost = cost_of(is_end)
    is_settled = False
    while not is_settled:
        is_settled = True
        for node in splits_upwards(shape):
            if not kept[node]:
                continue
            if ends is not None and time.perf_counter() > ends:
                return kept
            below = slice(node + 1, node + 1 + n_below[node])
            pruned = is_end.copy()
            pruned[node], pruned[below] = True, False
            if (less := cost_of(pruned)) <= cost:
                kept[node : below.stop] = False
                is_end, cost, is_settled = pruned, less, False
    return kept


def splits_upwards(shape: TreeShape) -> list[int]:
    """Return the splits, children before their parent."""
    splits: list[int] = np.flatnonzero(~shape.is_leaf)[::-1].tolist()
    return splits


def _reached(shape: TreeShape, kept: Kept) -> Kept:
    """Return True at the nodes with no pruned split above them."""
    reached = np.zeros(len(kept), dtype=bool)
    reached[0] = True
    for node in reversed(splits_upwards(shape)):
        if kept[node] and reached[node]:
            reached[shape.yes[node]] = reached[shape.no[node]] = True
    return reached


def cut(shape: TreeShape, kept: Kept) -> TreeShape:
    """Return the tree in which only the splits kept are left."""
    reached = _reached(shape, kept)
    place = np.cumsum(reached) - 1  # leaving nodes out keeps the others in preorder
    return TreeShape(
        np.where(kept, shape.feature, -1)[reached],
        np.where(kept, shape.threshold, np.nan)[reached],
        np.where(kept, place[shape.yes], -1)[reached],
        np.where(kept, place[shape.no], -1)[reached],
    )
