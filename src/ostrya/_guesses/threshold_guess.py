"""ThresholdGuess: keep only the thresholds that a reference ensemble needs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ostrya._arguments import check_number
from ostrya._guesses.guess import check_max_drop
from ostrya._guesses.reference_model import (
    ReferenceModel,
    guess_thresholds,
    shortfall,
)
from ostrya.exceptions import ReferenceWarning
from ostrya.preprocessing.checks import check_table, feature_names
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.questions import QuestionTransformer
from ostrya.preprocessing.training_table import check_training


class ThresholdGuess(QuestionTransformer):
    """Keep the thresholds that a reference ensemble needs for its accuracy.

    The thresholds of all trees of the reference are collected. Then the least important
    one is removed and the reference is fitted again on the others, repeatedly, until
    its training accuracy would fall by more than `max_drop` below that of the original
    reference [1]_. A tree over the kept thresholds can match the reference, and is much
    faster to find.

    `transform` returns one column of 0 and 1 per threshold. `encode` returns one column
    of interval codes per encoded column, which `OptimalTreeClassifier` searches.

    Parameters
    ----------
    reference : classifier, default=None
        A decision tree or tree ensemble of scikit-learn, an ``LGBMClassifier``, an
        ``XGBClassifier``, an `OptimalTreeClassifier`, a bagging, voting, stacking or
        one-vs-rest ensemble of these, or an ``ExplainableBoostingClassifier``. A fitted
        reference is used unchanged, on the original table; wrap it in scikit-learn's
        ``FrozenEstimator`` if it must survive cloning. Otherwise the reference is
        fitted on the encoded table. If None, gradient boosting with 20 trees of depth 3
        is used.
    max_drop : float, default=0.0
        The allowed decrease in training accuracy, from 0 to below 1. Increase it to
        keep fewer thresholds.
    tolerance : float, default=0.1
        Only for an explainable boosting machine, whose thresholds are not eliminated
        but chosen where its shape functions jump. This is the smallest jump of the most
        important feature that counts; less important features need larger jumps. A jump
        at missing values keeps the condition "is missing". `Guess` uses the default; to
        change it, put a `ThresholdGuess` before the tree in a pipeline.

    Attributes
    ----------
    n_thresholds_before_, n_thresholds_after_ : int
        Number of thresholds of the reference, and of those that were kept.
    reference_score_before_, reference_score_after_ : float
        Weighted training accuracy of the reference, and of the reference fitted again
        on the kept thresholds.
    refit_falls_short_ : bool
        True if the reference, fitted again on all its thresholds, already loses more
        than `max_drop`, which may happen if it is randomised. Then no threshold is
        eliminated, and `reference_` is the original reference.
    reference_ : ReferenceModel
        The refitted reference, which predicts from tables.
    questions_ : list of (int, float)
        For each output column, the encoded column and the threshold it is compared
        with.
    encoder_ : TableEncoder
        The encoder fitted on the training rows.
    intervals_ : Intervals
        The kept thresholds, by encoded column.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, if all of them are strings.

    Notes
    -----
    Each threshold is shortened to few digits within the gap between training values, so
    that no training row changes sides.

    References
    ----------
    .. [1] H. McTavish, C. Zhong et al., "Fast sparse decision tree optimization via
       reference ensembles", AAAI 2022, section 4.1 and appendix E.

    Examples
    --------
    >>> from ostrya.guesses import ThresholdGuess
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> guess = ThresholdGuess().fit(X, y)
    >>> guess.n_thresholds_after_ < guess.n_thresholds_before_ < 119
    True
    >>> guess.reference_score_after_ >= guess.reference_score_before_
    True
    >>> guess.transform(X).shape[1] == guess.n_thresholds_after_
    True
    """

    def __init__(
        self, reference: Any = None, max_drop: float = 0.0, tolerance: float = 0.1
    ) -> None:
        self.reference = reference
        self.max_drop = max_drop
        self.tolerance = tolerance

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> ThresholdGuess:
        """Fit the reference if necessary, and choose the thresholds that it needs.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        y : array-like of shape (n_samples,), or a series
            The labels, all of one type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. If None, all weights are 1.

        Returns
        -------
        ThresholdGuess
            Itself.

        Raises
        ------
        TypeError, ValueError
            If an argument is invalid, or if the thresholds of the reference cannot be
            read.

        Warns
        -----
        ReferenceWarning
            If no threshold could be eliminated; see `refit_falls_short_`.
        """
        max_drop = check_max_drop("max_drop", self.max_drop)
        tolerance = check_number(
            "tolerance", self.tolerance, "a number >= 0", lambda n: 0 <= n < np.inf
        )
        if y is None:
            raise ValueError(
                "This ThresholdGuess estimator requires y to be passed, but the target "
                "y is None."
            )
        X, labels, weights = check_training(self, X, y, sample_weight)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        classes = ClassWeights(codes, weights)
        self.encoder_ = TableEncoder(X, feature_names(self), classes)
        found = guess_thresholds(
            self.reference, X, self.encoder_, labels, weights, max_drop, tolerance
        )
        self.intervals_ = found.intervals
        self.questions_ = self.intervals_.questions
        self.reference_: ReferenceModel = found.model
        self.n_thresholds_before_ = found.n_before
        self.n_thresholds_after_ = len(self.questions_)
        self.reference_score_before_ = found.score_before
        self.reference_score_after_ = found.score_after
        self.refit_falls_short_ = found.falls_short
        if found.falls_short:
            warnings.warn(
                f"{shortfall(repr(found.model.model), found.n_before, max_drop)}. "
                "Increase max_drop, or use a reference with less randomness.",
                ReferenceWarning,
                stacklevel=2,
            )
        return self

    def encode(self, X: Any) -> npt.NDArray[np.float64]:
        """Return each value as the code of its interval between kept thresholds.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_encoded_columns)
            The columns of ``encoder_`` as interval codes; 0 for columns without kept
            thresholds.
        """
        check_is_fitted(self)
        matrix = self.encoder_.encode(check_table(self, X, reset=False))
        return self.intervals_.encode(matrix)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
