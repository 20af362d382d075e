"""Refit a reference model on fewer thresholds, as little of it as need be."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier

from ostrya._guesses.candidates import Candidates
from ostrya._guesses.codes import all_codes, merged, places
from ostrya._guesses.ensembles import read_splits
from ostrya._guesses.ensembles.shapes import is_shape_model
from ostrya._guesses.guess_clock import GuessClock, OutOfTimeError

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
#: Asked after each round of trees; True ends the fit.
Watch = Callable[..., bool]
#: The first tree that asks about a threshold, where none does.
NEVER = np.iinfo(np.intp).max


def fit_reference(
    reference: Any, X: Any, labels: Any, weights: Any, watch: Watch | None = None
) -> Any:
    """Return a fitted clone; rows are sorted first, so that their order is nothing.

    Gradient boosting asks `watch` after each round of trees whether to end.
    """
    order = _order(X, labels, weights)
    some = None if weights is None else weights[order]
    return _fit(reference, X[order], labels[order], some, watch)


def _order(X: Any, labels: Any, weights: Any) -> npt.NDArray[np.intp]:
    """Return an order of rows that is the same however they come."""
    keys = [*X.T[::-1], labels]
    return np.lexsort(keys if weights is None else [weights, *keys])


def _fit(
    reference: Any, X: Any, labels: Any, weights: Any, watch: Watch | None = None
) -> Any:
    """Return a clone fitted on the rows as they stand."""
    options = {} if weights is None else {"sample_weight": weights}
    if watch is not None and is_boosting(reference):
        options["monitor"] = watch
    model = clone(reference)
    if is_shape_model(model):
        # Its own guesses at what is a category would hide thresholds.
        model.set_params(feature_types=["continuous"] * X.shape[1])
    elif "categorical_features" in model.get_params():
        model.set_params(categorical_features=None)  # they are encoded by now
    try:
        return model.fit(X, labels, **options)
    except TypeError as error:
        if weights is not None and "sample_weight" in str(error):
            raise TypeError(
                f"sample_weight was given, but {type(reference).__name__} takes none; "
                "use another reference, or no weights"
            ) from error
        raise


def is_boosting(model: Any) -> bool:
    """Return True for the one kind of model that can be told to end its fit."""
    return type(model) is GradientBoostingClassifier


def right_weight(
    predicted: npt.NDArray[Any],
    labels: npt.NDArray[Any],
    weights: Floats | None,
) -> float:
    """Return the weight of the rows predicted right, correctly rounded.

    Equal sets of weights give equal sums, in whatever order the rows are; so a drop
    is a drop and not a rounding.
    """
    is_right = predicted == labels
    if weights is None:
        return float(np.count_nonzero(is_right))
    return math.fsum(weights[is_right])


class Refits:
    """Fit a reference on candidates, then again on fewer and fewer of them.

    Rows stand in the order in which the reference saw them, whatever their codes, so
    that one that draws rows by chance draws the same again.

    `labels`, class codes here, and `weights` are kept in an order of rows that does not
    depend on theirs. A fit that the `clock` does not let through raises
    `OutOfTimeError`; `takes` are the seconds of one, as far as is known.
    """

    def __init__(
        self,
        reference: Any,
        candidates: Candidates,
        matrix: Floats,
        labels: npt.NDArray[Any],
        weights: Floats | None,
        clock: GuessClock | None = None,
        takes: float = 0.0,
    ) -> None:
        order = _order(matrix, labels, weights)
        self.clock = GuessClock() if clock is None else clock
        self._takes = takes
        self.reference = reference
        self.labels = labels[order]
        self.weights = None if weights is None else weights[order]
        self.candidates = candidates
        self.column, self.rank = places(candidates)
        self._codes = all_codes(candidates, matrix)[order]

    def codes(self, kept: Mask) -> Floats:
        """Return the training rows in codes, over the columns with candidates."""
        return merged(self._codes, self.candidates, kept)

    def fit(self, kept: Mask) -> Any:
        """Return the reference fitted on the thresholds kept."""
        self.clock.require(self._takes)
        started = time.perf_counter()
        codes = self.codes(kept)
        model = _fit(self.reference, codes, self.labels, self.weights)
        self._takes = time.perf_counter() - started
        return model

    def refit(self, model: Any, kept: Mask, removed: int) -> Any:
        """Return the model without the threshold `removed`, no longer kept."""
        return self.fit(kept)

    def predict(self, model: Any, kept: Mask) -> npt.NDArray[Any]:
        """Return the model's label of each row of `labels`."""
        return np.asarray(model.predict(self.codes(kept)))

    def right(self, model: Any, kept: Mask) -> float:
        """Return the weight of the training rows that the model predicts right."""
        return right_weight(self.predict(model, kept), self.labels, self.weights)

    def usage(self, model: Any, kept: Mask) -> tuple[Floats, npt.NDArray[np.intp]]:
        """Return each threshold's importance, and the first tree that asks it."""
        splits = read_splits(model)
        gains = np.zeros(len(kept))
        first = np.full(len(kept), NEVER)
        for column in np.unique(splits.feature):
            chosen = splits.feature == column
            there = np.flatnonzero(kept & (self.column == column))
            # A split lies between two codes; the lower one is its threshold.
            asked = there[splits.n_yes(self.rank[there].astype(np.float64), chosen) - 1]
            np.add.at(gains, asked, splits.gain[chosen])
            np.minimum.at(first, asked, splits.tree[chosen])
        return gains, first


