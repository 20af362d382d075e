"""Read a table within the limits of a fit: all of its rows, or a sample of them.

A table can be too large to be read within `time_limit` or `memory_limit`. So a sample
of its rows is read first, which shows how much time and memory a row takes. If all rows
are within reach they are read; otherwise a larger sample is, as large as the limits
allow. If even that takes longer than expected, the first sample is used. A tree that is
found on a sample is counted on all rows before it is returned.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import Matrix, cells_of
from ostrya._memory import memory_left
from ostrya._solve.fit_monitor import FitMonitor
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints
from ostrya.preprocessing.table import count_rows, take_rows

Limit = Literal["time_limit", "memory_limit"]

#: Rows of the first sample: few milliseconds per column, and enough for a tree.
FIRST_SAMPLE = 16_384
#: Shares of the time and of the memory left that reading may take. The search needs
#: about as much of both.
TIME_SHARE = 0.5
MEMORY_SHARE = 0.5
#: Share of the time limit after which reading all rows is given up.
LATEST = 0.75
#: Seconds and bytes for one cell of a table, at most: distinct texts, nearly all of
#: which are numbers or dates. Tables that stay far below the limits by this count are
#: read without a sample.
SLOWEST_CELL = 2e-5
LARGEST_CELL = 24
#: Bytes of a row while one column is read: its values as floats, twice, and flags.
SCRATCH = 40
SEED = 0


@dataclass(frozen=True, eq=False)
class ReadRows:
    """An encoder, and the rows that it was made of, encoded."""

    encoder: TableEncoder
    matrix: Matrix
    rows: npt.NDArray[np.intp] | None = None  # places of a sample; None: all rows
    limit: Limit | None = None  # why it is a sample
    hints: TableHints = field(default_factory=TableHints)


class OutOfTimeError(Exception):
    """Raised between or within columns when the time for reading is over."""


@dataclass(frozen=True)
class Readings:
    """How often a fit reads a table, and how many encoded tables it keeps at a time.

    Each fold of a cross-validation reads its rows again.
    """

    n_times: int = 1
    n_at_a_time: int = 1


ONCE = Readings()


class TableReader:
    """Reads a table, or as many of its rows as the limits of a fit allow."""

    def __init__(
        self,
        X: Any,
        names: Any,
        classes: ClassWeights,
        monitor: FitMonitor,
        memory_limit: int | None,
        readings: Readings = ONCE,
    ) -> None:
        self._time_share = TIME_SHARE / readings.n_times
        self._memory_share = MEMORY_SHARE / readings.n_at_a_time
        self._latest = LATEST / readings.n_times
        self._X, self._names, self._classes = X, names, classes
        self._monitor = monitor
        self._n_rows = count_rows(X)
        self._memory_limit = memory_limit

    def read(self) -> ReadRows:
        """Return the rows that are read."""
        if not self._may_exceed_limits():
            return self._read(None, self._report)
        started = time.perf_counter()
        first = self._read(self._sample(FIRST_SAMPLE), self._report)
        seconds = time.perf_counter() - started
        most, limit = self._most_rows(first.matrix, seconds / FIRST_SAMPLE)
        first = replace(first, limit=limit or "time_limit")
        if limit is not None and most < 2 * FIRST_SAMPLE:
            return first
        rows = None if limit is None else self._sample(most)
        try:
            return replace(self._read(rows, self._stop_if_late), limit=limit)
        except OutOfTimeError:
            return first

    def _may_exceed_limits(self) -> bool:
        if self._n_rows <= 2 * FIRST_SAMPLE:
            return False
        n_cells = self._n_rows * max(len(self._columns()), 1)
        left = self._monitor.left()
        is_slow = left is not None and n_cells * SLOWEST_CELL > self._time_share * left
        return is_slow or n_cells * LARGEST_CELL > self._memory_left()

    def _columns(self) -> Any:
        shape = getattr(self._X, "shape", None)
        return range(shape[1]) if shape is not None else self._names or ()

    def _memory_left(self) -> float:
        """Return the bytes that reading may take."""
        return self._memory_share * memory_left(self._memory_limit)

    def _most_rows(
        self, matrix: Matrix, seconds_per_row: float
    ) -> tuple[int, Limit | None]:
        """Return how many rows can be read, and what limits them."""
        most = self._n_rows
        limit: Limit | None = None
        by_memory = self._memory_left() / (
            SCRATCH + cells_of(matrix).shape[1] * LARGEST_CELL / 2
        )
        if by_memory < most:
            most, limit = int(by_memory), "memory_limit"
        left = self._monitor.left()
        if left is not None and self._time_share * left < most * seconds_per_row:
            most, limit = int(self._time_share * left / seconds_per_row), "time_limit"
        return most, limit

    def _sample(self, n: int) -> npt.NDArray[np.intp]:
        """Return the places of some rows, drawn at random, in their order."""
        random = np.random.default_rng(SEED)
        drawn = random.choice(self._n_rows, n, replace=False, shuffle=False)
        return np.sort(drawn).astype(np.intp)

    def _report(self) -> None:
        self._monitor.report("preparing")

    def _stop_if_late(self) -> None:
        self._report()
        limit = self._monitor.time_limit
        if limit is not None and self._monitor.seconds() > self._latest * limit:
            raise OutOfTimeError

    def _read(
        self, rows: npt.NDArray[np.intp] | None, check: Callable[[], None]
    ) -> ReadRows:
        X, classes, hints = self._X, self._classes, TableHints()
        if rows is not None:
            X, classes = take_rows(X, rows), classes.of_rows(rows)
        found = TableEncoder.read(X, self._names, classes, hints, check)
        return ReadRows(*found, rows, hints=hints)
