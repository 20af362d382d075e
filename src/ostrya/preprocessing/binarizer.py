"""ThresholdBinarizer: the binary encodings of the papers, as a transformer."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ostrya.preprocessing.checks import check_names_out, check_table, feature_names
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.features import HALF, thresholds_between


class ThresholdBinarizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn a table into yes/no columns, each named after its question.

    Numbers give a column a threshold (``age <= 25.5``), booleans and categories a
    column a level (``colour = red``), and columns that miss values in training one
    more (``income is missing``). A missing or never seen value answers no (0) to
    every question except "is missing".

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
    feature_names_in_ : ndarray of shape (n_features_in_,)
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
            if not isinstance(limit, (int, np.integer)) or isinstance(limit, bool):
                raise TypeError(
                    f"n_thresholds must be an integer >= 1, or None; got {limit!r}"
                )
            if limit < 1:
                raise ValueError(
                    f"n_thresholds must be an integer >= 1, or None; got {limit!r}"
                )
        X = check_table(self, X, reset=True)
        self.encoder_ = TableEncoder(X, feature_names(self))
        matrix = self.encoder_.encode(X)
        self.questions_: list[tuple[int, float]] = []
        for column in range(self.encoder_.n_columns):
            if self.encoder_.is_yes_no(column):
                self.questions_.append((column, HALF))
                continue
            numbers = _known(matrix, self.encoder_, column)
            self.questions_ += [(column, t) for t in _thresholds(numbers, limit)]
        return self

    def transform(self, X: Any) -> npt.NDArray[np.int8]:
        """Return the answers: 1 for yes, 0 for no.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of int8, shape (n_samples, n_questions)
            A column a question, in the order of `get_feature_names_out`.
        """
        check_is_fitted(self)
        matrix = self.encoder_.encode(check_table(self, X, reset=False))
        answers = np.empty((len(matrix), len(self.questions_)), dtype=np.int8)
        for k, (column, threshold) in enumerate(self.questions_):
            answers[:, k] = matrix[:, column] <= threshold
        return answers

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the question of each output column.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Checked against the names seen in `fit`, and otherwise not used.

        Returns
        -------
        ndarray of str objects
            The questions.
        """
        check_is_fitted(self)
        check_names_out(self, input_features)
        names = [self.encoder_.question(*question) for question in self.questions_]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _known(
    matrix: npt.NDArray[np.float64], encoder: TableEncoder, column: int
) -> npt.NDArray[np.float64]:
    """Return the numbers of a column without those that stand in for missing ones."""
    numbers: npt.NDArray[np.float64] = matrix[:, column]
    if encoder.features[encoder.source[column]].has_missing:
        numbers = numbers[matrix[:, column - 1] == 1.0]
    return numbers


def _thresholds(numbers: npt.NDArray[np.float64], limit: int | None) -> list[float]:
    values = np.unique(numbers)
    every = thresholds_between(values)
    if limit is None or len(every) <= limit:
        return every
    # The cut below the k-th quantile leaves its share of the rows on the yes side.
    shares = np.arange(1, limit + 1) / (limit + 1)
    ranks = np.searchsorted(values, np.quantile(numbers, shares, method="lower"))
    return [every[k] for k in np.unique(np.minimum(ranks, len(every) - 1))]
