"""Plan: what a search is given once a reference has made its guesses."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._guesses.depth import depth_guess
from ostrya._guesses.ensembles import is_readable, read_splits
from ostrya._guesses.fitted_reference import FittedReference
from ostrya._guesses.guess import Guess
from ostrya._guesses.hold_out import HoldOut, chances
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
from ostrya._guesses.scorer import Scorer
from ostrya.outcome import Outcome
from ostrya.preprocessing.training_table import TrainingTable

Floats = npt.NDArray[np.float64]
ClassCodes = npt.NDArray[np.intp]
#: As the default of `ThresholdGuess`.
TOLERANCE = 0.1


@dataclass(frozen=True, eq=False)
class ReferencePredictions:
    """A fitted reference, and the class codes it gives the training rows."""

    model: ReferenceModel
    codes: ClassCodes

    @classmethod
    def of(cls, table: TrainingTable, model: ReferenceModel) -> ReferencePredictions:
        """Return what a model predicts of the training rows, or raise if it is odd."""
        labels = check_predictions(model, table.raw, table.labels)
        return cls(model, np.searchsorted(table.classes, labels))


class Comparison(NamedTuple):
    """How a reference compares with the tree found; None: it cannot be compared."""

    loss: float | None = None
    loss_above: float | None = None  # of the tree
    least_leaves: int | None = None  # of trees that predict the same


@dataclass(frozen=True, eq=False)
class Plan:
    """The columns to search, a depth limit, and a reference's labels."""

    columns: Floats  # what is searched; the encoded rows unless thresholds are guessed
    depth: int | None = None  # the depth guessed
    reference_codes: ClassCodes | None = None  # to guess bounds from; None: not wanted
    reference: ReferencePredictions | None = None
    refit: ReferencePredictions | None = None  # fitted again on the thresholds kept
    thresholds: GuessedThresholds | None = None  # None: all are searched

    def max_depth(self, limit: Any) -> Any:
        """Return the smaller of the depth guessed and the limit given."""
        if self.depth is None:
            return limit
        if limit is None or (isinstance(limit, str) and limit == "auto"):
            return self.depth
        if not isinstance(limit, (int, np.integer)):
            return limit  # what is no depth at all is for `solve` to refuse
        return min(self.depth, limit)

    def without_proof(self, outcome: Outcome) -> Outcome:
        """Return an outcome that says no more than was proved.

        Over guessed thresholds nothing is optimal.
        """
        is_proved = outcome.status in ("optimal", "optimal_to_depth")
        if self.thresholds is None or not is_proved:
            return outcome
        return replace(outcome, status="guessed")

    def report(
        self, outcome: Outcome, table: TrainingTable, loss: LabelLoss
    ) -> GuessReport | None:
        """Return what the guesses came to; None when there were none."""
        if self.reference is None:
            return None
        score = float(
            np.average(self.reference.codes == table.codes, weights=table.weights)
        )
        kept, refit = self.thresholds, self.refit
        of_reference = self._compare(self.reference, outcome, table, loss)
        of_refit = Comparison()
        if refit is not None:
            of_refit = self._compare(refit, outcome, table, loss)
        return GuessReport(
            reference=FittedReference.of(self.reference.model, table),
            refit=None if refit is None else FittedReference.of(refit.model, table),
            n_thresholds_before=None if kept is None else kept.n_before,
            n_thresholds_after=None if kept is None else len(kept.intervals.questions),
            reference_score_before=score if kept is None else kept.score_before,
            reference_score_after=score if kept is None else kept.score_after,
            max_depth=self.depth,
            guarantee=outcome.gap,
            reference_loss=of_reference.loss,
            loss_above_reference=of_reference.loss_above,
            least_leaves_to_match=of_reference.least_leaves,
            refit_loss=of_refit.loss,
            loss_above_refit=of_refit.loss_above,
            least_leaves_to_match_refit=of_refit.least_leaves,
        )

    def _compare(
        self,
        predictions: ReferencePredictions,
        outcome: Outcome,
        table: TrainingTable,
        loss: LabelLoss,
    ) -> Comparison:
        """Return how a reference compares with the tree.

        A tree of H leaves that predicts the same loses the same, so that its objective
        is that loss and a penalty for each of the H; the lower bound is not above it.
        Nor is, in a guess that closed, the objective of the tree found above what the
        other costs in the surrogate problem.
        """
        lost = loss(predictions.codes, table.codes, table.weights)
        if lost is None:
            return Comparison()
        leaves = None
        if outcome.leaf_penalty > 0:
            above = outcome.lower_bound - lost
            guide = self.reference_codes
            if outcome.status == "guessed" and guide is not None:
                surrogate = _surrogate_loss(predictions.codes, guide, table, loss)
                above = max(above, outcome.objective - surrogate)
            leaves = max(math.ceil(above / outcome.leaf_penalty - 1e-6), 1)
        return Comparison(lost, outcome.loss - lost, leaves)


def make_plan(guess: Guess | None, table: TrainingTable, loss: LabelLoss) -> Plan:
    """Return what to search, once the guesses that are wanted are made."""
    if guess is None:
        return Plan(table.matrix)
    scorer = Scorer(loss, table.codes, table.weights, len(table.classes))
    reference, hold_out = guess.reference, None
    if guess.check or reference is None:
        hold_out = HoldOut.of(table.matrix, scorer)
    if reference is None and hold_out is not None:
        reference = choose_reference(hold_out, check=guess.check)
    columns, kept, refit = table.matrix, None, None
    fitting = (reference, table.raw, table.encoder, table.labels, table.weights)
    if guess.thresholds:
        kept = guess_thresholds(*fitting, float(guess.max_drop), TOLERANCE)
        if kept.falls_short:
            warn_of_no_elimination(kept.n_before, guess.max_drop)
        columns = kept.intervals.encode(table.matrix)
        predictions = ReferencePredictions.of(table, kept.first)
        refit = ReferencePredictions.of(table, kept.model)
    else:
        predictions = ReferencePredictions.of(table, fit_model(*fitting))
    guide = predictions if refit is None else refit
    if guess.check and hold_out is not None:
        if len(np.unique(predictions.codes)) == 1 < len(table.classes):
            warn_of_one_label()
        elif guess.reference is not None:
            scored = _scored(predictions, table, loss)
            check_reference(guess.reference, hold_out, scorer, scored)
    return Plan(
        columns,
        _depth(guide.model.model) if guess.depth else None,
        guide.codes if guess.bounds else None,
        predictions,
        refit,
        kept,
    )


def _scored(
    predictions: ReferencePredictions, table: TrainingTable, loss: LabelLoss
) -> npt.NDArray[Any]:
    """Return what a reference predicts of the training rows, as a scorer takes it."""
    if not loss.is_of_ranks or predictions.model.encoder is not None:
        return predictions.codes
    return chances(predictions.model.model, table.raw, table.classes[1])


def _depth(model: Any) -> int | None:
    """Return the depth that matches an ensemble; None where it has no trees."""
    if not is_readable(model):
        return None
    splits = read_splits(model)
    return depth_guess(max(splits.n_trees, 1), max(splits.depth, 1))


def _surrogate_loss(
    predicted: ClassCodes, reference: ClassCodes, table: TrainingTable, loss: LabelLoss
) -> float:
    """Return what labels lose where no row that the reference gets wrong loses less."""
    lost = loss.of_rows(predicted, table.codes)
    of_reference = loss.of_rows(reference, table.codes)
    lost = np.where(reference == table.codes, lost, np.maximum(lost, of_reference))
    return float(np.average(lost, weights=table.weights))
