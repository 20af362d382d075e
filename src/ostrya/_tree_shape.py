"""TreeShape: the splits of a tree as arrays, and the leaf that each row reaches."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import ostrya._core as _core
from ostrya._coded_matrix import CodedMatrix, Matrix

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
# Rows routed at once; few enough that copies of their columns stay in the cache.
BLOCK = 16_384
# Features are int32, so every feature index is below this.
MOST_FEATURES = 2**31


class TreeShape(NamedTuple):
    """The arrays of a tree that determine the leaf of a row; see `ostrya.Tree`."""

    feature: Integers  # -1 at leaves
    threshold: Floats  # NaN at leaves
    yes: Integers  # -1 at leaves
    no: Integers  # -1 at leaves

    @classmethod
    def single_leaf(cls) -> TreeShape:
        """Return the shape of a tree with a single leaf."""
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
        """Return the rule that a tree over `n_features` columns breaks, or None."""
        return _core.rule_broken_by_shape(*self, min(n_features, MOST_FEATURES))

    def depths(self) -> Integers:
        """Return the depth of each node of a tree in preorder."""
        return _core.depths(self.feature)

    def add_up(self, of_leaves: npt.NDArray[Any]) -> Floats:
        """Return the sums for all nodes; see `RowRouter.add_up`."""
        return RowRouter(self).add_up(of_leaves)

    def leaves_of_rows(
        self, matrix: npt.NDArray[Any] | CodedMatrix, is_checked: bool = False
    ) -> npt.NDArray[np.int32]:
        """Return the leaf that each row of a matrix reaches.

        Unless `is_checked`, the values that are compared are checked to be finite.
        """
        return RowRouter(self).leaves(matrix, is_checked)


def broken_rule_of_contents(
    label: Integers, value: Floats, n_samples: npt.NDArray[np.int64]
) -> str | None:
    """Return the rule that is broken by the contents of the nodes, or None."""
    return _core.rule_broken_by_contents(label, value, n_samples)


class RowRouter:
    """A tree prepared to route rows in several batches."""

    def __init__(self, shape: TreeShape) -> None:
        self.shape = shape
        self._router = _core.Router(*shape)

    @cached_property
    def _narrow(self) -> tuple[Integers, _core.Router]:
        """The columns that the tree uses, and the tree over only these columns."""
        columns, place = np.unique(self.shape.feature, return_inverse=True)
        # The first entry is the -1 of leaves, which every tree has.
        feature = place.reshape(-1).astype(np.int32) - np.int32(1)
        return columns[1:], _core.Router(feature, *self.shape[1:])

    def leaves(
        self, matrix: npt.NDArray[Any] | CodedMatrix, is_checked: bool
    ) -> npt.NDArray[np.int32]:
        """Return the leaf that each row reaches; see `TreeShape.leaves_of_rows`."""
        leaf = np.empty(len(matrix), dtype=np.int32)
        # In batches, between which Python can handle signals.
        for start in range(0, len(matrix), BLOCK):
            part = slice(start, start + BLOCK)
            router, rows = self._ready(matrix, part)
            leaf[part] = router.find_leaves(rows, is_checked)
        return leaf

    def _ready(
        self, matrix: npt.NDArray[Any] | CodedMatrix, part: slice
    ) -> tuple[_core.Router, Floats]:
        """Return a router, and some rows in the form that it expects."""
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
        """Return the number of rows per node and class; `matrix` must be checked."""
        counts = np.zeros((self.shape.n_nodes, n_classes))
        for start in range(0, len(matrix), BLOCK):
            part = slice(start, start + BLOCK)
            router, rows = self._ready(matrix, part)
            router.count_rows(rows, codes[part], counts)
        self._router.add_up(counts)
        return counts

    def add_up(self, of_leaves: npt.NDArray[Any]) -> Floats:
        """Return numbers for all nodes, given those of leaves, by summing children.

        `of_leaves` has one row per node; the rows of splits are ignored.
        """
        sums = np.array(of_leaves, dtype=np.float64, order="C", ndmin=2)
        self._router.add_up(sums.reshape(self.shape.n_nodes, -1))
        return sums.reshape(np.shape(of_leaves))
