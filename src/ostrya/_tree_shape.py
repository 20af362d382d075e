"""Send rows down a tree, given as plain arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

#: The arrays of a tree that say where a row goes.
SHAPE = ("feature", "threshold", "yes", "no")

# Rows routed at a time: few enough that their masks and columns stay in the cache.
BLOCK = 16_384


def leaves_of_rows(
    shape: Mapping[str, npt.NDArray[Any]],
    matrix: npt.NDArray[Any],
    is_checked: bool = False,
) -> npt.NDArray[np.int32]:
    """Return the leaf that each row of a matrix reaches in a tree of this shape.

    A matrix that is not known to hold finite float64 numbers is checked on the way.
    """
    leaf = np.zeros(len(matrix), dtype=np.int32)
    nodes = list(zip(*(shape[name].tolist() for name in SHAPE), strict=True))
    for start in range(0, len(matrix), BLOCK):
        rows = slice(start, start + BLOCK)
        columns = _columns(nodes, matrix[rows], is_checked)
        _route(nodes, columns, leaf[rows])
    return leaf


def _columns(
    nodes: list[tuple[int, float, int, int]],
    matrix: npt.NDArray[Any],
    is_checked: bool,
) -> dict[int, npt.NDArray[np.float64]]:
    """Return the columns that are asked about, ready to be compared."""
    columns = {}
    asked = Counter(feature for feature, *_ in nodes if feature >= 0)
    for feature, times in asked.items():
        column = matrix[:, feature]
        if times > 1 or not is_checked:
            # Thresholds are float64; narrower columns must be compared as such.
            column = np.ascontiguousarray(column, dtype=np.float64)
        if not is_checked and np.isnan(column.min()):  # NaN if any of them is
            raise ValueError("X holds NaN in a column the tree asks about")
        columns[feature] = column
    return columns


def _route(
    nodes: list[tuple[int, float, int, int]],
    columns: dict[int, npt.NDArray[np.float64]],
    leaf: npt.NDArray[np.int32],
) -> None:
    """Add the leaf of each row to `leaf`, which is all zero."""
    # A mask costs half a nanosecond a row and node, an index list ten a row and level:
    # masks win up to hundreds of leaves.
    waiting = [(0, np.ones(len(leaf), dtype=bool))]
    while waiting:
        at, here = waiting.pop()
        feature, threshold, yes, no = nodes[at]
        if feature < 0:
            leaf += here * np.int32(at)  # a masked copy takes four times as long
            continue
        answer = columns[feature] <= threshold
        answer &= here
        here ^= answer
        waiting.append((no, here))
        waiting.append((yes, answer))
