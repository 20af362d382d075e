"""Intervals: columns cut at chosen thresholds and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Intervals:
    """Replace values by the interval between kept thresholds that holds them.

    A column with k thresholds becomes one column of codes 0..k, in the same order:
    ``code <= j`` says what ``value <= thresholds[column][j]`` says. A column without
    thresholds becomes 0 throughout.

    The `thresholds` of each column are ascending.

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
        """Each column and threshold, in order."""
        return [
            (column, threshold)
            for column, kept in enumerate(self.thresholds)
            for threshold in kept.tolist()
        ]

    def encode(self, matrix: npt.ArrayLike) -> Floats:
        """Return the codes of a matrix with the same columns."""
        values = np.asarray(matrix, dtype=np.float64)
        codes = np.zeros(values.shape, order="F")
        for column, kept in enumerate(self.thresholds):
            if len(kept):
                codes[:, column] = np.searchsorted(kept, values[:, column])
        return codes
