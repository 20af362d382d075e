"""Intervals: encode columns by the intervals between chosen thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import CodedMatrix, Matrix

Floats = npt.NDArray[np.float64]


class Intervals:
    """Replace each value by the number of its interval between thresholds.

    A column with k thresholds becomes one column of codes 0..k, in the same order:
    ``code <= j`` is equivalent to ``value <= thresholds[column][j]``. A column without
    thresholds becomes constant 0. The `thresholds` of each column must be ascending.

    Examples
    --------
    >>> from ostrya._guesses.intervals import Intervals
    >>> intervals = Intervals([[1.5, 4.0], []])
    >>> intervals.encode([[1, 7], [2, 7], [4, 8], [5, 9]])
    array([[0., 0.],
           [1., 0.],
           [1., 0.],
           [2., 0.]])
    """

    def __init__(self, thresholds: Iterable[Sequence[float] | Floats]) -> None:
        self.thresholds = tuple(np.array(kept, dtype=np.float64) for kept in thresholds)

    @property
    def questions(self) -> list[tuple[int, float]]:
        """All pairs of column and threshold, in order."""
        return [
            (column, threshold)
            for column, kept in enumerate(self.thresholds)
            for threshold in kept.tolist()
        ]

    def encode_matrix(self, matrix: Matrix) -> Matrix:
        """Return the codes of a matrix; categories stay a single stored column."""
        if not isinstance(matrix, CodedMatrix):
            return self.encode(matrix)
        n_rows, n_columns = matrix.shape
        n_stored = matrix.cells.shape[-1]
        cells = np.zeros((n_rows, n_stored), order="F")
        rules = np.full((2, n_columns), -1, dtype=np.int32)
        lookups: list[Floats] = []
        n_lookups = 0
        for stored in range(n_stored):
            columns = np.flatnonzero(matrix.stored == stored)
            kept = [self.thresholds[column] for column in columns]
            old = matrix.cells[:, stored]
            if not matrix.is_coded(columns):
                if len(kept[0]):
                    cells[:, stored] = np.searchsorted(kept[0], old)
                continue
            # Equal rows must have equal codes, in the order of their columns. So codes
            # that no threshold separates become one.
            values = matrix.of_codes(columns, int(old.max()) + 1)
            for place, thresholds in enumerate(kept):
                values[:, place] = np.searchsorted(thresholds, values[:, place])
            distinct, new = np.unique(values, axis=0, return_inverse=True)
            cells[:, stored] = new.reshape(-1)[old.astype(np.intp)]
            rules[1, columns] = n_lookups + len(distinct) * np.arange(len(columns))
            lookups.append(distinct.T.reshape(-1))
            n_lookups += distinct.size
        return CodedMatrix(
            cells, matrix.stored, rules[0], rules[1], np.concatenate(lookups)
        )

    def encode(self, matrix: npt.ArrayLike) -> Floats:
        """Return the codes of a matrix with the same columns."""
        values = np.asarray(matrix, dtype=np.float64)
        codes = np.zeros(values.shape, order="F")
        for column, kept in enumerate(self.thresholds):
            if len(kept):
                codes[:, column] = np.searchsorted(kept, values[:, column])
        return codes
