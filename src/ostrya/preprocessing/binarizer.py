"""ThresholdBinarizer: a transformer for the binary encodings used in the papers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import check_count
from ostrya.preprocessing.checks import check_table, feature_names
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.features import HALF
from ostrya.preprocessing.questions import QuestionTransformer


class ThresholdBinarizer(QuestionTransformer):
    """Encode a table as columns of 0 and 1, each named after its condition.

    Numbers, dates, durations and ordered categories give one column per threshold
    (``age <= 25.5``, ``signup <= 2023-09-08``, ``size <= M``). Booleans and categories
    give one column per level (``colour = red``). A column with missing values in the
    training rows gives one more (``income is missing``). A missing value, or a level
    that the training rows do not contain, gives 0 in every column except
    "is missing". If a column has more than 1,000 levels, only the most frequent ones
    have a column.

    `OptimalTreeClassifier` does not need this encoding; pass it the original table.

    Parameters
    ----------
    n_thresholds : int, default=None
        Maximum number of thresholds per column. If None, every gap between two
        neighbouring values has a threshold. An integer k places thresholds at the k
        inner quantiles 1/(k + 1), 2/(k + 1), ..., k/(k + 1), each moved into the
        nearest gap between two values.

    Attributes
    ----------
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, if all of them are strings.
    questions_ : list of (int, float)
        For each output column, the encoded column and the threshold it is compared
        with.
    encoder_ : TableEncoder
        The encoder fitted on the training rows.

    Examples
    --------
    >>> from ostrya.preprocessing import ThresholdBinarizer
    >>> binarizer = ThresholdBinarizer().fit([[20, "red"], [31, "blue"], [25, "red"]])
    >>> binarizer.get_feature_names_out().tolist()
    ['x0 <= 22.5', 'x0 <= 28', 'x1 = blue']
    >>> binarizer.transform([[25, "blue"], [None, "green"]])
    array([[0, 1, 1],
           [0, 0, 0]], dtype=int8)
    """

    def __init__(self, n_thresholds: int | None = None) -> None:
        self.n_thresholds = n_thresholds

    def fit(self, X: Any, y: Any = None) -> ThresholdBinarizer:
        """Choose the conditions from the training rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        y : object, default=None
            Ignored.

        Returns
        -------
        ThresholdBinarizer
            Itself.
        """
        limit = self.n_thresholds
        if limit is not None:
            limit = check_count("n_thresholds", limit, ", or None")
        X = check_table(self, X, reset=True)
        self.encoder_ = TableEncoder(X, feature_names(self))
        matrix = self.encoder_.encode(X)
        self.questions_ = []
        for column in range(self.encoder_.n_columns):
            if self.encoder_.is_yes_no(column):
                self.questions_.append((column, HALF))
                continue
            numbers = _known(matrix, self.encoder_, column)
            thresholds = _thresholds(self.encoder_, column, numbers, limit)
            self.questions_ += [(column, threshold) for threshold in thresholds]
        return self


def _known(
    matrix: npt.NDArray[np.float64], encoder: TableEncoder, column: int
) -> npt.NDArray[np.float64]:
    """Return the values of a column, without the rows where it is missing."""
    numbers: npt.NDArray[np.float64] = matrix[:, column]
    if encoder.features[encoder.source[column]].has_missing:
        numbers = numbers[matrix[:, column - 1] == 1.0]
    return numbers


def _thresholds(
    encoder: TableEncoder,
    column: int,
    numbers: npt.NDArray[np.float64],
    limit: int | None,
) -> list[float]:
    values = np.unique(numbers)
    every: list[float] = encoder.short_between(column, values[:-1], values[1:]).tolist()
    if limit is None or len(every) <= limit:
        return every
    # A threshold just above the k-th quantile sends that share of the rows to "yes".
    shares = np.arange(1, limit + 1) / (limit + 1)
    ranks = np.searchsorted(values, np.quantile(numbers, shares, method="lower"))
    return [every[k] for k in np.unique(np.minimum(ranks, len(every) - 1))]
