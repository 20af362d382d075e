"""HoldOut: fit a model on some of the rows and predict the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from ostrya._guesses.guess_clock import GuessClock
from ostrya._guesses.refits import fit_reference
from ostrya._guesses.scorer import Scorer

FOLDS = 3
#: From this number of rows on, a third of them suffices to choose a reference.
QUICK_ROWS = 900
#: Most rows to use; more would hardly change the result.
MOST_ROWS = 3000

Floats = npt.NDArray[np.float64]
ClassCodes = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class HoldOut:
    """A sample of encoded rows, independent of the order of rows and of class names."""

    matrix: Floats
    classes: ClassCodes  # numbered by their rows instead of their names
    fold: npt.NDArray[np.intp]  # the fold of each row
    scorer: Scorer  # uses the class codes of the caller
    codes: ClassCodes  # the caller's code for each of `classes`
    n_predicted: int = FOLDS  # folds to predict; the others are for training only

    @classmethod
    def of(cls, matrix: Floats, scorer: Scorer) -> HoldOut:
        """Return a sample of these rows."""
        codes = _nameless(matrix, scorer)
        classes = np.empty_like(codes)
        classes[codes] = np.arange(len(codes))
        classes = classes[scorer.codes]
        keys = [*matrix.T[::-1], classes]
        order = np.lexsort(keys if scorer.weights is None else [scorer.weights, *keys])
        chance = np.random.default_rng(0)
        if len(order) > MOST_ROWS:
            order = order[np.sort(chance.permutation(len(order))[:MOST_ROWS])]
        # Class by class, rows go to the folds in turn.
        turn = np.lexsort([chance.permutation(len(order)), classes[order]])
        fold = np.empty(len(order), dtype=np.intp)
        fold[turn] = np.arange(len(order)) % FOLDS
        kept = None if scorer.weights is None else scorer.weights[order]
        return cls(
            matrix[order],
            classes[order],
            fold,
            replace(scorer, codes=scorer.codes[order], weights=kept),
            codes,
        )

    @property
    def is_possible(self) -> bool:
        """True if at least two classes have rows in every fold."""
        return int((np.bincount(self.classes) >= FOLDS).sum()) >= 2

    def quick(self) -> HoldOut:
        """Return the same rows, of which only one fold is predicted if it suffices."""
        n_predicted = FOLDS if len(self.classes) < QUICK_ROWS else 1
        return replace(self, n_predicted=n_predicted)

    @property
    def judge(self) -> Scorer:
        """The scorer of the rows that are predicted."""
        there = self.fold < self.n_predicted
        weights = self.scorer.weights
        return replace(
            self.scorer,
            codes=self.scorer.codes[there],
            weights=None if weights is None else weights[there],
        )

    def predictions(
        self, model: Any, clock: GuessClock | None = None, share: float = 1.0
    ) -> npt.NDArray[Any]:
        """Return out-of-fold predictions of a model, for the scorer.

        Raises `OutOfTimeError` if this takes longer than a share of the time.
        """
        (predicted,) = self._predicted(model, clock, share, lambda fitted: [fitted])
        return predicted

    def staged_predictions(
        self, model: Any, sizes: Sequence[int], clock: GuessClock, share: float
    ) -> list[npt.NDArray[Any]]:
        """Return what gradient boosting predicts after its first trees of each number.

        This is what separate models of these sizes predict, for the price of the
        largest one.
        """
        model = clone(model).set_params(n_estimators=max(sizes))
        return self._predicted(
            model, clock, share, lambda fitted: [_first_trees(fitted, n) for n in sizes]
        )

    def _predicted(
        self,
        model: Any,
        clock: GuessClock | None,
        share: float,
        parts: Callable[[Any], list[Any]],
    ) -> list[npt.NDArray[Any]]:
        """Return what each of the parts of a fitted model predicts."""
        clock = GuessClock() if clock is None else clock
        is_of_ranks = self.scorer.loss.is_of_ranks
        found: list[npt.NDArray[Any]] = []
        for fold in range(self.n_predicted):
            clock.require(share=share)
            train, test = self.fold != fold, self.fold == fold
            weights = self.scorer.weights
            # Some models require consecutive class codes.
            seen, labels = np.unique(self.classes[train], return_inverse=True)
            fitted = fit_reference(
                model,
                self.matrix[train],
                labels,
                None if weights is None else weights[train],
                clock.watch(share),
            )
            clock.require(share=share)
            for place, part in enumerate(parts(fitted)):
                if place == len(found):
                    kind = float if is_of_ranks else np.intp
                    found.append(np.zeros(len(self.classes), dtype=kind))
                if is_of_ranks:
                    positive = int(np.flatnonzero(self.codes[seen] == 1)[0])
                    found[place][test] = chances(part, self.matrix[test], positive)
                else:
                    own = np.asarray(part.predict(self.matrix[test])).astype(np.intp)
                    found[place][test] = self.codes[seen][own]
        there = self.fold < self.n_predicted
        return [predicted[there] for predicted in found]


def _first_trees(model: Any, n: int) -> Any:
    """Return fitted gradient boosting with its first trees only."""
    shorter = copy(model).set_params(n_estimators=n)
    shorter.estimators_ = model.estimators_[:n]
    return shorter


def chances(model: Any, X: Any, positive: Any) -> npt.NDArray[np.float64]:
    """Return the predicted probability of the class `positive`, for ranking."""
    if not hasattr(model, "predict_proba"):
        return np.asarray(model.predict(X) == positive, dtype=np.float64)
    column = np.flatnonzero(np.asarray(model.classes_) == positive)
    shares = np.asarray(model.predict_proba(X))
    return shares[:, column[0]] if len(column) else np.zeros(len(shares))


def _nameless(matrix: Floats, scorer: Scorer) -> ClassCodes:
    """Return the class codes in an order that does not depend on their names.

    Classes are sorted by decreasing number of rows, and then by the values of their
    rows. Classes that are still tied have equal rows, so their order does not matter.
    """
    rows = matrix
    if scorer.weights is not None:
        rows = np.column_stack([matrix, scorer.weights])
    place = np.zeros(len(rows), dtype=np.intp)
    if rows.shape[1]:
        _, place = np.unique(rows, axis=0, return_inverse=True)
    places = place.reshape(-1)

    def key(code: int) -> tuple[int, list[int]]:
        own = np.sort(places[scorer.codes == code])
        return -len(own), own.tolist()

    return np.array(sorted(range(scorer.n_classes), key=key), dtype=np.intp)
