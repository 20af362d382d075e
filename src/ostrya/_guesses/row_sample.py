"""Sample rows to guess from if fitting a reference on all of them takes too long.

The time is estimated by trials on a few rows. The choice of rows depends neither on
their order nor on the clock; only the number of rows does. With enough time, all rows
are used.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier

from ostrya._coded_matrix import cells_of
from ostrya._guesses.guess_clock import GuessClock
from ostrya._guesses.refits import fit_reference
from ostrya._memory import memory_left
from ostrya.preprocessing.table import keep_rows
from ostrya.preprocessing.training_table import TrainingTable

# Numbers of rows of the trials.
TRIALS = (250, 1000)
# The minimum number of rows.
LEAST_ROWS = 500
# There is only one trial if it takes more than this share of the time for guesses.
TRIAL_SHARE = 0.02
# The share of the time for guesses in which a reference shall be fitted once.
SHARE = 0.25
# The share of the memory left for the rows to guess from, with a column for every
# level, and the bytes for each of their cells: several copies, one of them in floats of
# half the size.
MEMORY_SHARE = 0.5
BYTES_PER_CELL = 36
# The typical number of rounds of the default references.
ROUNDS = 30


def rows_to_guess_from(
    table: TrainingTable,
    reference: Any,
    clock: GuessClock,
    memory_limit: int | None = None,
    *,
    is_fitted: bool = False,
) -> TrainingTable:
    """Return the table, or as many of its rows as there is time and memory for.

    The rows that are returned have a column for every level.

    `reference` is not fitted; None means that one of the paper will be chosen.
    """
    n_rows = len(table.codes)
    share = share_in_memory(table, memory_limit)
    if clock.seconds is not None and n_rows > 2 * TRIALS[-1] and not is_fitted:
        in_time = 0.0
        if not clock.is_up():
            in_time = _affordable(table, reference, clock.seconds)
        share = min(share, in_time)
    if share >= 1:
        return table.without_codes()
    clock.cut("rows")
    return _part(table, sample(cells_of(table.matrix), table.codes, share))


def share_in_memory(table: TrainingTable, memory_limit: int | None) -> float:
    """Return the share of the rows from which thresholds can be guessed in memory.

    Reference models read a column for every level.
    """
    n_rows, n_columns = table.matrix.shape
    left = MEMORY_SHARE * memory_left(memory_limit)
    return float(left / (BYTES_PER_CELL * max(n_rows * n_columns, 1)))


def sample(
    matrix: npt.NDArray[np.float64], codes: npt.NDArray[np.intp], share: float
) -> npt.NDArray[np.bool_]:
    """Choose a share of the rows of each class, but a minimum number in total."""
    share = min(max(share, LEAST_ROWS / len(codes)), 1.0)
    # Rows are sorted by a hash of their values, so their order is irrelevant.
    factors = np.random.default_rng(0).integers(1, 2**63, matrix.shape[1], np.uint64)
    hashes = np.zeros(len(codes), dtype=np.uint64)
    for column, factor in enumerate(factors | np.uint64(1)):
        # Adding 0 turns -0 into 0.
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
    """Estimate by trials the share of rows on which a reference can be fitted."""
    rounds, trial = 1, reference
    if reference is None:
        rounds = ROUNDS
        trial = GradientBoostingClassifier(n_estimators=1, random_state=0)
    elif isinstance(reference, GradientBoostingClassifier):
        rounds = int(reference.n_estimators)
        trial = clone(reference).set_params(n_estimators=1)
    n_rows = len(table.codes)
    cells = cells_of(table.matrix)
    some = _part(table, sample(cells, table.codes, TRIALS[-1] / n_rows))
    few = _every(some, len(some.codes) // TRIALS[0])
    start, per_row = 0.0, rounds * _seconds_to_fit(trial, few) / len(few.codes)
    if per_row * len(few.codes) / rounds < TRIAL_SHARE * seconds:
        # With few rows, most of the time does not depend on the number of rows.
        at_few = rounds * min(_seconds_to_fit(trial, few) for _ in range(2))
        at_some = rounds * min(_seconds_to_fit(trial, some) for _ in range(2))
        per_row = max(at_some - at_few, 0.0) / (len(some.codes) - len(few.codes))
        start = max(at_few - per_row * len(few.codes), 0.0)
    return (SHARE * seconds - start) / (per_row * n_rows) if per_row > 0 else np.inf


def _seconds_to_fit(model: Any, table: TrainingTable) -> float:
    classes, codes = np.unique(table.codes, return_inverse=True)
    if len(classes) == 1 or table.plain_matrix.shape[1] == 0:
        return 0.0  # nothing to fit
    started = time.perf_counter()
    fit_reference(model, table.plain_matrix, codes, table.weights)
    return time.perf_counter() - started


def _every(table: TrainingTable, step: int) -> TrainingTable:
    """Return one row in `step` of each class."""
    kept = np.zeros(len(table.codes), dtype=bool)
    kept[np.argsort(table.codes, kind="stable")[::step]] = True
    return _part(table, kept)


def _part(table: TrainingTable, kept: npt.NDArray[np.bool_]) -> TrainingTable:
    return replace(
        table,
        raw=keep_rows(table.raw, kept),
        matrix=np.asarray(table.matrix[kept]),
        codes=table.codes[kept],
        weights=None if table.weights is None else table.weights[kept],
    )
