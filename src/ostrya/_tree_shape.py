"""TreeShape: the questions of a tree as plain arrays, and the leaf of each row."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
# Rows routed at a time: few enough that their masks and columns stay in the cache.
BLOCK = 16_384
_Node = tuple[int, float, int, int]


class TreeShape(NamedTuple):
    """The arrays of a tree that say where a row goes; see `ostrya.Tree`."""

    feature: Integers  # -1 at leaves
    threshold: Floats  # NaN at leaves
    yes: Integers  # -1 at leaves
    no: Integers  # -1 at leaves

    @classmethod
    def lone_leaf(cls) -> TreeShape:
        """Return the shape of the tree that asks nothing."""
        none = np.array([-1], dtype=np.int32)
        return cls(none, np.array([np.nan]), none, none)

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return (self.n_nodes + 1) // 2

    @property
    def is_leaf(self) -> npt.NDArray[np.bool_]:
        """True at leaves."""
        return self.feature < 0

    def leaves_of_rows(
        self, matrix: npt.NDArray[Any], is_checked: bool = False
    ) -> npt.NDArray[np.int32]:
        """Return the leaf that each row of a matrix reaches.

        A matrix that is not known to hold finite float64 numbers is checked on the way.
        """
        leaf = np.zeros(len(matrix), dtype=np.int32)
        nodes: list[_Node] = list(zip(*(a.tolist() for a in self), strict=True))
        for start in range(0, len(matrix), BLOCK):
            rows = slice(start, start + BLOCK)
            columns = _columns(nodes, matrix[rows], is_checked)
            _route(nodes, columns, leaf[rows])
        return leaf


def _columns(
    nodes: list[_Node], matrix: npt.NDArray[Any], is_checked: bool
) -> dict[int, Floats]:
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
    nodes: list[_Node], columns: dict[int, Floats], leaf: npt.NDArray[np.int32]
) -> None:
    """Add the leaf of each row to `leaf`, which is all zero."""
    # A mask costs half a nanosecond per row and node, an index list ten per row and
    # level: masks win up to hundreds of leaves.
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
