"""The leaves of a tree as boxes, and which of them lie above others in a direction.

A direction of 1 or -1 is given for some columns of numbers. A leaf lies *above* another
one if some row of the other reaches it when one such column moves in its direction, and
nothing else changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ostrya._shares import as_shares
from ostrya.tree import Tree

Box = dict[int, tuple[float, float]]  # column: above the first, at most the second
_EVERYWHERE = -np.inf, np.inf


def leaf_boxes(tree: Tree) -> Iterator[tuple[int, Box]]:
    """Yield each leaf that some row reaches, with its box."""
    yield from _boxes(tree, 0, {})


def _boxes(tree: Tree, node: int, box: Box) -> Iterator[tuple[int, Box]]:
    column = int(tree.feature[node])
    if column < 0:
        yield node, box
        return
    low, high = box.get(column, _EVERYWHERE)
    threshold = float(tree.threshold[node])
    if low < threshold:
        yes = {**box, column: (low, min(high, threshold))}
        yield from _boxes(tree, int(tree.yes[node]), yes)
    if threshold < high:
        no = {**box, column: (max(low, threshold), high)}
        yield from _boxes(tree, int(tree.no[node]), no)


def is_above(box: Box, other: Box, directions: Mapping[int, int]) -> bool:
    """Return whether a box lies above another one, by moving one column."""
    return any(
        _is_reached(box, other, column, direction)
        for column, direction in directions.items()
    )


def _is_reached(box: Box, start: Box, column: int, direction: int) -> bool:
    """Return whether a row of `start` enters `box` by moving in this direction.

    Such a row exists if the boxes meet in all other columns, and if some value of this
    column in the box lies further in the direction than some value in the start.
    """
    for other in box.keys() | start.keys():
        a, b = start.get(other, _EVERYWHERE), box.get(other, _EVERYWHERE)
        if other == column:
            if not (a[0] < b[1] if direction > 0 else b[0] < a[1]):
                return False
        elif max(a[0], b[0]) >= min(a[1], b[1]):
            return False
    return True


def is_monotone(tree: Tree, directions: Mapping[int, int]) -> bool:
    """Return whether no row falls from label 1 to label 0 in a direction."""
    boxes = list(leaf_boxes(tree))
    high = [box for leaf, box in boxes if tree.label[leaf] == 1]
    low = [box for leaf, box in boxes if tree.label[leaf] == 0]
    return not any(is_above(box, other, directions) for other in high for box in low)


def with_monotone_probabilities(tree: Tree, directions: Mapping[int, int]) -> Tree:
    """Return a monotone tree with probabilities that are monotone as well.

    Shares of class 1 that break a direction are replaced by the mean of the largest
    share of the leaves below, and of the least share of those above, the leaf included.
    Both never fall in a direction, so neither does their mean, and shares that broke
    none stay what they are. The probability of the label of a leaf is at least one
    half, so that a leaf labelled against its majority is undecided.
    """
    leaves, boxes = zip(*leaf_boxes(tree), strict=True)
    places = list(leaves)
    share = as_shares(tree.value)[places, 1]
    label = tree.label[places]
    is_forced = label != tree.value[places].argmax(axis=1)
    share[is_forced] = 0.5
    above = np.eye(len(places), dtype=bool)  # [a, b]: a is above b, or the same leaf
    for a, box in enumerate(boxes):
        for b, other in enumerate(boxes):
            above[a, b] |= a != b and is_above(box, other, directions)
    for middle in range(len(places)):
        above |= np.outer(above[:, middle], above[middle])
    largest_below = np.where(above, share, 0.0).max(axis=1)
    least_above = np.where(above.T, share, 1.0).min(axis=1)
    probability = (largest_below + least_above) / 2
    kept = as_shares(tree.value)
    if np.array_equal(probability, kept[places, 1]):
        return tree
    kept[places] = np.column_stack([1 - probability, probability])
    return replace(tree, probabilities=kept)


def directions_of(
    columns: npt.NDArray[np.int8],
) -> dict[int, int]:
    """Return the columns that have a direction, with it."""
    return {int(at): int(columns[at]) for at in np.flatnonzero(columns)}
