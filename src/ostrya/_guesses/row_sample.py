"""Fewer rows to guess from, where fitting a reference on all of them takes too long.

How long that is, is told by a trial on a few rows. Which rows are taken depends neither
on their order nor on the clock, but how many does; so that with time enough, all are.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier

from ostrya._guesses.guess_clock import GuessClock
from ostrya._guesses.refits import fit_reference
from ostrya.preprocessing.table import keep_rows
from ostrya.preprocessing.training_table import TrainingTable

# Rows of the trials.
TRIALS = (250, 1000)
# So many rows are always taken.
LEAST_ROWS = 500
# The share of the time for guesses from which on the first trial has to do.
TRIAL_SHARE = 0.02
# The share of the time for guesses within which a reference is to be fitted once.
SHARE = 0.25
# Rounds of the references that are chosen from, in the middle.
ROUNDS = 30


def rows_to_guess_from(
    table: TrainingTable, reference: Any, clock: GuessClock
) -> TrainingTable:
    """Return the table, or so many of its rows as there is time for.

    `reference` is not fitted; None: one of the paper's is going to be chosen.
    """
    n_rows = len(table.codes)
    if clock.seconds is None or n_rows <= 2 * TRIALS[-1]:
        return table
    share = 0.0 if clock.is_up() else _affordable(table, reference, clock.seconds)
    if share >= 1:
        return table
    clock.cut("rows")
    return _part(table, sample(table.plain_matrix, table.codes, share))


def sample(
    matrix: npt.NDArray[np.float64], codes: npt.NDArray[np.intp], share: float
) -> npt.NDArray[np.bool_]:
    """Return which rows make up a share of each class, and some at least."""
    share = min(max(share, LEAST_ROWS / len(codes)), 1.0)
    # Rows are ordered by a hash of their values, so that their own order is nothing.
    factors = np.random.default_rng(0).integers(1, 2**63, matrix.shape[1], np.uint64)
    hashes = np.zeros(len(codes), dtype=np.uint64)
    for column, factor in enumerate(factors | np.uint64(1)):
        # Adding 0 makes one of both zeros.
        bits = (matrix[:, column] + 0.0).view(np.uint64)
        hashes = (hashes ^ bits) * factor
        hashes ^= hashes >> np.uint64(29)
    kept = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes):
        own = np.flatnonzero(codes == code)
        count = int(np.ceil(share * len(own)))
        kept[own[np.argsort(hashes[own], kind="stable")[:count]]] = True
    return kept


def _affordable(table: TrainingTable, reference: Any, seconds: float) -> float:
    """Return the share of the rows that a reference can be fitted on, by trials."""
    rounds, trial = 1, reference
    if reference is None:
        rounds = ROUNDS
        trial = GradientBoostingClassifier(n_estimators=1, random_state=0)
    elif isinstance(reference, GradientBoostingClassifier):
        rounds = int(reference.n_estimators)
        trial = clone(reference).set_params(n_estimators=1)
    n_rows = len(table.codes)
    some = _part(table, sample(table.plain_matrix, table.codes, TRIALS[-1] / n_rows))
    few = _every(some, len(some.codes) // TRIALS[0])
    start, per_row = 0.0, rounds * _seconds_to_fit(trial, few) / len(few.codes)
    if per_row * len(few.codes) / rounds < TRIAL_SHARE * seconds:
        # Trees of few rows take most of their time whatever the rows.
        at_few = rounds * min(_seconds_to_fit(trial, few) for _ in range(2))
        at_some = rounds * min(_seconds_to_fit(trial, some) for _ in range(2))
        per_row = max(at_some - at_few, 0.0) / (len(some.codes) - len(few.codes))
        start = max(at_few - per_row * len(few.codes), 0.0)
    return (SHARE * seconds - start) / (per_row * n_rows) if per_row > 0 else np.inf


def _seconds_to_fit(model: Any, table: TrainingTable) -> float:
    classes, codes = np.unique(table.codes, return_inverse=True)
    if len(classes) == 1 or table.plain_matrix.shape[1] == 0:
        return 0.0  # there is nothing to fit
    started = time.perf_counter()
    fit_reference(model, table.plain_matrix, codes, table.weights)
    return time.perf_counter() - started


def _every(table: TrainingTable, step: int) -> TrainingTable:
    """Return every so many rows of each class."""
    kept = np.zeros(len(table.codes), dtype=bool)
    kept[np.argsort(table.codes, kind="stable")[::step]] = True
    return _part(table, kept)


def _part(table: TrainingTable, kept: npt.NDArray[np.bool_]) -> TrainingTable:
    return replace(
        table,
        raw=keep_rows(table.raw, kept),
        matrix=table.plain_matrix[kept],
        codes=table.codes[kept],
        weights=None if table.weights is None else table.weights[kept],
    )
