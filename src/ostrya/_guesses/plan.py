"""Plan: what a search is given once a reference has made its guesses."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._guesses.depth import depth_guess
from ostrya._guesses.ensembles import is_readable, read_splits
from ostrya._guesses.fitted_reference import FittedReference
from ostrya._guesses.guess import Guess
from ostrya._guesses.hold_out import Trial, chances
from ostrya._guesses.label_loss import LabelLoss
from ostrya._guesses.reference_check import (
    check_reference,
    choose_reference,
    warn_of_no_elimination,
    warn_of_one_label,
)
from ostrya._guesses.reference_model import (
    GuessedThresholds,
    ReferenceModel,
    check_predictions,
    fit_model,
    guess_thresholds,
)
from ostrya._guesses.report import GuessReport
from ostrya._guesses.scorer import Judge
from ostrya.outcome import Outcome
from ostrya.preprocessing.training_table import TrainingRows
from ostrya.tree import Tree

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]
#: As the default of `ThresholdGuess`.
TOLERANCE = 0.1


@dataclass(frozen=True, eq=False)
class Asked:
    """A fitted reference, and the class codes it gives the training rows."""

    model: ReferenceModel
    codes: Codes

    @classmethod
    def about(cls, rows: TrainingRows, model: ReferenceModel) -> Asked:
        """Return what a model says of the training rows, or raise if it is odd."""
        labels = check_predictions(model, rows.table, rows.labels)
        return cls(model, np.searchsorted(rows.classes, labels))


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
    reference, refit : Asked or None
        The reference itself, and the one fitted again on the thresholds kept.
    thresholds : GuessedThresholds or None
        What is left of the thresholds; None: all.
    """

    columns: Floats
    depth: int | None = None
    reference_codes: Codes | None = None
    reference: Asked | None = None
    refit: Asked | None = None
    thresholds: GuessedThresholds | None = None

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
            threshold[node] = self.thresholds.intervals.threshold(
                int(tree.feature[node]), tree.threshold[node]
            )
        return replace(tree, threshold=threshold)

    def report(
        self, outcome: Outcome, rows: TrainingRows, loss: LabelLoss
    ) -> GuessReport | None:
        """Return what the guesses came to; None when there were none."""
        if self.reference is None:
            return None
        score = float(
            np.average(self.reference.codes == rows.codes, weights=rows.weights)
        )
        kept, refit = self.thresholds, self.refit
        return GuessReport(
            reference=FittedReference.of(self.reference.model, rows),
            refit=None if refit is None else FittedReference.of(refit.model, rows),
            n_thresholds_before=None if kept is None else kept.n_before,
            n_thresholds_after=None if kept is None else len(kept.intervals.questions),
            reference_score_before=score if kept is None else kept.score_before,
            reference_score_after=score if kept is None else kept.score_after,
            max_depth=self.depth,
            guarantee=outcome.gap,
            **self._compared("reference", self.reference, outcome, rows, loss),
            **self._compared("refit", refit, outcome, rows, loss),
        )

    def _compared(
        self,
        name: str,
        asked: Asked | None,
        outcome: Outcome,
        rows: TrainingRows,
        loss: LabelLoss,
    ) -> dict[str, Any]:
        """Return how a reference compares with the tree, by the names of a report.

        A tree of H leaves that predicts the same loses the same, so that its objective
        is that loss and a penalty for each of the H; the lower bound is not above it.
        Nor is, in a guess that closed, the objective of the tree found above what the
        other costs in the dearer problem.
        """
        suffix = "" if name == "reference" else f"_{name}"
        lost = None if asked is None else loss(asked.codes, rows.codes, rows.weights)
        leaves = None
        if asked is not None and lost is not None and outcome.leaf_penalty > 0:
            above = outcome.lower_bound - lost
            if outcome.status == "guessed" and self.reference_codes is not None:
                dear = _dear_loss(asked.codes, self.reference_codes, rows, loss)
                above = max(above, outcome.objective - dear)
            leaves = max(math.ceil(above / outcome.leaf_penalty - 1e-6), 1)
        return {
            f"{name}_loss": lost,
            f"loss_above_{name}": None if lost is None else outcome.loss - lost,
            f"least_leaves_to_match{suffix}": leaves,
        }


def make_plan(guess: Guess | None, rows: TrainingRows, loss: LabelLoss) -> Plan:
    """Return what to search, with the guesses asked for made."""
    if guess is None:
        return Plan(rows.matrix)
    judge = Judge(loss, rows.codes, rows.weights, len(rows.classes))
    reference, trial = guess.reference, None
    if guess.check or reference is None:
        trial = Trial.of(rows.matrix, judge)
    if reference is None and trial is not None:
        reference = choose_reference(trial, check=guess.check)
    columns, kept, refit = rows.matrix, None, None
    fitting = (reference, rows.table, rows.encoder, rows.labels, rows.weights)
    if guess.thresholds:
        kept = guess_thresholds(*fitting, float(guess.max_drop), TOLERANCE)
        if kept.falls_short:
            warn_of_no_elimination(kept.n_before, guess.max_drop)
        columns = kept.intervals.encode(rows.matrix)
        asked, refit = Asked.about(rows, kept.first), Asked.about(rows, kept.model)
    else:
        asked = Asked.about(rows, fit_model(*fitting))
    guide = asked if refit is None else refit
    if guess.check and trial is not None:
        if len(np.unique(asked.codes)) == 1 < len(rows.classes):
            warn_of_one_label()
        elif guess.reference is not None:
            answers = _answers(asked, rows, loss)
            check_reference(guess.reference, trial, judge, answers)
    return Plan(
        columns,
        _depth(guide.model.model) if guess.depth else None,
        guide.codes if guess.bounds else None,
        asked,
        refit,
        kept,
    )


def _answers(asked: Asked, rows: TrainingRows, loss: LabelLoss) -> npt.NDArray[Any]:
    """Return what a reference answers to the training rows, for a judge."""
    if not loss.is_of_ranks or asked.model.encoder is not None:
        return asked.codes
    return chances(asked.model.model, rows.table, rows.classes[1])


def _depth(model: Any) -> int | None:
    """Return the depth that matches an ensemble; None where it has no trees."""
    if not is_readable(model):
        return None
    splits = read_splits(model)
    return depth_guess(max(splits.n_trees, 1), max(splits.depth, 1))


def _dear_loss(
    predicted: Codes, reference: Codes, rows: TrainingRows, loss: LabelLoss
) -> float:
    """Return what labels lose where no row the reference gets wrong loses less."""
    lost = loss.of_rows(predicted, rows.codes)
    of_reference = loss.of_rows(reference, rows.codes)
    lost = np.where(reference == rows.codes, lost, np.maximum(lost, of_reference))
    return float(np.average(lost, weights=rows.weights))
