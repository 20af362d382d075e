"""Smaller trees: one cut back leaf by leaf, for sizes that a search did not reach."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ostrya._solve.grid import Grid
from ostrya._solve.pruning import cut, splits_upwards
from ostrya._solve.recount import masses_of
from ostrya._solve.search import SizeBracket
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape

#: Leaves of the largest tree that is cut back: it takes their square in steps.
MOST_LEAVES = 1024


def offer_smaller_trees(
    sizes: Sequence[SizeBracket], data: TrainingData, grid: Grid
) -> list[SizeBracket]:
    """Return the brackets of all sizes, with smaller upper bounds where trees give one.

    Every tree of a size that is not solved is cut back to all smaller sizes.
    """
    better = list(sizes)
    is_tried: set[int] = set()
    for bracket in sizes:
        shape = bracket.shape
        if bracket.lower == bracket.upper or id(shape) in is_tried:
            continue
        is_tried.add(id(shape))
        for smaller, loss in _cut_back(shape, data, grid):
            for place in range(smaller.n_leaves - 1, len(better)):
                if loss < better[place].upper:
                    better[place] = better[place]._replace(shape=smaller, upper=loss)
    return better


def _cut_back(
    shape: TreeShape, data: TrainingData, grid: Grid
) -> list[tuple[TreeShape, int]]:
    """Return smaller and smaller trees, each with its loss.

    Of the splits right above two leaves, the one that saves least becomes a leaf.
    """
    if not 2 < shape.n_leaves <= MOST_LEAVES:
        return []
    losses = (masses_of(shape, data, grid) @ grid.costs).min(axis=1).tolist()
    kept = ~shape.is_leaf
    saved = {
        node: losses[node] - losses[shape.yes[node]] - losses[shape.no[node]]
        for node in splits_upwards(shape)
    }
    total = sum(
        loss for loss, is_leaf in zip(losses, shape.is_leaf, strict=True) if is_leaf
    )
    trees = []
    for _ in range(shape.n_leaves - 2):
        ends = [
            node
            for node in np.flatnonzero(kept).tolist()
            if not kept[shape.yes[node]] and not kept[shape.no[node]]
        ]
        least = min(ends, key=lambda node: (saved[node], node))
        kept[least] = False
        total += saved[least]
        trees.append((cut(shape, kept), grid.scale * total))
    return trees
