"""A reference model: checked, fitted, and reduced to the thresholds it needs."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ostrya._guesses.candidates import Candidates, find_candidates
from ostrya._guesses.codes import IntervalCodes
from ostrya._guesses.elimination import Elimination, eliminate
from ostrya._guesses.ensembles import read_splits
from ostrya._guesses.ensembles.shapes import is_shape_model, read_jumps
from ostrya._guesses.guess_clock import GuessClock, OutOfTimeError
from ostrya._guesses.intervals import Intervals
from ostrya._guesses.refits import (
    BoostingRefits,
    Refits,
    fit_reference,
    is_boosting,
    right_weight,
)
from ostrya.preprocessing.encoder import TableEncoder

# By which share of the time for guesses the reference is fitted; the rest is for the
# refits of elimination.
FIT_SHARE = 0.7

Labels = npt.NDArray[Any]
Weights = npt.NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class ReferenceModel:
    """A fitted classifier, with what it needs to read tables."""

    model: Any  # the classifier
    classes: Labels | None = None  # what its labels stand for; None: it has them itself
    encoder: TableEncoder | None = None  # None: the model reads tables
    codes: IntervalCodes | None = None  # what it was fitted on; None: the values

    def predict(self, X: Any) -> Labels:
        """Return the model's label of each row of a table."""
        return self._predict(X if self.encoder is None else self.encoder.encode(X))

    def predict_encoded(self, matrix: npt.NDArray[np.float64]) -> Labels:
        """Return the same from what its encoder makes of a table."""
        return self._predict(matrix)

    def _predict(self, rows: Any) -> Labels:
        if self.codes is not None:
            rows = self.codes.encode(rows)
        predicted = np.asarray(self.model.predict(rows))
        return predicted if self.classes is None else self.classes[predicted]


@dataclass(frozen=True, eq=False)
class GuessedThresholds:
    """Thresholds kept, and the reference before and after.

    `falls_short` says that fitting the reference again lost more than is allowed,
    before any threshold went: all are kept, and the reference itself.
    """

    intervals: Intervals
    first: ReferenceModel
    model: ReferenceModel
    n_before: int
    score_before: float
    score_after: float
    falls_short: bool = False


def shortfall(n_thresholds: int, max_drop: float) -> str:
    """Return in words that a reference falls short, and what follows."""
    return (
        f"loses more than max_drop={max_drop:g} by being fitted again on all its "
        f"{n_thresholds} thresholds, so none is eliminated"
    )


def default_reference() -> GradientBoostingClassifier:
    """Return the reference used where none is given."""
    return GradientBoostingClassifier(n_estimators=20, max_depth=3, random_state=0)


def fit_model(
    reference: Any,
    X: Any,
    encoder: TableEncoder,
    labels: Labels,
    weights: Weights,
    clock: GuessClock | None = None,
) -> ReferenceModel:
    """Return the reference, fitted on the encoded rows unless it is fitted already.

    None stands for the default reference. Gradient boosting has fewer trees when the
    time for it is up.
    """
    clock = GuessClock() if clock is None else clock
    model = default_reference() if reference is None else unfrozen(reference)
    if is_fitted(model):
        given = getattr(model, "n_features_in_", len(encoder.features))
        if given != len(encoder.features):
            raise ValueError(
                f"reference was fitted on {given} features, but X has "
                f"{len(encoder.features)}; fit it on the columns of X"
            )
        return ReferenceModel(model)
    classes, codes = np.unique(labels, return_inverse=True)
    matrix = encoder.encode(X)
    if len(classes) == 1 or encoder.n_columns == 0:
        model = DummyClassifier(strategy="most_frequent")
    fitted = fit_reference(model, matrix, codes, weights, clock.watch(FIT_SHARE))
    if is_boosting(fitted) and clock.is_up(FIT_SHARE):
        n_grown = len(fitted.estimators_)
        if n_grown < fitted.n_estimators:
            clock.cut("trees")
            fitted.set_params(n_estimators=n_grown)  # refits have no more either
    return ReferenceModel(fitted, classes, encoder)


