"""TableTransformer: encode any table as numbers for models of other packages."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ostrya.preprocessing.checks import check_names_out, check_table, feature_names
from ostrya.preprocessing.encoder import TableEncoder


class TableTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Encode a table as a matrix of numbers, in the same way as the classifiers.

    Numbers are unchanged. Categories, strings and booleans give one column per level,
    with 1 for yes and 0 for no. Columns with missing values in the training rows give
    another such column, "is missing". A missing number is replaced by the largest
    training value. This transformer is the first step of the pipelines that
    ``to_sklearn`` returns.

    Attributes
    ----------
    encoder_ : TableEncoder
        The fitted encoder. Unlike this transformer, it uses 0 for yes.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, if all of them are strings.

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
        """Return a transformer with the encoder of a fitted classifier."""
        made = cls()
        made.encoder_ = estimator.encoder_
        made.n_features_in_ = estimator.n_features_in_
        if feature_names(estimator) is not None:
            made.feature_names_in_ = feature_names(estimator)
        return made

    def fit(self, X: Any, y: Any = None) -> TableTransformer:
        """Determine the columns from the training rows.

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
        """True for columns of 0 and 1, False for numeric columns."""
        columns = range(self.encoder_.n_columns)
        return np.array([self.encoder_.is_yes_no(c) for c in columns], dtype=bool)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the name of each numeric column, and the condition of each other one.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Only compared with the names seen in `fit`.

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
        tags.input_tags.sparse = True  # sparse input is converted to dense
        tags.transformer_tags.preserves_dtype = []
        return tags
