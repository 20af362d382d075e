"""Plan: what a search is given once a reference has made its guesses."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.estimators.depth import depth_guess
from ostrya.estimators.guess import Guess
from ostrya.estimators.reference_check import (
    Trial,
    check_reference,
    choose_reference,
    warn_of_one_label,
)
from ostrya.estimators.rows import TrainingRows
from ostrya.outcome import Outcome
from ostrya.preprocessing import ThresholdGuess
from ostrya.preprocessing.reference_model import (
    ReferenceModel,
    check_predictions,
    fit_model,
)
from ostrya.preprocessing.references import is_readable, read_splits
from ostrya.tree import Tree

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class GuessReport:
    """What was guessed, and what it can have cost.

    Attributes
    ----------
    reference : classifier
        The reference model, fitted.
    n_thresholds_before, n_thresholds_after : int or None
        Thresholds of the reference and those kept; None when all were searched.
    reference_score_before, reference_score_after : float
        Weighted training accuracy of the reference, before and after thresholds went.
    max_depth : int or None
        The depth limit guessed; None when depth was not.
    guarantee : float
        No tree on the columns searched has an objective better by more than this
        (Thm. 4.3 of the guesses paper, or a sharper bound where there is one).
    reference_loss : float
        Training loss of the reference, counted as that of the tree.
    loss_above_reference : float
        Loss of the tree less that of the reference.
    least_leaves_to_match : int or None
        Every tree within the limits that predicts what the reference predicts has at
        least this many leaves (Cor. 4.3.1); None when the search was stopped, or the
        penalty is 0.
    """

    reference: Any
    n_thresholds_before: int | None
    n_thresholds_after: int | None
    reference_score_before: float
    reference_score_after: float
    max_depth: int | None
    guarantee: float
    reference_loss: float
    loss_above_reference: float
    least_leaves_to_match: int | None


@dataclass(frozen=True, eq=False)
class Plan:
    """The columns to search, a depth limit, and a reference's labels.

    Attributes
    ----------
    columns : ndarray of float64
        What the search is given; without guessed thresholds the encoded rows.
    depth : int or None
        The depth guessed.
    reference_codes : ndarray or None
        Class codes of the reference, for the search; None: its bounds are not used.
    """

    columns: Floats
    depth: int | None = None
    reference_codes: npt.NDArray[np.intp] | None = None
    model: ReferenceModel | None = None
    predicted: npt.NDArray[np.intp] | None = None
    thresholds: ThresholdGuess | None = None
    score: float = 0.0

    def max_depth(self, limit: Any) -> Any:
        """Return the smaller of the depth guessed and the limit given."""
        if self.depth is None or not isinstance(limit, (int, np.integer, type(None))):
            return limit  # what is no depth at all is for `solve` to refuse
        return self.depth if limit is None else min(self.depth, limit)

    def restored(self, outcome: Outcome) -> Outcome:
        """Return an outcome over `columns` as one over the encoded rows.

        Over guessed thresholds nothing is optimal.
        """
        is_partial = self.thresholds is not None and outcome.is_optimal
        return replace(
            outcome,
            tree=self._restored(outcome.tree),
            status="guessed" if is_partial else outcome.status,
        )

    def _restored(self, tree: Tree) -> Tree:
        if self.thresholds is None:
            return tree
        threshold = tree.threshold.copy()
        for node in np.flatnonzero(tree.feature >= 0).tolist():
            threshold[node] = self.thresholds.intervals_.threshold(
                int(tree.feature[node]), tree.threshold[node]
            )
        return replace(tree, threshold=threshold)

    def report(self, outcome: Outcome, rows: TrainingRows) -> GuessReport | None:
        """Return what the guesses came to; None when there were none."""
        if self.model is None or self.predicted is None:
            return None
        loss = _loss(self.predicted, rows)
        penalty, leaves = outcome.leaf_penalty, None
        if outcome.status in ("optimal", "guessed") and penalty > 0:
            # The objective is at most the reference's loss plus a penalty a leaf.
            leaves = max(math.ceil((outcome.objective - loss) / penalty - 1e-6), 1)
        kept = self.thresholds
        return GuessReport(
            self.model.model,
            None if kept is None else kept.n_thresholds_before_,
            None if kept is None else kept.n_thresholds_after_,
            self.score if kept is None else kept.reference_score_before_,
            self.score if kept is None else kept.reference_score_after_,
            self.depth,
            outcome.gap,
            loss,
            outcome.loss - loss,
            leaves,
        )


def make_plan(guess: Guess | None, rows: TrainingRows) -> Plan:
    """Return what to search, with the guesses asked for made."""
    if guess is None:
        return Plan(rows.matrix)
    reference, trial = guess.reference, None
    if guess.check or reference is None:
        trial = Trial.of(rows.matrix, rows.codes, rows.weights)
    if reference is None and trial is not None:
        reference = choose_reference(trial, check=guess.check)
    columns, thresholds = rows.matrix, None
    if guess.thresholds:
        thresholds = ThresholdGuess(reference, guess.max_drop).fit(
            rows.table, rows.labels, rows.weights
        )
        columns, model = thresholds.encode(rows.table), thresholds.reference_
    else:
        model = fit_model(
            reference, rows.table, rows.encoder, rows.labels, rows.weights
        )
    labels = check_predictions(model, rows.table, rows.labels)
    predicted = np.searchsorted(rows.classes, labels)
    score = float(np.average(predicted == rows.codes, weights=rows.weights))
    if guess.check and trial is not None:
        if len(np.unique(predicted)) == 1 < len(rows.classes):
            warn_of_one_label()
        elif guess.reference is not None:
            check_reference(guess.reference, trial, score)
    return Plan(
        columns,
        _depth(model.model) if guess.depth else None,
        predicted if guess.bounds else None,
        model,
        predicted,
        thresholds,
        score,
    )


def _depth(model: Any) -> int | None:
    """Return the depth that matches an ensemble; None where it has no trees."""
    if not is_readable(model):
        return None
    splits = read_splits(model)
    return depth_guess(max(splits.n_trees, 1), max(splits.depth, 1))


def _loss(predicted: npt.NDArray[np.intp], rows: TrainingRows) -> float:
    """Return the weighted mean cost of labels."""
    lost = predicted != rows.codes
    if rows.costs is not None:
        lost = np.asarray(rows.costs)[rows.codes, predicted]
    return float(np.average(lost, weights=rows.weights))
