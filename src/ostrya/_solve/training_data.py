"""TrainingData: rows, class codes, weights and costs, all checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

# How far apart the integers of a column may lie to be packed, and how many codes fit
# one column of them.
MOST_WIDTH = 2**31
MOST_CODES = 2**62


@dataclass(frozen=True, eq=False)
class TrainingData:
    """What `ostrya._solve.validation` has checked; the comments say for what."""

    X: npt.NDArray[np.float64]  # (n_samples, n_features), contiguous, finite
    codes: npt.NDArray[np.int32]  # (n_samples,), each in 0..n_classes-1
    n_classes: int
    weights: npt.NDArray[np.float64] | None  # >= 0, sum finite and > 0; None: all one
    costs: npt.NDArray[np.float64] | None  # [true, predicted], >= 0; None: 0/1
    leaf_penalty: float  # >= 0

    @property
    def n_samples(self) -> int:
        """Number of training rows."""
        return len(self.codes)

    @property
    def class_masses(self) -> npt.NDArray[np.float64]:
        """Total weight of each class; of two where there is one."""
        masses = np.bincount(self.codes, self.weights, minlength=2)
        return masses.astype(np.float64)

    def sorted_rows(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return an order that keeps equal rows together, and the runs' starts."""
        return self._sorted_rows

    @cached_property
    def _sorted_rows(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        keys = packed(self.X)
        if not keys:
            return np.arange(self.n_samples), np.zeros(1, dtype=np.intp)
        order = np.argsort(keys[0], kind="stable")
        is_new = np.concatenate([[True], np.diff(keys[0][order]) != 0])
        for key in keys[1:]:
            # Only rows that no column has told apart so far are sorted again.
            is_tied = ~(is_new & np.append(is_new[1:], True))
            places = np.flatnonzero(is_tied)
            if len(places) == 0:
                break
            rows, run = order[places], np.cumsum(is_new)[places]
            order[places] = rows[np.lexsort((key[rows], run))]
            is_new[places[1:]] |= np.diff(key[order[places]]) != 0
        return order, np.flatnonzero(is_new)

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
        )


def packed(X: npt.NDArray[np.float64]) -> list[npt.NDArray[Any]]:
    """Return few columns that tell the same rows apart as these: sorting is slow.

    Small integers, as codes of intervals are, go together into one column.

    Examples
    --------
    >>> packed(np.array([[0.0, 5.0, 0.5], [1.0, 7.0, 0.5], [1.0, 5.0, 0.5]]))
    [array([0, 5, 3])]
    """
    keys: list[npt.NDArray[Any]] = []
    key, size = np.zeros(len(X), dtype=np.int64), 1
    for column in X.T:
        low, high = float(column.min()), float(column.max())
        if low == high:
            continue
        width = high - low + 1
        if width > MOST_WIDTH or (column != np.floor(column)).any():
            keys.append(column)
            continue
        if size * int(width) > MOST_CODES:
            keys.append(key)
            key, size = np.zeros(len(X), dtype=np.int64), 1
        key = key * int(width) + (column - low).astype(np.int64)
        size *= int(width)
    return [*keys, key] if size > 1 else keys