def unfrozen(reference: Any) -> Any:
    """Return the classifier itself, if it is one, out of a ``FrozenEstimator``."""
    is_frozen = type(reference).__name__ == "FrozenEstimator"
    model = reference.estimator if is_frozen else reference
    if type(model).__name__ == "Booster":
        raise TypeError(
            "reference must be a classifier, such as GradientBoostingClassifier(); got "
            f"a Booster of {type(model).__module__.split('.')[0]}. Give the fitted "
            "LGBMClassifier or XGBClassifier around it"
        )
    if isinstance(model, type) or not _is_classifier(model):
        raise TypeError(
            "reference must be a classifier, such as GradientBoostingClassifier(); got "
            f"{reference!r}"
        )
    if is_frozen and not is_fitted(model):
        raise NotFittedError(
            f"reference is a FrozenEstimator of an unfitted {type(model).__name__}; "
            "fit the model first, or give it without FrozenEstimator"
        )
    return model


def _is_classifier(model: Any) -> bool:
    """Return True for what calls itself a classifier, as scikit-learn's rules ask."""
    try:
        return hasattr(model, "fit") and bool(is_classifier(model))
    except (AttributeError, TypeError):  # it does not say what it is
        return False


def is_fitted(model: Any) -> bool:
    """Return True when the model has been fitted."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True


def check_predictions(model: ReferenceModel, X: Any, labels: Labels) -> Labels:
    """Return the model's labels of the training rows, or raise if any is unknown."""
    predicted = model.predict(X)
    if len(predicted) != len(labels):
        raise ValueError(
            f"reference must predict one label per row of X: {len(labels)}; got "
            f"{len(predicted)}"
        )
    unknown = predicted[~np.isin(predicted, labels)]
    if len(unknown):
        raise ValueError(
            f"reference predicts {unknown.tolist()[0]!r}, which is no label of y; "
            f"labels are {np.unique(labels).tolist()}. Fit it on the same labels"
        )
    return predicted


def guess_thresholds(
    reference: Any,
    X: Any,
    encoder: TableEncoder,
    labels: Labels,
    weights: Weights,
    max_drop: float,
    tolerance: float,
    clock: GuessClock | None = None,
) -> GuessedThresholds:
    """Return the thresholds that a reference needs; see `ThresholdGuess`.

    When time is up before elimination ends, or before it begins, more are kept.
    """
    clock = GuessClock() if clock is None else clock
    started = time.perf_counter()
    first = fit_model(reference, X, encoder, labels, weights, clock)
    took = time.perf_counter() - started
    matrix = encoder.encode(X)
    total = float(len(labels)) if weights is None else math.fsum(weights)
    right = right_weight(check_predictions(first, X, labels), labels, weights)
    candidates, n_before = _candidates(first, matrix, encoder, tolerance)
    every = np.ones(len(candidates.column), dtype=bool)
    score = right / total
    as_it_is = GuessedThresholds(
        candidates.intervals(every), first, first, n_before, score, score
    )
    if len(every) == 0:
        return as_it_is
    classes, codes = np.unique(labels, return_inverse=True)
    kind = BoostingRefits if BoostingRefits.fits(first.model) else Refits
    refits = kind(first.model, candidates, matrix, codes, weights, clock, took)
    left: Elimination | None
    try:
        if is_shape_model(first.model):
            model = refits.fit(every)
            left = Elimination(every, model, refits.right(model, every))
        else:
            left = eliminate(refits, right, total, max_drop)
    except OutOfTimeError:
        clock.cut("elimination")
        return as_it_is
    if left is None:
        return replace(as_it_is, falls_short=True)
    return replace(
        as_it_is,
        intervals=candidates.intervals(left.kept),
        model=ReferenceModel(
            left.model, classes, encoder, IntervalCodes(candidates, left.kept)
        ),
        score_after=left.right / total,
    )


def _candidates(
    first: ReferenceModel,
    matrix: npt.NDArray[np.float64],
    encoder: TableEncoder,
    tolerance: float,
) -> tuple[Candidates, int]:
    """Return the thresholds of the reference, and how many it has."""
    if isinstance(first.model, DummyClassifier):
        none = np.empty(0)
        return Candidates(none.astype(np.intp), none, encoder.n_columns), 0
    n_before = None
    if is_shape_model(first.model):
        splits, n_before = read_jumps(first.model, tolerance)
    else:
        splits = read_splits(first.model)
    reads_table = first.encoder is None
    found = find_candidates(splits, matrix, encoder, reads_table=reads_table)
    return found, len(found.column) if n_before is None else n_before
