"""TrainingTable: the validated table, labels and weights of a fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import Matrix
from ostrya._weights import check_sample_weight
from ostrya.preprocessing.checks import check_table
from ostrya.preprocessing.compression.compressed_table import CompressionSummary
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.labels import check_labels, require_as_many
from ostrya.preprocessing.table import as_frame, count_rows, keep_rows, rows_at_hand


@dataclass(frozen=True, eq=False)
class WholeTable:
    """All rows of a table, if only a sample could be encoded within the limits."""

    raw: Any
    codes: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float64] | None  # in the loss; None means all 1
    sample_weights: npt.NDArray[np.float64] | None  # as passed; None means all 1
    sample: npt.NDArray[np.intp]  # places of the rows that were read
    limit: Literal["time_limit", "memory_limit"]  # the limit that was exceeded


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """An encoded table with its labels, weights and costs."""

    raw: Any  # the array or dataframe, without rows of weight 0
    encoder: TableEncoder  # fitted on the table
    matrix: Matrix  # the encoded table
    classes: npt.NDArray[Any]  # the distinct labels
    codes: npt.NDArray[np.intp]  # the index of each row's label in `classes`
    weights: npt.NDArray[np.float64] | None  # in the loss; None means all 1
    # The weights passed to `fit`, without class weights; None means all 1.
    sample_weights: npt.NDArray[np.float64] | None
    costs: npt.NDArray[np.float64] | None  # the cost matrix; None means 1 per error
    names: npt.NDArray[Any] | None = None  # column names of the table, if it has any
    # For compressed tables: the number of rows per group, the smallest values of each
    # group (the matrix contains the largest ones), and the thresholds between groups.
    counts: npt.NDArray[np.int64] | None = None
    least: npt.NDArray[np.float64] | None = None
    compression: CompressionSummary | None = None
    whole: WholeTable | None = None  # the full table if this is a sample of it

    @property
    def n_rows(self) -> int:
        """The number of training rows."""
        return len(self.codes) if self.counts is None else int(self.counts.sum())

    @property
    def is_weighted(self) -> bool:
        """Whether rows have different weights."""
        if self.weights is None or self.counts is None:
            return self.weights is not None
        return not np.array_equal(self.weights, self.counts)

    @property
    def plain_matrix(self) -> npt.NDArray[np.float64]:
        """The encoded table with a column for every level; it may be large."""
        return np.asarray(self.matrix, dtype=np.float64)

    def without_codes(self) -> TrainingTable:
        """Return the same table with `plain_matrix` as its matrix."""
        return replace(self, matrix=self.plain_matrix)

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The label of each row."""
        return self.classes[self.codes]


def check_all_rows(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[Any, npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return table, labels and weights of all rows, or raise.

    The columns of the table are stored in the estimator.
    """
    labels, weights = check_labels_and_weights(X, y, sample_weight)
    X = check_table(estimator, X, reset=True)
    require_as_many(labels, count_rows(X))
    return X, labels, weights


def check_labels_and_weights(
    X: Any, y: Any, sample_weight: Any
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return labels and weights of all rows, or raise before the table is read."""
    as_frame(X)  # raises for a lazy table, for which `y` is a column name
    _refuse_names("y", y)
    _refuse_names("sample_weight", sample_weight)
    labels = check_labels(y, rows_at_hand(X))
    return labels, check_sample_weight(sample_weight, len(labels))


def _refuse_names(argument: str, value: Any) -> None:
    """Raise for a column name, which is allowed only if `X` is lazy."""
    if isinstance(value, str):
        raise ValueError(
            f"{argument} must have one entry per row of X; got {value!r}. Column names "
            f"are accepted only if X is a lazy table. Pass {argument}=X[{value!r}] and "
            f"remove this column from X; in pandas, {argument}=X.pop({value!r}) does "
            "both"
        )


def check_training(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[Any, npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return the result of `check_all_rows` without rows of weight 0, or raise."""
    return without_weightless_rows(*check_all_rows(estimator, X, y, sample_weight))


def without_weightless_rows(
    X: Any, labels: npt.NDArray[Any], weights: npt.NDArray[np.float64] | None
) -> tuple[Any, npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return table, labels and weights without the rows of weight 0."""
    if weights is None or weights.all():
        return X, labels, weights
    kept = weights > 0
    return keep_rows(X, kept), labels[kept], weights[kept]
