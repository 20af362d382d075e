"""Plan: what a search is given once a reference has made its guesses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import Matrix
from ostrya._guesses.depth import depth_guess
from ostrya._guesses.ensembles import is_readable, read_splits
from ostrya._guesses.fitted_reference import FittedReference
from ostrya._guesses.guess import Guess
from ostrya._guesses.guess_clock import GuessClock
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
    is_fitted,
    unfrozen,
)
from ostrya._guesses.report import GuessReport
from ostrya._guesses.row_sample import rows_to_guess_from
from ostrya._guesses.scorer import Scorer
from ostrya._solve.fit_monitor import FitMonitor
from ostrya.outcome import Outcome, Progress, is_stopped, over_some_thresholds
from ostrya.preprocessing.training_table import TrainingTable

Floats = npt.NDArray[np.float64]
ClassCodes = npt.NDArray[np.intp]
#: As the default of `ThresholdGuess`.
TOLERANCE = 0.1
# What a bound of all thresholds may take, as a share of the time spent so far.
BOUND_SHARE = 0.25
MOST_BOUND_SECONDS = 2.0

Search = Callable[..., Outcome]


@dataclass(frozen=True, eq=False)
class ReferencePredictions:
    """A fitted reference, and the class codes it gives the training rows."""

    model: ReferenceModel
    codes: ClassCodes

    @classmethod
    def of(cls, table: TrainingTable, model: ReferenceModel) -> ReferencePredictions:
        """Return what a model predicts of the training rows, or raise if it is odd."""
        if model.encoder is table.encoder:  # it knows no other labels
            labels = model.predict_encoded(table.plain_matrix)
        else:
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

    columns: Matrix  # what is searched; the encoded rows unless thresholds are guessed
    depth: int | None = None  # the depth guessed
    reference_codes: ClassCodes | None = None  # to guess bounds from; None: not wanted
    reference: ReferencePredictions | None = None
    refit: ReferencePredictions | None = None  # fitted again on the thresholds kept
    thresholds: GuessedThresholds | None = None  # None: all are searched
    cut_short: tuple[str, ...] = ()  # what there was no time for

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
        return outcome if self.thresholds is None else over_some_thresholds(outcome)

    def bound_of_all_thresholds(
        self, outcome: Outcome, search: Search, monitor: FitMonitor
    ) -> float | None:
        """Return what no tree over any thresholds is below; None: that is not known.

        Where thresholds were guessed, all of them are searched for a moment, for what
        is proved by then; the tree found stays. `search` takes columns, None standing
        for those of the table, and arguments of `ostrya.solve`.
        """
        if self.reference is None or is_stopped(outcome.status):
            return None
        if self.thresholds is None:
            return outcome.lower_bound
        seconds = min(BOUND_SHARE * monitor.seconds(), MOST_BOUND_SECONDS)
        left = monitor.left()
        told = monitor.on_progress

        def keep_telling(progress: Progress) -> bool:
            assert told is not None
            of_tree = (outcome.lower_bound, outcome.objective)
            rest = (progress.subproblems, progress.memory, outcome.n_leaves)
            return told(Progress(progress.seconds, *of_tree, *rest))

        found = search(
            None,
            time_limit=seconds if left is None else min(seconds, left),
            on_progress=None if told is None else keep_telling,
            upper_bound=outcome.objective,
        )
        return min(found.lower_bound, outcome.objective)

    def report(
        self,
        outcome: Outcome,
        table: TrainingTable,
        loss: LabelLoss,
        lower_bound_of_all: float | None,
    ) -> GuessReport | None:
        """Return what the guesses came to; None when there were none.

        `lower_bound_of_all` is one of trees over all thresholds, as far as is known.
        """
        if self.reference is None:
            return None
        kept, refit = self.thresholds, self.refit
        if kept is None or "rows" in self.cut_short:
            # Those of the thresholds speak of the rows that were guessed from.
            before = after = self._score(self.reference, table)
            if refit is not None:
                after = self._score(refit, table)
        else:
            before, after = kept.score_before, kept.score_after
        of_reference = self._compare(self.reference, outcome, table, loss)
        of_refit = Comparison()
        if refit is not None:
            of_refit = self._compare(refit, outcome, table, loss)
        return GuessReport(
            reference=FittedReference.of(self.reference.model, table),
            refit=None if refit is None else FittedReference.of(refit.model, table),
            n_thresholds_before=None if kept is None else kept.n_before,
            n_thresholds_after=None if kept is None else len(kept.intervals.questions),
            reference_score_before=before,
            reference_score_after=after,
            max_depth=self.depth,
            guarantee=outcome.gap,
            reference_loss=of_reference.loss,
            loss_above_reference=of_reference.loss_above,
            least_leaves_to_match=of_reference.least_leaves,
            refit_loss=of_refit.loss,
            loss_above_refit=of_refit.loss_above,
            least_leaves_to_match_refit=of_refit.least_leaves,
            lower_bound_of_all_thresholds=lower_bound_of_all,
            gap_of_all_thresholds=(
                None
                if lower_bound_of_all is None
                else max(outcome.objective - lower_bound_of_all, 0.0)
            ),
            cut_short=self.cut_short,
        )

    @staticmethod
    def _score(predictions: ReferencePredictions, table: TrainingTable) -> float:
        is_right = predictions.codes == table.codes
        return float(np.average(is_right, weights=table.weights))

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


def make_plan(
    guess: Guess | None, table: TrainingTable, loss: LabelLoss, monitor: FitMonitor
) -> Plan:
    """Return what to search, once the guesses that are wanted are made.

    They take no more than their share of the time of a fit. From here on Ctrl-C ends
    them, and there will be a tree all the same.
    """
    if guess is None:
        return Plan(table.matrix)
    monitor.ctrl_c.keep()
    clock = GuessClock(monitor)
    fitted = guess.reference is not None and is_fitted(unfrozen(guess.reference))
    some = table
    if not fitted:
        some = rows_to_guess_from(table, guess.reference, clock)
    scorer = Scorer(loss, some.codes, some.weights, len(table.classes))
    reference, hold_out = guess.reference, None
    if guess.check or reference is None:
        hold_out = HoldOut.of(some.plain_matrix, scorer)
    if reference is None and hold_out is not None:
        reference = choose_reference(hold_out, check=guess.check, clock=clock)
    columns, kept, refit = table.plain_matrix, None, None
    fitting = (reference, some.raw, some.encoder, some.labels, some.weights)
    if guess.thresholds:
        max_drop = float(guess.max_drop)
        kept = guess_thresholds(*fitting, max_drop, TOLERANCE, clock)
        if kept.falls_short:
            warn_of_no_elimination(kept.n_before, guess.max_drop)
        columns = kept.intervals.encode(table.plain_matrix)
        predictions = ReferencePredictions.of(table, kept.first)
        refit = ReferencePredictions.of(table, kept.model)
    else:
        predictions = ReferencePredictions.of(table, fit_model(*fitting, clock))
    guide = predictions if refit is None else refit
    if guess.check and hold_out is not None:
        if len(np.unique(predictions.codes)) == 1 < len(table.classes):
            warn_of_one_label(clock)
        elif guess.reference is not None:
            scored = _scored(predictions, table, loss)
            every = replace(scorer, codes=table.codes, weights=table.weights)
            check_reference(guess.reference, hold_out, every, scored, clock)
    return Plan(
        columns,
        _depth(guide.model.model) if guess.depth else None,
        guide.codes if guess.bounds else None,
        predictions,
        refit,
        kept,
        tuple(clock.cut_short),
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
