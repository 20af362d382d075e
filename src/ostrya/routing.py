"""Send rows down a tree, given as plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

#: The arrays of a tree that say where a row goes.
SHAPE = ("feature", "threshold", "yes", "no")

# Rows routed at a time: few enough that their masks and columns stay in the cache.
BLOCK = 16_384


def leaves_of_rows(
    shape: Mapping[str, npt.NDArray[Any]], matrix: npt.NDArray[Any]
) -> npt.NDArray[np.int32]:
    """Return the leaf that each row of a matrix reaches in a tree of this shape."""
    leaf = np.empty(len(matrix), dtype=np.int32)
    nodes = list(zip(*(shape[name].tolist() for name in SHAPE), strict=True))
    for start in range(0, len(matrix), BLOCK):
        _route(nodes, matrix[start : start + BLOCK], leaf[start : start + BLOCK])
    return leaf


def _route(
    nodes: list[tuple[int, float, int, int]],
    matrix: npt.NDArray[Any],
    leaf: npt.NDArray[np.int32],
) -> None:
    """Write the leaf of each row of `matrix` into `leaf`."""
    columns = {}
    for feature in {node[0] for node in nodes if node[0] >= 0}:
        # Thresholds are float64; narrower columns must be compared as such.
        column = np.ascontiguousarray(matrix[:, feature], dtype=np.float64)
        if np.isnan(column).any():
            raise ValueError("X holds NaN in a column the tree asks about")
        columns[feature] = column
    # A mask costs half a nanosecond a row and node, an index list ten a row and level:
    # masks win up to hundreds of leaves.
    waiting = [(0, np.ones(len(matrix), dtype=bool))]
    while waiting:
        at, here = waiting.pop()
        feature, threshold, yes, no = nodes[at]
        if feature < 0:
            np.copyto(leaf, at, where=here)
            continue
        answer = columns[feature] <= threshold
        answer &= here
        here ^= answer
        waiting.append((no, here))
        waiting.append((yes, answer))
