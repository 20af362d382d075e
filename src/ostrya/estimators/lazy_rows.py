"""Lazy tables as training tables: groups of rows, and how many rows each stands for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ostrya._guesses.guess import Guess
from ostrya._guesses.reference_model import is_fitted, unfrozen
from ostrya._guesses.threshold_guess import ThresholdGuess
from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.validation import check_option
from ostrya._weights import (
    check_cost_matrix,
    check_smoothing,
    require_few_classes,
)
from ostrya.preprocessing.compression import CompressedTable, CompressionSummary
from ostrya.preprocessing.compression.compress import compress_within
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.table import take_rows
from ostrya.preprocessing.training_table import TrainingTable
from ostrya.results.outcome import Outcome, over_some_thresholds

# More rows than this are not made of groups to count those of a leaf.
MOST_COPIES = 20_000_000


def read_groups(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    guess: Guess | None,
    monitor: FitMonitor,
) -> TrainingTable:
    """Return a lazy or compressed table as groups, encoded; or raise.

    The estimator gets ``classes_``, ``encoder_`` and the layout of the table.
    """
    monitor.report("preparing")
    reference = None if guess is None else guess.reference
    if reference is not None and is_fitted(unfrozen(reference)):
        raise ValueError(
            "guess must have a reference that is not fitted if X is lazy; got a fitted "
            "one. Pass an unfitted reference"
        )
    if not isinstance(X, CompressedTable):
        X = compress_within(
            lambda: _is_late(monitor), X, y, sample_weight, _thresholds(guess)
        )
    elif y is not None or sample_weight is not None:
        raise ValueError(
            "y and sample_weight must be None if X is compressed, because it contains "
            "labels and weights"
        )
    return _encoded(estimator, X, monitor)


def without_check(guess: Guess | None) -> Guess | None:
    """Return a guess whose reference is not held against others.

    That takes rows that are held out, and groups would be taken for single rows.
    """
    if guess is None:
        return None
    parts = {**guess.get_params(deep=False), "check": False}
    return Guess(**parts)


def over_cuts(outcome: Outcome, cuts: CompressionSummary | None) -> Outcome:
    """Return an outcome that says no more than was proved over some thresholds."""
    if cuts is None or cuts.are_all:
        return outcome
    return over_some_thresholds(outcome, "optimal_in_selected_thresholds")


def _thresholds(guess: Guess | None) -> Any:
    """Return the thresholds to ask for: those a reference needs, or quantiles."""
    if guess is None or not guess.thresholds:
        return "auto"
    return ThresholdGuess(guess.reference, guess.max_drop)


def _is_late(monitor: FitMonitor) -> bool:
    """Tell the callback; return whether half of the time is over, or it is to stop."""
    limit = monitor.time_limit
    is_over = limit is not None and monitor.seconds() > limit / 2
    return monitor.report("preparing") or is_over


def _encoded(estimator: Any, X: CompressedTable, monitor: FitMonitor) -> TrainingTable:
    estimator.n_features_in_ = len(X.names)
    estimator.feature_names_in_ = np.array(X.names, dtype=object)
    estimator.classes_, codes = np.unique(X.labels, return_inverse=True)
    require_few_classes("y", len(estimator.classes_))
    costs = check_cost_matrix(estimator.cost_matrix, len(estimator.classes_))
    check_smoothing(estimator.smoothing)
    weights = X.counts.astype(np.float64) if X.weights is None else X.weights
    weights = estimator._row_weights(codes, weights)
    hints = TableHints()
    estimator.encoder_ = X.to_encoder(ClassWeights(codes, weights), hints)
    hints.warn()
    monitor.report("preparing")
    matrix = estimator.encoder_.encode_columns(X.largest)
    table = TrainingTable(
        raw=X.to_table(),
        encoder=estimator.encoder_,
        matrix=matrix,
        classes=estimator.classes_,
        codes=codes,
        weights=weights,
        sample_weights=X.weights,
        costs=costs,
        names=estimator.feature_names_in_,
        counts=X.counts,
        least=estimator.encoder_.encode_columns(X.least),
        compression=X.summary,
    )
    return _with_copies(
        table, check_option("min_samples_leaf", estimator.min_samples_leaf)
    )


def _with_copies(table: TrainingTable, fewest: int) -> TrainingTable:
    """Return a table in which a leaf has `fewest` groups where it has so many rows.

    Searches count groups. So each has copies that weigh nothing and stand for no row,
    until there are as many as it has rows, or as a leaf needs.
    """
    if fewest == 1:
        return table
    assert table.counts is not None
    assert table.weights is not None
    assert table.least is not None
    n_copies = np.minimum(table.counts, fewest)
    n_rows = int(n_copies.sum())
    if n_rows > MOST_COPIES:
        raise ValueError(
            f"min_samples_leaf={fewest} requires {n_rows:,} rows to count the "
            f"{len(table.counts):,} groups, more than the {MOST_COPIES:,} allowed. "
            "Request fewer thresholds, or decrease min_samples_leaf"
        )
    source = np.repeat(np.arange(len(n_copies)), n_copies)
    is_first = np.diff(source, prepend=-1) > 0
    given = table.sample_weights
    return replace(
        table,
        raw=take_rows(table.raw, source),
        matrix=table.matrix[source],
        codes=table.codes[source],
        weights=np.where(is_first, table.weights[source], 0.0),
        sample_weights=None
        if given is None
        else np.where(is_first, given[source], 0.0),
        counts=np.where(is_first, table.counts[source], 0),
        least=table.least[source],
    )
