"""FittedReference: a reference model that predicts labels from tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin

from ostrya._guesses.reference_model import ReferenceModel
from ostrya.preprocessing.checks import check_table
from ostrya.preprocessing.training_table import TrainingTable


class FittedReference(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The fitted reference model of a search. It cannot be fitted again.

    Parameters
    ----------
    model : ReferenceModel
        The fitted classifier and its encoding of tables.

    Attributes
    ----------
    classifier_ : classifier
        The fitted classifier itself. Its input may be encoded columns or intervals.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, if all of them are strings.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = OptimalTreeClassifier(guess="auto").fit(X, y)
    >>> clf.guess_.reference.predict(X)[:3]
    array([0, 0, 0])
    """

    def __init__(self, model: ReferenceModel) -> None:
        self.model = model

    @classmethod
    def of(cls, model: ReferenceModel, table: TrainingTable) -> FittedReference:
        """Return a model that accepts tables with the columns of the training table."""
        made = cls(model)
        made.classifier_ = model.model
        made.classes_ = table.classes
        made.n_features_in_ = len(table.encoder.features)
        if table.names is not None:
            made.feature_names_in_ = table.names
        return made

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training table.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels, of the type passed to `fit`.
        """
        if self.model.encoder is not None:
            X = check_table(self, X, reset=False)
        return np.asarray(self.model.predict(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
