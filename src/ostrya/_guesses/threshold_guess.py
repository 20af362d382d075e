"""ThresholdGuess: only the thresholds that a reference ensemble needs."""

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
    """Keep the thresholds that a reference ensemble needs for its performance.

    The thresholds of all trees of the reference are collected; then the least
    important one is removed and the reference fitted again on those left, until its
    training accuracy would drop by more than `max_drop` below that of the reference
    itself [1]_. A tree over the thresholds kept can match the reference, and is far
    quicker to find.

    `transform` gives one yes/no column per threshold; `encode` gives one column of
    interval codes per encoded column, which is what `OptimalTreeClassifier` searches.

    Parameters
    ----------
    reference : classifier, default=None
        A decision tree or ensemble of trees of scikit-learn, an ``LGBMClassifier``,
        an ``XGBClassifier``, an `OptimalTreeClassifier`, any bagging, voting, stacking
        or one-against-others of these, or an ``ExplainableBoostingClassifier``. One
        that is fitted is used as it is, on the table as given (wrap it in
        scikit-learn's ``FrozenEstimator`` where it must survive cloning); one that is
        not is fitted on the encoded table. None: gradient boosting with 20 trees of
        depth 3.
    max_drop : float, default=0.0
        The share of the training weight that the refitted reference may get wrong on
        top of what the reference itself gets wrong. From 0 up to below 1.
    tolerance : float, default=0.1
        For an explainable boosting machine alone, whose thresholds are not eliminated
        but chosen where its shape functions jump: the least jump of the most
        important feature; others must jump the more the less important they are. A
        jump at its missing values keeps the question for them. `Guess` uses the
        default; for another, put a `ThresholdGuess` before the tree in a pipeline.

    Attributes
    ----------
    n_thresholds_before_, n_thresholds_after_ : int
        Thresholds of the reference, and of these the ones kept.
    reference_score_before_, reference_score_after_ : float
        Training accuracy, weighted, of the reference itself and of the reference
        fitted again on the thresholds kept.
    refit_falls_short_ : bool
        True when the reference, fitted again on all its thresholds, already loses more
        than `max_drop`, as one that leaves its splits to chance may. Then no threshold
        is eliminated, and `reference_` is the reference itself.
    reference_ : ReferenceModel
        The reference fitted again: predicts from tables.
    questions_ : list of (int, float)
        For each output column, the encoded column and the threshold it asks about.
    encoder_ : TableEncoder
        What was learnt of each input column.
    intervals_ : Intervals
        The thresholds kept, by encoded column.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the input columns, where they are all strings.

    Notes
    -----
    A threshold is stated with few digits, in the gap between training values where the
    reference has its own: no training row changes sides.

    References
    ----------
    .. [1] H. McTavish, C. Zhong et al., "Fast sparse decision tree optimization via
       reference ensembles", AAAI 2022, section 4.1 and appendix E.

    Examples
    --------
    >>> from ostrya import ThresholdGuess
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
        """Fit the reference, if it is not, and learn which thresholds it needs.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            The training rows.
        y : array-like of shape (n_samples,), or a series
            Their labels, of any one type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights >= 0, not all 0. None: all 1.

        Returns
        -------
        ThresholdGuess
            Itself.

        Raises
        ------
        TypeError, ValueError
            When an argument is of the wrong kind or outside its range, or when the
            reference has no thresholds to read.

        Warns
        -----
        ReferenceWarning
            When no threshold could be eliminated: see `refit_falls_short_`.
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
                f"The reference {found.model.model!r} "
                f"{shortfall(found.n_before, max_drop)}; raise max_drop, or give a "
                "reference that leaves less to chance.",
                ReferenceWarning,
                stacklevel=2,
            )
        return self

    def encode(self, X: Any) -> npt.NDArray[np.float64]:
        """Return each value as the code of its interval between thresholds kept.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_encoded_columns)
            The columns of ``encoder_``, cut at the thresholds kept alone; 0 where a
            column keeps none.
        """
        check_is_fitted(self)
        matrix = self.encoder_.encode(check_table(self, X, reset=False))
        return self.intervals_.encode(matrix)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
