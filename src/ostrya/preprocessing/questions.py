"""The common base of transformers that encode a table as columns of 0 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ostrya.preprocessing.checks import check_names_out, check_table
from ostrya.preprocessing.encoder import TableEncoder


class QuestionTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer whose `fit` sets ``encoder_`` and ``questions_``.

    A question is a pair of an encoded column and a threshold, and stands for the
    condition ``value <= threshold``.
    """

    encoder_: TableEncoder
    questions_: list[tuple[int, float]]

    def transform(self, X: Any) -> npt.NDArray[np.int8]:
        """Return 1 where a condition holds and 0 elsewhere.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of int8, shape (n_samples, n_questions)
            One column per condition, in the order of `get_feature_names_out`.
        """
        check_is_fitted(self)
        matrix = self.encoder_.encode(check_table(self, X, reset=False))
        answers = np.empty((len(matrix), len(self.questions_)), dtype=np.int8)
        for k, (column, threshold) in enumerate(self.questions_):
            answers[:, k] = matrix[:, column] <= threshold
        return answers

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the condition of each output column as text.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Only compared with the names seen in `fit`.

        Returns
        -------
        ndarray of str objects
            For example ``age <= 25.5``.
        """
        check_is_fitted(self)
        check_names_out(self, input_features)
        names = [self.encoder_.question(*question) for question in self.questions_]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True  # sparse input is converted to dense
        tags.transformer_tags.preserves_dtype = []
        return tags
