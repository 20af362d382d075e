"""Undo the splits of a tree that are not worth their leaves.

The engines give a leaf where a split costs the same. A tree that the caller brings is
held to the same rule before it competes: as long as some split, with all that is below
it, can become a leaf without raising the cost, it does. The tree obeys its limits on,
for it only gets smaller, and its leaves larger.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.measure_grid import MeasureGrid
from ostrya._solve.recount import masses_of
from ostrya._solve.training_data import Problem
from ostrya._tree_shape import SHAPE

Kept = npt.NDArray[np.bool_]  # True at the nodes that stay splits


def undo_idle_splits(
    shape: Mapping[str, Any], problem: Problem, grid: Grid
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of the tree without the splits that can be undone for free.

    Parameters
    ----------
    shape : mapping
        The arrays ``feature``, ``threshold``, ``yes`` and ``no`` of a tree.
    problem, grid : Problem, Grid
        The training rows, and the same in integers.
    """
    masses = masses_of(shape, problem, grid)
    if isinstance(grid, MeasureGrid):
        return _cut(shape, _worth_in_measure(shape, masses, grid))
    return _cut(shape, _worth_in_sum(shape, masses, grid))


def _worth_in_sum(
    shape: Mapping[str, Any], masses: npt.NDArray[np.int64], grid: Grid
) -> Kept:
    """Return the splits that are worth it where losses add up over leaves."""
    losses = (masses @ grid.costs).min(axis=1).tolist()
    cost = [grid.scale * loss + grid.penalty for loss in losses]  # as a leaf
    kept = np.zeros(len(cost), dtype=bool)
    for node in _splits_upwards(shape):
        below = cost[shape["yes"][node]] + cost[shape["no"][node]]
        kept[node] = below < cost[node]
        cost[node] = min(below, cost[node])
    return kept


def _worth_in_measure(
    shape: Mapping[str, Any], masses: npt.NDArray[np.int64], grid: MeasureGrid
) -> Kept:
    """Return the splits that are worth it where all leaves count together."""
    leaf = [(int(negatives), int(positives)) for negatives, positives in masses]

    def cost_of(kept: Kept) -> int:
        ends = np.flatnonzero(_reached(shape, kept) & ~kept)
        return grid.cost_of(grid.measure.loss([leaf[k] for k in ends]), len(ends))

    kept = np.asarray(shape["feature"]) >= 0
    cost = cost_of(kept)
    is_settled = False
    while not is_settled:
        is_settled = True
        for node in _splits_upwards(shape):
            fewer = kept.copy()
            fewer[node] = False
            fewer &= _reached(shape, fewer)
            if kept[node] and (less := cost_of(fewer)) <= cost:
                kept, cost, is_settled = fewer, less, False
    return kept


def _splits_upwards(shape: Mapping[str, Any]) -> list[int]:
    """Return the splits, children before their parent."""
    splits: list[int] = np.flatnonzero(np.asarray(shape["feature"]) >= 0)[::-1].tolist()
    return splits


def _reached(shape: Mapping[str, Any], kept: Kept) -> Kept:
    """Return True at the nodes with no undone split above them."""
    reached = np.zeros(len(kept), dtype=bool)
    reached[0] = True
    for node in reversed(_splits_upwards(shape)):
        if kept[node] and reached[node]:
            reached[shape["yes"][node]] = reached[shape["no"][node]] = True
    return reached


def _cut(shape: Mapping[str, Any], kept: Kept) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of the tree in which only the splits kept are left."""
    reached = _reached(shape, kept)
    place = np.cumsum(reached) - 1  # leaving nodes out keeps the others in preorder
    feature, threshold, yes, no = (np.asarray(shape[name]) for name in SHAPE)
    return {
        "feature": np.where(kept, feature, -1)[reached],
        "threshold": np.where(kept, threshold, np.nan)[reached],
        "yes": np.where(kept, place[yes], -1)[reached],
        "no": np.where(kept, place[no], -1)[reached],
    }
