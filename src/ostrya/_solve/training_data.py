"""TrainingData: rows, class codes, weights and costs, all checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

import ostrya._core as _core
from ostrya._coded_matrix import CodedMatrix, Matrix, count_values

#: Which rows: their places, a flag for each, or a stretch of them.
Rows = npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_] | slice


def engine_rows(X: Matrix) -> npt.NDArray[np.float64] | _core.CodedRows:
    """Return a matrix as the engines take it."""
    if not isinstance(X, CodedMatrix):
        return X
    return _core.CodedRows(X.cells, X.stored, X.level, X.lookup, X.lookups)


@dataclass(frozen=True, eq=False)
class TrainingData:
    """What `ostrya._solve.validation` has checked; the comments say for what."""

    X: Matrix  # (n_samples, n_features), contiguous, finite
    codes: npt.NDArray[np.int32]  # (n_samples,), each in 0..n_classes-1
    n_classes: int
    # >= 0, sum finite and > 0; None: all one, or in the grid alone, as in a `part`
    weights: npt.NDArray[np.float64] | None
    costs: npt.NDArray[np.float64] | None  # [true, predicted], >= 0; None: 0/1
    leaf_penalty: float  # >= 0; what "auto" stands for
    counts: npt.NDArray[np.int64] | None = None  # rows that each stands for; None: one
    # (n_samples, n_classes), of each class on each row. The codes are then the cheapest
    # classes, and `costs` is None. None: a row costs what its class and `costs` say.
    row_costs: npt.NDArray[np.float64] | None = None

    @property
    def n_samples(self) -> int:
        """Number of training rows."""
        return len(self.codes)

    @property
    def class_masses(self) -> npt.NDArray[np.float64]:
        """Total weight of each class; of two where there is one."""
        masses = np.bincount(self.codes, self.weights, minlength=2)
        return masses.astype(np.float64)

    def n_thresholds(self) -> int:
        """Return the number of thresholds between the values of all columns."""
        return int((count_values(self.X) - 1).sum())

    def sorted_rows(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return an order that keeps equal rows together, and the runs' starts."""
        number = _core.number_rows(engine_rows(self.X))
        assert number is not None  # it had all the time it wanted
        order = np.argsort(number, kind="stable")
        return order, np.flatnonzero(np.diff(number[order], prepend=-1))

    def part(self, rows: Rows) -> TrainingData:
        """Return some of the rows, for a search whose grid has their weights."""
        X, codes = self.X[rows], self.codes[rows]
        return replace(self, X=X, codes=codes, weights=None, counts=None)

    def without_weightless_rows(self) -> TrainingData:
        """Return the data without the rows of weight 0."""
        if self.weights is None or self.weights.all():
            return self
        kept = self.weights > 0
        return replace(
            self,
            X=self.X[kept],
            codes=self.codes[kept],
            weights=self.weights[kept],
            counts=None if self.counts is None else self.counts[kept],
        )
