"""Look at a reference before guessing from it, and choose one where none is given.

Guesses 2022, appendix D: a search guided by a poor reference ends in a poor tree, so
look at the reference first. It is held against plain gradient boosting on rows that
neither was fitted on. Appendix C: of references that do equally well, the one with the
fewest thresholds makes the fastest search.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold

from ostrya.exceptions import ReferenceWarning
from ostrya.preprocessing.reference_model import default_reference, is_fitted, unfrozen
from ostrya.preprocessing.refits import fit_reference

#: (trees, depth) of the paper's references, those with few thresholds first.
SIZES = ((40, 1), (30, 2), (50, 2), (20, 3))
FOLDS = 3
#: More rows than this would not change the verdict.
MOST_ROWS = 3000
#: How far behind the yardstick still counts as equal, on top of one standard error.
MARGIN = 0.01

Weights = npt.NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class Trial:
    """Encoded rows in an order of their own, to fit on some and look at the others."""

    matrix: npt.NDArray[np.float64]
    codes: npt.NDArray[np.intp]
    weights: Weights

    @classmethod
    def of(
        cls,
        matrix: npt.NDArray[np.float64],
        codes: npt.NDArray[np.intp],
        weights: Weights,
    ) -> Trial:
        """Return a sample of rows that does not depend on their order."""
        keys = [*matrix.T[::-1], codes]
        order = np.lexsort(keys if weights is None else [weights, *keys])
        if len(order) > MOST_ROWS:
            chosen = np.random.default_rng(0).permutation(len(order))[:MOST_ROWS]
            order = order[np.sort(chosen)]
        kept = None if weights is None else weights[order]
        return cls(matrix[order], codes[order], kept)

    @property
    def is_possible(self) -> bool:
        """True when every class has a row in every fold."""
        _, counts = np.unique(self.codes, return_counts=True)
        return len(counts) > 1 and bool(counts.min() >= FOLDS)

    @property
    def margin(self) -> float:
        """What two equally good models may differ by."""
        return float(MARGIN + 0.5 / np.sqrt(len(self.codes)))

    def score(self, model: Any) -> float:
        """Return the weighted accuracy of a model on rows it was not fitted on."""
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        is_right = np.empty(len(self.codes), dtype=bool)
        for train, test in folds.split(self.matrix, self.codes):
            weights = None if self.weights is None else self.weights[train]
            fitted = fit_reference(
                model, self.matrix[train], self.codes[train], weights
            )
            predicted = np.asarray(fitted.predict(self.matrix[test]))
            is_right[test] = predicted == self.codes[test]
        return float(np.average(is_right, weights=self.weights))

    def yardstick(self) -> float:
        """Return the score of plain gradient boosting: 100 trees of depth 3."""
        return self.score(GradientBoostingClassifier(random_state=0))


def choose_reference(trial: Trial, *, check: bool) -> Any:
    """Return the smallest of the paper's references that is good enough.

    Where none is, the best one is taken, and `check` says to warn of it. Rows too few
    to judge by get the default.
    """
    if not trial.is_possible:
        return default_reference()
    wanted = trial.yardstick()
    scores = {}
    for trees, depth in SIZES:
        model = GradientBoostingClassifier(
            n_estimators=trees, max_depth=depth, random_state=0
        )
        scores[model] = trial.score(model)
        if scores[model] >= wanted - trial.margin:
            return model
    best = max(scores, key=scores.__getitem__)
    if check:
        _warn(best, scores[best], wanted)
    return best


def check_reference(reference: Any, trial: Trial, training_score: float) -> None:
    """Warn when a reference that was given is clearly behind the yardstick.

    Parameters
    ----------
    reference : classifier
        Not fitted: it is tried on held-out rows. Fitted: its score on the rows at hand
        must do.
    trial : Trial
        The rows.
    training_score : float
        The reference's weighted accuracy on the training rows.
    """
    if not trial.is_possible:
        return
    model = unfrozen(reference)
    score = training_score if is_fitted(model) else trial.score(model)
    wanted = trial.yardstick()
    if score < wanted - trial.margin:
        _warn(model, score, wanted)


def warn_of_one_label() -> None:
    """Warn of a reference that gives every row the same label, though they differ."""
    warnings.warn(
        "The reference predicts one label only, so there is little to guess from it; "
        "give a stronger one as guess=Guess(reference=...).",
        ReferenceWarning,
        stacklevel=4,
    )


def _warn(model: Any, score: float, wanted: float) -> None:
    warnings.warn(
        f"The reference {model!r} gets {score:.1%} of held-out rows right where plain "
        f"gradient boosting gets {wanted:.1%}; a tree guided by it can be as poor. "
        "Give a stronger one as guess=Guess(reference=...).",
        ReferenceWarning,
        stacklevel=5,
    )
