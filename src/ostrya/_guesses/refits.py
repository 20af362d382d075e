"""Refit a reference model on fewer thresholds, reusing as much as possible."""

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
#: Called after each round of trees; True ends the fit.
Watch = Callable[..., bool]
#: The index of the first tree that uses a threshold, if none does.
NEVER = np.iinfo(np.intp).max


def fit_reference(
    reference: Any, X: Any, labels: Any, weights: Any, watch: Watch | None = None
) -> Any:
    """Return a fitted clone; rows are sorted first, so that their order is irrelevant.

    Gradient boosting calls `watch` after each round of trees.
    """
    order = _order(X, labels, weights)
    some = None if weights is None else weights[order]
    return _fit(reference, X[order], labels[order], some, watch)


def _order(X: Any, labels: Any, weights: Any) -> npt.NDArray[np.intp]:
    """Return an order of rows that does not depend on the given order."""
    keys = [*X.T[::-1], labels]
    return np.lexsort(keys if weights is None else [weights, *keys])


def _fit(
    reference: Any, X: Any, labels: Any, weights: Any, watch: Watch | None = None
) -> Any:
    """Return a clone fitted on the rows in the given order."""
    options = {} if weights is None else {"sample_weight": weights}
    if watch is not None and is_boosting(reference):
        options["monitor"] = watch
    model = clone(reference)
    if is_shape_model(model):
        # Otherwise it may treat columns as categories, which have no thresholds.
        model.set_params(feature_types=["continuous"] * X.shape[1])
    elif "categorical_features" in model.get_params():
        model.set_params(categorical_features=None)  # they are already encoded
    try:
        return model.fit(X, labels, **options)
    except TypeError as error:
        if weights is not None and "sample_weight" in str(error):
            raise TypeError(
                "reference must support sample_weight if weights are given; got "
                f"{type(reference).__name__}. Use another reference, or no weights"
            ) from error
        raise


def is_boosting(model: Any) -> bool:
    """Return True for the only model whose fit can be stopped."""
    return type(model) is GradientBoostingClassifier


def right_weight(
    predicted: npt.NDArray[Any],
    labels: npt.NDArray[Any],
    weights: Floats | None,
) -> float:
    """Return the weight of the correctly classified rows, correctly rounded.

    The sum does not depend on the order of rows, so that rounding is never mistaken for
    a drop in accuracy.
    """
    is_right = predicted == labels
    if weights is None:
        return float(np.count_nonzero(is_right))
    return math.fsum(weights[is_right])


class Refits:
    """Fit a reference on candidates, and again on fewer and fewer of them.

    Rows are in the order in which the reference was fitted, whatever their codes, so
    that a model that samples rows randomly draws the same rows again. This order does
    not depend on the order of the training rows.

    `labels` are class codes. A fit raises `OutOfTimeError` if the `clock` does not
    allow it; `takes` is the expected duration of a fit in seconds.
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
        """Return the codes of the training rows, over the columns with candidates."""
        return merged(self._codes, self.candidates, kept)

    def fit(self, kept: Mask) -> Any:
        """Return the reference fitted on the kept thresholds."""
        self.clock.require(self._takes)
        started = time.perf_counter()
        codes = self.codes(kept)
        model = _fit(self.reference, codes, self.labels, self.weights)
        self._takes = time.perf_counter() - started
        return model

    def refit(self, model: Any, kept: Mask, removed: int) -> Any:
        """Return the model refitted without the threshold `removed`."""
        return self.fit(kept)

    def predict(self, model: Any, kept: Mask) -> npt.NDArray[Any]:
        """Return the model's label of each row of `labels`."""
        return np.asarray(model.predict(self.codes(kept)))

    def right(self, model: Any, kept: Mask) -> float:
        """Return the weight of the correctly classified training rows."""
        return right_weight(self.predict(model, kept), self.labels, self.weights)

    def usage(self, model: Any, kept: Mask) -> tuple[Floats, npt.NDArray[np.intp]]:
        """Return the importance of each threshold, and the first tree that uses it."""
        splits = read_splits(model)
        gains = np.zeros(len(kept))
        first = np.full(len(kept), NEVER)
        for column in np.unique(splits.feature):
            chosen = splits.feature == column
            there = np.flatnonzero(kept & (self.column == column))
            # A split is between two codes; the lower one is the rank of its threshold.
            asked = there[splits.n_yes(self.rank[there].astype(np.float64), chosen) - 1]
            np.add.at(gains, asked, splits.gain[chosen])
            np.minimum.at(first, asked, splits.tree[chosen])
        return gains, first


class BoostingRefits(Refits):
    """Refits of plain gradient boosting that merge equal rows and keep early trees.

    Rows with equal codes and label have equal residuals in every round, so one row with
    their total weight represents them. A refit without a threshold would grow the same
    trees up to the first tree that uses it, so these trees are kept.
    """

    @staticmethod
    def fits(reference: Any) -> bool:
        """Return True if rows may be merged and trees kept: no option is random."""
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
        """Return the reference fitted on the kept thresholds."""
        return self._grown(clone(self.reference), kept)

    def refit(self, model: Any, kept: Mask, removed: int) -> Any:
        """Return the model refitted without the threshold `removed`."""
        before = kept.copy()
        before[removed] = True
        first = int(self.usage(model, before)[1][removed])
        if first >= len(model.estimators_):
            return model
        if first == 0:
            return self.fit(kept)
        # A warm start only grows the missing trees.
        shorter = copy(model).set_params(warm_start=True)
        shorter.estimators_ = model.estimators_[:first]
        shorter.train_score_ = model.train_score_[:first]
        return self._grown(shorter, kept).set_params(warm_start=False)

    def _grown(self, model: Any, kept: Mask) -> Any:
        """Return the model with all its trees, some of which may exist."""
        self.clock.require()
        model = model.fit(*self._merged(kept), monitor=self.clock.watch(1.0))
        if len(model.estimators_) < model.n_estimators:
            raise OutOfTimeError
        return model

    def _merged(self, kept: Mask) -> tuple[Floats, npt.NDArray[Any], Floats]:
        """Return distinct rows with labels and weights, in a canonical order."""
        codes = self.codes(kept)
        order = np.lexsort([self.labels, *codes.T])
        codes, labels = codes[order], self.labels[order]
        is_new = (codes[1:] != codes[:-1]).any(axis=1) | (labels[1:] != labels[:-1])
        starts = np.flatnonzero(np.concatenate([[True], is_new]))
        weights = np.ones(len(order)) if self.weights is None else self.weights[order]
        return codes[starts], labels[starts], _sums(weights, starts)


def _sums(weights: Floats, starts: npt.NDArray[np.intp]) -> Floats:
    """Return the sums of runs, which are sorted so that row order is irrelevant."""
    run = np.repeat(np.arange(len(starts)), np.diff([*starts, len(weights)]))
    weights = weights[np.lexsort([weights, run])]
    return np.asarray(np.add.reduceat(weights, starts))
