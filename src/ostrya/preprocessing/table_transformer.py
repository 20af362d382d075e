"""TableTransformer: any table to numbers that models of other packages can read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ostrya.preprocessing.checks import check_names_out, check_table, feature_names
from ostrya.preprocessing.encoder import TableEncoder


class TableTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn a table into a matrix of numbers, the way the classifiers read it.

    Numbers stay what they are; categories, strings and booleans get one column per
    level, 1 for yes and 0 for no, and so does "is missing" where training rows missed
    values. A missing number stands at the largest training value. It is the first step
    of the pipelines that ``to_sklearn`` gives.

    Attributes
    ----------
    encoder_ : TableEncoder
        What was learnt of each input column. Its matrices have 0 for yes.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, where they are all strings.

    Examples
    --------
    >>> from ostrya.preprocessing import TableTransformer
    >>> rows = [[25.0, "red"], [None, "blue"], [31.0, "green"]]
    >>> transformer = TableTransformer().fit(rows)
    >>> transformer.get_feature_names_out().tolist()
    ['x0 is missing', 'x0', 'x1 = blue', 'x1 = green', 'x1 = red']
    >>> transformer.transform(rows)
    array([[ 0., 25.,  0.,  0.,  1.],
           [ 1., 31.,  1.,  0.,  0.],
           [ 0., 31.,  0.,  1.,  0.]])
    """

    encoder_: TableEncoder

    @classmethod
    def like(cls, estimator: Any) -> TableTransformer:
        """Return one that reads tables as a fitted classifier does."""
        made = cls()
        made.encoder_ = estimator.encoder_
        made.n_features_in_ = estimator.n_features_in_
        if feature_names(estimator) is not None:
            made.feature_names_in_ = feature_names(estimator)
        return made

    def fit(self, X: Any, y: Any = None) -> TableTransformer:
        """Learn the columns.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        y : object, default=None
            Ignored.

        Returns
        -------
        TableTransformer
            Itself.
        """
        X = check_table(self, X, reset=True)
        self.encoder_ = TableEncoder(X, feature_names(self))
        return self

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the rows as numbers.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_columns)
            One column per name of `get_feature_names_out`.
        """
        check_is_fitted(self)
        matrix = self.encoder_.encode(check_table(self, X, reset=False))
        answers = np.flatnonzero(self.holds_answers)
        if len(answers) == 0:
            return matrix
        flipped: npt.NDArray[np.float64] = matrix.copy()
        flipped[:, answers] = 1.0 - flipped[:, answers]
        return flipped

    @property
    def holds_answers(self) -> npt.NDArray[np.bool_]:
        """True for columns of yes (1) and no (0), False for those of numbers."""
        columns = range(self.encoder_.n_columns)
        return np.array([self.encoder_.is_yes_no(c) for c in columns], dtype=bool)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the name of a column of numbers, the question of the others.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Checked against the names seen in `fit`, and otherwise not used.

        Returns
        -------
        ndarray of str objects
            The names.
        """
        check_is_fitted(self)
        check_names_out(self, input_features)
        encoder = self.encoder_
        names = [
            encoder.question(column)
            if is_answer
            else encoder.features[encoder.source[column]].name
            for column, is_answer in enumerate(self.holds_answers)
        ]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True  # made dense
        tags.transformer_tags.preserves_dtype = []
        return tags
