"""HoldOut: fit a model on some of the rows and have it predict the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._guesses.guess_clock import GuessClock
from ostrya._guesses.refits import fit_reference
from ostrya._guesses.scorer import Scorer

FOLDS = 3
#: More rows than this would not change the verdict.
MOST_ROWS = 3000

Floats = npt.NDArray[np.float64]
ClassCodes = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class HoldOut:
    """A sample of the encoded rows that depends neither on their order nor on names."""

    matrix: Floats
    classes: ClassCodes  # numbered by where their rows are and not by their names
    fold: npt.NDArray[np.intp]  # of each row
    scorer: Scorer  # with the labels in the codes of the caller
    codes: ClassCodes  # the caller's code of each of `classes`

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
        """True when two classes have rows in every fold."""
        return int((np.bincount(self.classes) >= FOLDS).sum()) >= 2

    def predictions(
        self, model: Any, clock: GuessClock | None = None, share: float = 1.0
    ) -> npt.NDArray[Any]:
        """Return what a model predicts of rows it was not fitted on, for the scorer.

        Raises `OutOfTimeError` when that takes longer than a share of the time.
        """
        clock = GuessClock() if clock is None else clock
        is_of_ranks = self.scorer.loss.is_of_ranks
        predicted = np.zeros(len(self.classes), dtype=float if is_of_ranks else np.intp)
        for fold in range(FOLDS):
            clock.require(share=share)
            train, test = self.fold != fold, self.fold == fold
            weights = self.scorer.weights
            # Some models want the classes they see numbered without a gap.
            seen, labels = np.unique(self.classes[train], return_inverse=True)
            fitted = fit_reference(
                model,
                self.matrix[train],
                labels,
                None if weights is None else weights[train],
                clock.watch(share),
            )
            clock.require(share=share)
            if is_of_ranks:
                positive = int(np.flatnonzero(self.codes[seen] == 1)[0])
                predicted[test] = chances(fitted, self.matrix[test], positive)
            else:
                places = np.asarray(fitted.predict(self.matrix[test])).astype(np.intp)
                predicted[test] = self.codes[seen][places]
        return predicted


def chances(model: Any, X: Any, positive: Any) -> npt.NDArray[np.float64]:
    """Return how likely a fitted model takes the class `positive` to be, to rank by."""
    if not hasattr(model, "predict_proba"):
        return np.asarray(model.predict(X) == positive, dtype=np.float64)
    column = np.flatnonzero(np.asarray(model.classes_) == positive)
    shares = np.asarray(model.predict_proba(X))
    return shares[:, column[0]] if len(column) else np.zeros(len(shares))


def _nameless(matrix: Floats, scorer: Scorer) -> ClassCodes:
    """Return the class codes in an order that does not depend on their names.

    Those of many rows come first; of equally many, those of the smaller rows. Classes
    that tie in this have equal rows, so that it does not matter which comes first.
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
