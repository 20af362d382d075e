"""Cells of columns as keys that an engine groups by, and the keys as values again.

Where a column has few cells, its cell is a number that comparisons add up to; the
numbers of all such columns make up one whole number, which engines group by in little
time and memory. Columns of many values, and of texts, are keys of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.column import Column, Kind
from ostrya.preprocessing.compression.lazy_table import LazyTable
from ostrya.preprocessing.compression.value_counts import (
    ValueCounts,
    added,
    cells_above,
)
from ostrya.preprocessing.series import series_column

# Comparisons with more values than this take longer than grouping by the value.
MOST_COMPARISONS = 64
# Whole numbers within such a span are their own cells, counted from the least.
WIDEST = 2**20
# One whole number holds the cells of so many columns as stay below this.
MOST_CODES = 2**62

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cell:
    """The cells of one column that are numbered, the last one for missing values."""

    place: int  # of the feature
    code: Any  # the expression; from 0 to n - 1
    n: int
    low: npt.NDArray[np.float64]  # the least and the largest value of each cell
    high: npt.NDArray[np.float64]


class Keys:
    """What the rows of a table are grouped by.

    Parameters
    ----------
    table : LazyTable
        The rows.
    counts : dict
        The cells of each measured feature, by its place.
    """

    def __init__(self, table: LazyTable, counts: dict[int, ValueCounts]) -> None:
        self._table, self._counts = table, counts
        self._cells: list[list[Cell]] = [[]]
        size = 1
        for place in range(len(table.names)):
            cell = self._numbered(place)
            if cell is None:
                continue
            if size * cell.n > MOST_CODES:
                self._cells.append([])
                size = 1
            self._cells[-1].append(cell)
            size *= cell.n
        numbered = {cell.place for cells in self._cells for cell in cells}
        self._plain = [p for p in range(len(table.names)) if p not in numbered]

    @property
    def names(self) -> list[str]:
        """The names of the keys."""
        codes = [f"code{k}" for k, cells in enumerate(self._cells) if cells]
        return [*codes, *(f"c{place}" for place in self._plain)]

    @property
    def n_codes(self) -> int:
        """How many values the first key may have."""
        return int(np.prod([float(cell.n) for cell in self._cells[0]]))

    @property
    def expressions(self) -> dict[str, Any]:
        """The keys by name."""
        made = {}
        for k, cells in enumerate(self._cells):
            sizes = np.cumprod([1, *(cell.n for cell in cells)], dtype=np.int64)
            parts = zip(cells, sizes.tolist(), strict=False)
            if cells:
                made[f"code{k}"] = added(cell.code * size for cell, size in parts)
        for place in self._plain:
            is_measured = place in self._counts
            value = self._table.number(place) if is_measured else nw.col(f"c{place}")
            made[f"c{place}"] = value
        return made

    def has_multiple_of(self, number: int) -> Any:
        """Return an expression: whether the first key is a multiple of a number.

        Not every engine has remainders, and floats do not hold all keys. They hold this
        sum, which leaves the same remainder as the key where the number is small.
        """
        sizes = np.cumprod([1, *(cell.n for cell in self._cells[0])], dtype=np.int64)
        small = (sizes % number).tolist()
        parts = zip(self._cells[0], small, strict=False)
        total = added((cell.code * size).cast(nw.Float64) for cell, size in parts)
        return (total / number).floor() * number == total

    def columns(self, groups: Any) -> tuple[list[Column], list[Column]]:
        """Return the features of groups: the largest values, and the least.

        Parameters
        ----------
        groups : narwhals.DataFrame
            Groups by these keys.
        """
        largest: dict[int, Column] = {}
        least: dict[int, Column] = {}
        for k, cells in enumerate(self._cells):
            if not cells:
                continue
            code = groups[f"code{k}"].to_numpy().astype(np.int64)
            for cell in cells:
                own, code = code % cell.n, code // cell.n
                largest[cell.place] = self._measured(cell.place, cell.high[own])
                least[cell.place] = self._measured(cell.place, cell.low[own])
        for place in self._plain:
            series = groups[f"c{place}"]
            if place in self._counts:
                column = self._measured(place, _floats(series))
            else:
                column = series_column(self._table.names[place], series)
            largest[place] = least[place] = column
        places = range(len(self._table.names))
        return [largest[place] for place in places], [least[place] for place in places]

    def _measured(self, place: int, values: npt.NDArray[np.float64]) -> Column:
        name, dtype = self._table.names[place], self._table.kinds[place]
        kind: Kind = "number"
        if np.isnan(values).all():
            kind = "empty"
        elif dtype == nw.Boolean:
            kind = "boolean"
        elif dtype in (nw.Date, nw.Datetime):
            kind = "time"
        elif dtype == nw.Duration:
            kind = "duration"
        is_zoned = getattr(dtype, "time_zone", None) is not None
        return Column(name, kind, values, is_zoned=kind == "time" and is_zoned)

    def _numbered(self, place: int) -> Cell | None:
        """Return the cells of a feature as numbers; None: it is a key by itself."""
        if self._table.kinds[place] == nw.Boolean:
            truth = nw.col(f"c{place}")
            code = truth.fill_null(False).cast(nw.Int64)
            answers = np.array([0.0, 1.0, np.nan])
            return Cell(place, _or_missing(code, truth, 2), 3, answers, answers)
        counts = self._counts.get(place)
        if counts is None:
            return None
        value, n = self._table.number(place), len(counts.rows)
        low, high = counts.low, counts.high
        least = float(low[0])
        known = value.fill_null(least)
        if n - 1 <= MOST_COMPARISONS:
            code = cells_above(known, high[:-1].tolist())
        elif _are_whole(counts):
            n = int(low[-1] - least) + 1
            low = high = least + np.arange(n, dtype=np.float64)
            code = (known - least).cast(nw.Int64)
        else:
            return None
        ends = (np.append(each, np.nan) for each in (low, high))
        return Cell(place, _or_missing(code, value, n), n + 1, *ends)


def _or_missing(code: Any, value: Any, number: int) -> Any:
    """Return a code, which is 0 where the value is missing, with a number for that."""
    return code + value.is_null().cast(nw.Int64) * number


def _are_whole(counts: ValueCounts) -> bool:
    """Say whether all values are whole numbers, not far apart."""
    is_whole = counts.are_exact and (counts.low == np.floor(counts.low)).all()
    return bool(is_whole and counts.low[-1] - counts.low[0] < WIDEST)


def _floats(series: Any) -> npt.NDArray[np.float64]:
    values = np.full(len(series), np.nan)
    is_known = ~series.is_null().to_numpy().astype(bool)
    values[is_known] = series.drop_nulls().to_numpy().astype(np.float64)
    return values