class BoostingRefits(Refits):
    """Refits of plain gradient boosting: equal rows merged, trees before kept.

    Rows of equal codes and label have equal residuals in every round, so one row of
    their weight stands for them. And the trees before the first that asks about a
    threshold are what a refit without it would grow again.
    """

    @staticmethod
    def fits(reference: Any) -> bool:
        """Return True when rows may be merged and trees kept: nothing is by chance."""
        plain = {
            "subsample": 1.0,
            "max_features": None,
            "n_iter_no_change": None,
            "min_samples_split": 2,
            "min_samples_leaf": 1,
            "min_weight_fraction_leaf": 0.0,
            "init": None,
            "warm_start": False,
            "verbose": 0,
        }
        if not is_boosting(reference):
            return False
        return all(getattr(reference, name) == value for name, value in plain.items())

    def fit(self, kept: Mask) -> Any:
        """Return the reference fitted on the thresholds kept."""
        return self._grown(clone(self.reference), kept)

    def refit(self, model: Any, kept: Mask, removed: int) -> Any:
        """Return the model without the threshold `removed`, no longer kept."""
        before = kept.copy()
        before[removed] = True
        first = int(self.usage(model, before)[1][removed])
        if first >= len(model.estimators_):
            return model
        if first == 0:
            return self.fit(kept)
        # A warm start grows the trees that are missing.
        shorter = copy(model).set_params(warm_start=True)
        shorter.estimators_ = model.estimators_[:first]
        shorter.train_score_ = model.train_score_[:first]
        return self._grown(shorter, kept).set_params(warm_start=False)

    def _grown(self, model: Any, kept: Mask) -> Any:
        """Return the model with all its trees; there may be some before."""
        self.clock.require()
        model = model.fit(*self._merged(kept), monitor=self.clock.watch(1.0))
        if len(model.estimators_) < model.n_estimators:
            raise OutOfTimeError
        return model

    def _merged(self, kept: Mask) -> tuple[Floats, npt.NDArray[Any], Floats]:
        """Return distinct rows, their labels and weights, in an order of their own."""
        codes = self.codes(kept)
        order = np.lexsort([self.labels, *codes.T])
        codes, labels = codes[order], self.labels[order]
        is_new = (codes[1:] != codes[:-1]).any(axis=1) | (labels[1:] != labels[:-1])
        starts = np.flatnonzero(np.concatenate([[True], is_new]))
        weights = np.ones(len(order)) if self.weights is None else self.weights[order]
        return codes[starts], labels[starts], _sums(weights, starts)


def _sums(weights: Floats, starts: npt.NDArray[np.intp]) -> Floats:
    """Return the sums of runs; each run is sorted, so that row order is nothing."""
    run = np.repeat(np.arange(len(starts)), np.diff([*starts, len(weights)]))
    weights = weights[np.lexsort([weights, run])]
    return np.asarray(np.add.reduceat(weights, starts))
