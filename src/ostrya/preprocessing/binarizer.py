"""ThresholdBinarizer: the binary encodings of the papers, as a transformer."""

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
    """Turn a table into yes/no columns, each named after its question.

    Numbers, dates, durations and ordered categories give one column per threshold
    (``age <= 25.5``, ``signup <= 2023-09-08``, ``size <= M``), booleans and categories
    one per level (``colour = red``), and columns that miss values in training one
    more (``income is missing``). A missing or never seen value answers no (0) to
    every question except "is missing". Of more than a thousand levels the most
    frequent have a column.

    `OptimalTreeClassifier` does not need this: it takes tables as they are.

    Parameters
    ----------
    n_thresholds : int, default=None
        Most thresholds for a column of numbers. None: one between each two
        neighbouring values. An integer k: at the k inner quantiles, those at
        1/(k + 1), 2/(k + 1), ..., each moved to between its neighbours.

    Attributes
    ----------
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, where they are all strings.
    questions_ : list of (int, float)
        For each output column, the encoded column and the threshold it asks about.
    encoder_ : TableEncoder
        What was learnt of each input column.

    Examples
    --------
    >>> from ostrya import ThresholdBinarizer
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
        """Learn the questions.

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
    """Return the numbers of a column without those that stand in for missing ones."""
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
    # The cut below the k-th quantile leaves its share of the rows on the yes side.
    shares = np.arange(1, limit + 1) / (limit + 1)
    ranks = np.searchsorted(values, np.quantile(numbers, shares, method="lower"))
    return [every[k] for k in np.unique(np.minimum(ranks, len(every) - 1))]
