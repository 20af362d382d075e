"""TrainingTable: a table and its labels, as a fit has them once they are checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.encoder import TableEncoder


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """A table, encoded, labelled and weighed.

    Attributes
    ----------
    raw : array or dataframe
        What was given, without rows of weight 0.
    encoder : TableEncoder
        Made of the table.
    matrix : ndarray of float64
        The table, encoded.
    classes : ndarray
        The labels there are.
    codes : ndarray of int
        The place of each row's label in `classes`.
    weights : ndarray of float64 or None
        What each row weighs in the loss; None: all one.
    costs : ndarray of float64 or None
        The cost matrix; None: 1 where labels differ.
    names : ndarray of str or None
        The table's own names of its columns.
    """

    raw: Any
    encoder: TableEncoder
    matrix: npt.NDArray[np.float64]
    classes: npt.NDArray[Any]
    codes: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float64] | None
    costs: npt.NDArray[np.float64] | None
    names: npt.NDArray[Any] | None = None

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The labels themselves."""
        return self.classes[self.codes]
