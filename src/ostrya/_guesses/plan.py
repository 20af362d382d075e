"""Plan: the columns, depth limit and labels that a reference gives to a search."""

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
from ostrya.preprocessing.training_table import TrainingTable
from ostrya.results.outcome import Outcome, Progress, is_stopped, over_some_thresholds

Floats = npt.NDArray[np.float64]
ClassCodes = npt.NDArray[np.intp]
#: The default of `ThresholdGuess`.
TOLERANCE = 0.1
# The time for a bound over all thresholds, as a share of the time spent so far.
BOUND_SHARE = 0.25
MOST_BOUND_SECONDS = 2.0

# Cells that a reference predicts from at a time: 32 MB.
BLOCK_CELLS = 2**22

Search = Callable[..., Outcome]


@dataclass(frozen=True, eq=False)
class ReferencePredictions:
    """A fitted reference, and its predicted class codes of the training rows."""

    model: ReferenceModel
    codes: ClassCodes

    @classmethod
    def of(cls, table: TrainingTable, model: ReferenceModel) -> ReferencePredictions:
        """Return the predictions of a model, or raise if they are invalid."""
        if model.encoder is table.encoder:  # fitted on these labels
            labels = _predicted(model, table.matrix)
        else:
            labels = check_predictions(model, table.raw, table.labels)
        return cls(model, np.searchsorted(table.classes, labels))


class Comparison(NamedTuple):
    """The comparison of a reference with the tree found; None if not available."""

    loss: float | None = None
    loss_above: float | None = None  # loss of the tree minus loss of the reference
    least_leaves: int | None = None  # of trees with the predictions of the reference


@dataclass(frozen=True, eq=False)
class Plan:
    """The columns to search, a depth limit, and the labels of a reference."""

    columns: Matrix  # the encoded rows, or intervals between guessed thresholds
    depth: int | None = None  # the guessed depth limit
    reference_codes: ClassCodes | None = None  # for guessed bounds; None for none
    reference: ReferencePredictions | None = None
    refit: ReferencePredictions | None = None  # fitted on the kept thresholds
    thresholds: GuessedThresholds | None = None  # None if all are searched
    cut_short: tuple[str, ...] = ()  # the steps that ran out of time

    def max_depth(self, limit: Any) -> Any:
        """Return the smaller of the guessed depth and the given limit."""
        if self.depth is None:
            return limit
        if limit is None or (isinstance(limit, str) and limit == "auto"):
            return self.depth
        if not isinstance(limit, (int, np.integer)):
            return limit  # `solve` raises for an invalid depth
        return min(self.depth, limit)

    def without_proof(self, outcome: Outcome) -> Outcome:
        """Return an outcome that says no more than was proved.

        Over guessed thresholds nothing is optimal.
        """
        if self.thresholds is None:
            return outcome
        return over_some_thresholds(outcome, "optimal_in_guessed_thresholds")

    def bound_of_all_thresholds(
        self, outcome: Outcome, search: Search, monitor: FitMonitor
    ) -> float | None:
        """Return a lower bound over all thresholds, or None if none is known.

        If thresholds were guessed, all of them are searched for a short time, only for
        the bound. `search` accepts columns (None for those of the table) and arguments
        of `ostrya.solve`.
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
        """Return the report on the guesses, or None if there were none.

        `lower_bound_of_all` is a lower bound over all thresholds, or None.
        """
        if self.reference is None:
            return None
        kept, refit = self.thresholds, self.refit
        if kept is None or "rows" in self.cut_short:
            # The scores in `kept` are those of the sample; these are of all rows.
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
        """Compare a reference with the tree.

        A tree with H leaves and the predictions of the reference has the same loss, so
        its objective is this loss plus H penalties, and it is at least the lower bound.
        If the search under guessed bounds was completed, its cost in the surrogate
        problem is also at least the objective of the tree found.
        """
        lost = loss(predictions.codes, table.codes, table.weights)
        if lost is None:
            return Comparison()
        leaves = None
        if outcome.leaf_penalty > 0:
            above = outcome.lower_bound - lost
            guide = self.reference_codes
            if outcome.status == "guessed_bounds" and guide is not None:
                surrogate = _surrogate_loss(predictions.codes, guide, table, loss)
                above = max(above, outcome.objective - surrogate)
            leaves = max(math.ceil(above / outcome.leaf_penalty - 1e-6), 1)
        return Comparison(lost, outcome.loss - lost, leaves)


def make_plan(
    guess: Guess | None,
    table: TrainingTable,
    loss: LabelLoss,
    monitor: FitMonitor,
    memory_limit: int | None = None,
) -> Plan:
    """Make the requested guesses and return the plan of the search.

    Guesses use at most their share of the time of a fit. From here on, Ctrl-C ends the
    guesses, and the fit still returns a tree.
    """
    if guess is None:
        return Plan(table.matrix)
    monitor.ctrl_c.keep()
    clock = GuessClock(monitor)
    fitted = guess.reference is not None and is_fitted(unfrozen(guess.reference))
    some = rows_to_guess_from(
        table, guess.reference, clock, memory_limit, is_fitted=fitted
    )
    scorer = Scorer(loss, some.codes, some.weights, len(table.classes))
    reference, hold_out = guess.reference, None
    if guess.check or reference is None:
        hold_out = HoldOut.of(some.plain_matrix, scorer)
    if reference is None and hold_out is not None:
        reference = choose_reference(hold_out, check=guess.check, clock=clock)
    columns, kept, refit = table.matrix, None, None
    fitting = (reference, some.raw, some.encoder, some.labels, some.weights)
    if guess.thresholds:
        max_drop = float(guess.max_drop)
        kept = guess_thresholds(*fitting, max_drop, TOLERANCE, clock)
        if kept.falls_short:
            warn_of_no_elimination(kept.n_before, guess.max_drop)
        columns = kept.intervals.encode_matrix(table.matrix)
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


def _predicted(model: ReferenceModel, matrix: Matrix) -> npt.NDArray[Any]:
    """Return predictions for a matrix, of which few rows are expanded at a time."""
    step = max(BLOCK_CELLS // max(matrix.shape[1], 1), 1)
    parts = [
        model.predict_encoded(np.asarray(matrix[start : start + step]))
        for start in range(0, len(matrix), step)
    ]
    return np.concatenate(parts)


def _scored(
    predictions: ReferencePredictions, table: TrainingTable, loss: LabelLoss
) -> npt.NDArray[Any]:
    """Return the predictions of a reference in the form that a scorer expects."""
    if not loss.is_of_ranks or predictions.model.encoder is not None:
        return predictions.codes
    return chances(predictions.model.model, table.raw, table.classes[1])


def _depth(model: Any) -> int | None:
    """Return the depth that matches an ensemble; None if it is not made of trees."""
    if not is_readable(model):
        return None
    splits = read_splits(model)
    return depth_guess(max(splits.n_trees, 1), max(splits.depth, 1))


def _surrogate_loss(
    predicted: ClassCodes, reference: ClassCodes, table: TrainingTable, loss: LabelLoss
) -> float:
    """Return the loss of labels in the surrogate problem of a reference."""
    lost = loss.of_rows(predicted, table.codes)
    of_reference = loss.of_rows(reference, table.codes)
    lost = np.where(reference == table.codes, lost, np.maximum(lost, of_reference))
    return float(np.average(lost, weights=table.weights))
