"""TreeShape: the questions of a tree as plain arrays, and the leaf of each row."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import ostrya._core as _core
from ostrya._coded_matrix import CodedMatrix, Matrix

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
# Rows routed at a time: few enough that copies of their columns stay in the cache.
BLOCK = 16_384
# Features are int32, so none reaches this.
MOST_FEATURES = 2**31


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

    def broken_rule(self, n_features: int) -> str | None:
        """Return the rule of a tree over so many columns that is broken, if any is."""
        return _core.rule_broken_by_shape(*self, min(n_features, MOST_FEATURES))

    def depths(self) -> Integers:
        """Return the depth of each node of a tree in preorder."""
        return _core.depths(self.feature)

    def add_up(self, of_leaves: npt.NDArray[Any]) -> Floats:
        """Return the numbers of all nodes; see `RowRouter.add_up`."""
        return RowRouter(self).add_up(of_leaves)

    def leaves_of_rows(
        self, matrix: npt.NDArray[Any] | CodedMatrix, is_checked: bool = False
    ) -> npt.NDArray[np.int32]:
        """Return the leaf that each row of a matrix reaches.

        A matrix that is not known to hold finite float64 numbers is checked on the way.
        """
        return RowRouter(self).leaves(matrix, is_checked)


def broken_rule_of_contents(
    label: Integers, value: Floats, n_samples: npt.NDArray[np.int64]
) -> str | None:
    """Return the rule that is broken by what the nodes of a tree hold, if any is."""
    return _core.rule_broken_by_contents(label, value, n_samples)


class RowRouter:
    """A tree made ready for rows that come in several parts."""

    def __init__(self, shape: TreeShape) -> None:
        self.shape = shape
        self._router = _core.Router(*shape)

    @cached_property
    def _narrow(self) -> tuple[Integers, _core.Router]:
        """The columns asked about, and the tree over these columns alone."""
        columns, place = np.unique(self.shape.feature, return_inverse=True)
        # The first is the -1 of leaves, and every tree has leaves.
        feature = place.reshape(-1).astype(np.int32) - np.int32(1)
        return columns[1:], _core.Router(feature, *self.shape[1:])

    def leaves(
        self, matrix: npt.NDArray[Any] | CodedMatrix, is_checked: bool
    ) -> npt.NDArray[np.int32]:
        """Return the leaf that each row reaches; see `TreeShape.leaves_of_rows`."""
        leaf = np.empty(len(matrix), dtype=np.int32)
        # In parts, between which Python hears of signals.
        for start in range(0, len(matrix), BLOCK):
            part = slice(start, start + BLOCK)
            router, rows = self._ready(matrix, part)
            leaf[part] = router.find_leaves(rows, is_checked)
        return leaf

    def _ready(
        self, matrix: npt.NDArray[Any] | CodedMatrix, part: slice
    ) -> tuple[_core.Router, Floats]:
        """Return some rows as a router takes them, and the router."""
        if isinstance(matrix, CodedMatrix):
            columns, router = self._narrow
            return router, matrix.columns(columns, part)
        rows = matrix[part]
        if rows.dtype == np.float64 and rows.flags.aligned:
            return self._router, rows
        # Thresholds are float64; narrower columns must be compared as such.
        columns, router = self._narrow
        return router, np.asarray(rows[:, columns], dtype=np.float64)

    def count(self, matrix: Matrix, codes: Integers, n_classes: int) -> Floats:
        """Return the rows of each class in each node, of a matrix that is checked."""
        counts = np.zeros((self.shape.n_nodes, n_classes))
        for start in range(0, len(matrix), BLOCK):
            part = slice(start, start + BLOCK)
            router, rows = self._ready(matrix, part)
            router.count_rows(rows, codes[part], counts)
        self._router.add_up(counts)
        return counts

    def add_up(self, of_leaves: npt.NDArray[Any]) -> Floats:
        """Return the numbers of all nodes, given those of leaves: sums of children.

        `of_leaves` has one row per node; what stands at splits is not read.
        """
        sums = np.array(of_leaves, dtype=np.float64, order="C", ndmin=2)
        self._router.add_up(sums.reshape(self.shape.n_nodes, -1))
        return sums.reshape(np.shape(of_leaves))
