"""Validate a reference model, fit it, and reduce it to the thresholds it needs."""

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

# The share of the time for guesses after which the reference must be fitted; the rest
# is for the refits of elimination.
FIT_SHARE = 0.7

Labels = npt.NDArray[Any]
Weights = npt.NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class ReferenceModel:
    """A fitted classifier with its encoding of tables."""

    model: Any  # the classifier
    classes: Labels | None = None  # labels of its class codes; None if it predicts them
    encoder: TableEncoder | None = None  # None if the model reads tables itself
    codes: IntervalCodes | None = None  # None if it was fitted on the values

    def predict(self, X: Any) -> Labels:
        """Return the model's label of each row of a table."""
        return self._predict(X if self.encoder is None else self.encoder.encode(X))

    def predict_encoded(self, matrix: npt.NDArray[np.float64]) -> Labels:
        """Return the model's label of each row of an encoded table."""
        return self._predict(matrix)

    def _predict(self, rows: Any) -> Labels:
        if self.codes is not None:
            rows = self.codes.encode(rows)
        predicted = np.asarray(self.model.predict(rows))
        return predicted if self.classes is None else self.classes[predicted]


@dataclass(frozen=True, eq=False)
class GuessedThresholds:
    """The kept thresholds, and the reference before and after elimination.

    `falls_short` is True if a refit on all thresholds already loses more accuracy than
    allowed; then all thresholds and the original reference are kept.
    """

    intervals: Intervals
    first: ReferenceModel
    model: ReferenceModel
    n_before: int
    score_before: float
    score_after: float
    falls_short: bool = False


def shortfall(reference: str, n_thresholds: int, max_drop: float) -> str:
    """Return a sentence for the warning that no threshold was eliminated."""
    return (
        f"No threshold was eliminated: {reference}, fitted again on all of its "
        f"{n_thresholds} thresholds, loses more accuracy than max_drop={max_drop:g}"
    )


def default_reference() -> GradientBoostingClassifier:
    """Return the reference to use if none is given."""
    return GradientBoostingClassifier(n_estimators=20, max_depth=3, random_state=0)


def fit_model(
    reference: Any,
    X: Any,
    encoder: TableEncoder,
    labels: Labels,
    weights: Weights,
    clock: GuessClock | None = None,
) -> ReferenceModel:
    """Return the reference, fitted on the encoded rows unless it is already fitted.

    None means the default reference. Gradient boosting gets fewer trees if its time is
    up.
    """
    clock = GuessClock() if clock is None else clock
    model = default_reference() if reference is None else unfrozen(reference)
    if is_fitted(model):
        given = getattr(model, "n_features_in_", len(encoder.features))
        if given != len(encoder.features):
            raise ValueError(
                f"reference must be fitted on the {len(encoder.features)} columns of "
                f"X; got one fitted on {given}"
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
    """Return the classifier inside a ``FrozenEstimator``, or raise if it is not one."""
    is_frozen = type(reference).__name__ == "FrozenEstimator"
    model = reference.estimator if is_frozen else reference
    if type(model).__name__ == "Booster":
        raise TypeError(
            "reference must be a classifier, such as GradientBoostingClassifier(); got "
            f"a Booster of {type(model).__module__.split('.')[0]}. Pass a fitted "
            "LGBMClassifier or XGBClassifier instead"
        )
    if isinstance(model, type) or not _is_classifier(model):
        raise TypeError(
            "reference must be a classifier, such as GradientBoostingClassifier(); got "
            f"{reference!r}"
        )
    if is_frozen and not is_fitted(model):
        raise NotFittedError(
            "reference must be fitted if it is a FrozenEstimator; got an unfitted "
            f"{type(model).__name__}. Fit the model first, or pass it without "
            "FrozenEstimator"
        )
    return model


def _is_classifier(model: Any) -> bool:
    """Return True for a classifier according to scikit-learn's conventions."""
    try:
        return hasattr(model, "fit") and bool(is_classifier(model))
    except (AttributeError, TypeError):  # not an estimator
        return False


def is_fitted(model: Any) -> bool:
    """Return True if the model is fitted."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True


def check_predictions(model: ReferenceModel, X: Any, labels: Labels) -> Labels:
    """Return predicted labels of the training rows, or raise if any is unknown."""
    predicted = model.predict(X)
    if len(predicted) != len(labels):
        raise ValueError(
            f"reference must predict one label per row of X ({len(labels)}); got "
            f"{len(predicted)}"
        )
    unknown = predicted[~np.isin(predicted, labels)]
    if len(unknown):
        raise ValueError(
            "reference must predict only labels of y, "
            f"{np.unique(labels).tolist()}; got {unknown.tolist()[0]!r}. Fit it on the "
            "same labels"
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

    If time is up before elimination is finished, more thresholds are kept.
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
    """Return the candidate thresholds, and how many the reference has."""
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
