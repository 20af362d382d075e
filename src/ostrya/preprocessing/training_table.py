"""TrainingTable: a table and its labels, as a fit has them once they are checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import Matrix
from ostrya._weights import check_sample_weight
from ostrya.preprocessing.checks import check_table
from ostrya.preprocessing.compression.compressed_table import Cuts
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.labels import check_labels, require_as_many
from ostrya.preprocessing.table import as_frame, count_rows, keep_rows, rows_at_hand


@dataclass(frozen=True, eq=False)
class WholeTable:
    """All rows of a table of which only a sample could be read within the limits."""

    raw: Any
    codes: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float64] | None  # in the loss; None: all one
    sample_weights: npt.NDArray[np.float64] | None  # as given; None: all one
    limit: Literal["time_limit", "memory_limit"]  # the one that was too tight


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """A table, encoded, labelled and weighed."""

    raw: Any  # the array or dataframe, without rows of weight 0
    encoder: TableEncoder  # made of the table
    matrix: Matrix  # the table, encoded
    classes: npt.NDArray[Any]  # the labels there are
    codes: npt.NDArray[np.intp]  # the place of each row's label in `classes`
    weights: npt.NDArray[np.float64] | None  # in the loss; None: all one
    # The weights passed to `fit`, without the factors of classes; None: all one.
    sample_weights: npt.NDArray[np.float64] | None
    costs: npt.NDArray[np.float64] | None  # the cost matrix; None: 1 where they differ
    names: npt.NDArray[Any] | None = None  # the table's own names of its columns
    # Of tables that came in groups: how many rows each stands for, the least values of
    # these where the matrix has the largest, and which thresholds tell groups apart.
    counts: npt.NDArray[np.int64] | None = None
    least: npt.NDArray[np.float64] | None = None
    cuts: Cuts | None = None
    whole: WholeTable | None = None  # of which this is a sample; None: this is all

    @property
    def n_rows(self) -> int:
        """The number of training rows."""
        return len(self.codes) if self.counts is None else int(self.counts.sum())

    @property
    def is_weighted(self) -> bool:
        """Whether some rows weigh more than others."""
        if self.weights is None or self.counts is None:
            return self.weights is not None
        return not np.array_equal(self.weights, self.counts)

    @property
    def plain_matrix(self) -> npt.NDArray[np.float64]:
        """The encoded table with a column for every level; it may be large."""
        return np.asarray(self.matrix, dtype=np.float64)

    def without_codes(self) -> TrainingTable:
        """Return the same table with `plain_matrix` for its matrix."""
        return replace(self, matrix=self.plain_matrix)

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The labels themselves."""
        return self.classes[self.codes]


def check_all_rows(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[Any, npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return table, labels and weights of all rows, or raise.

    The estimator remembers the layout of the table.
    """
    labels, weights = check_labels_and_weights(X, y, sample_weight)
    X = check_table(estimator, X, reset=True)
    require_as_many(labels, count_rows(X))
    return X, labels, weights


def check_labels_and_weights(
    X: Any, y: Any, sample_weight: Any
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return labels and weights of all rows, or raise before the table is read."""
    as_frame(X)  # refuses a lazy one, for which `y` may name a column
    _refuse_names("y", y)
    _refuse_names("sample_weight", sample_weight)
    labels = check_labels(y, rows_at_hand(X))
    return labels, check_sample_weight(sample_weight, len(labels))


def _refuse_names(argument: str, value: Any) -> None:
    """Raise if the name of a column is given, as it is where `X` is lazy."""
    if isinstance(value, str):
        raise ValueError(
            f"{argument} must have one entry per row of X; got {value!r}. The name of "
            f"a column will do where X is lazy; else give {argument}=X[{value!r}], and "
            f"X without that column: {argument}=X.pop({value!r}) does both in pandas"
        )


def check_training(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[Any, npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return what `check_all_rows` does, without the rows of weight 0, or raise."""
    return without_weightless_rows(*check_all_rows(estimator, X, y, sample_weight))


def without_weightless_rows(
    X: Any, labels: npt.NDArray[Any], weights: npt.NDArray[np.float64] | None
) -> tuple[Any, npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return table, labels and weights without the rows of weight 0."""
    if weights is None or weights.all():
        return X, labels, weights
    kept = weights > 0
    return keep_rows(X, kept), labels[kept], weights[kept]
