"""Cells of columns as keys that an engine groups by, and the keys as values again.

Where a column has few cells, its cell is a number that comparisons add up to; the
numbers of all such columns make up one whole number, which engines group by in little
time and memory. Columns of many values, and of texts, are keys of their own.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.column import Column, Kind
from ostrya.preprocessing.compression.lazy_table import LazyTable
from ostrya.preprocessing.compression.steps import added, or_missing
from ostrya.preprocessing.compression.value_counts import ValueCounts
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
    code: Any  # the expression, of v0, v1, ...; from 0 to n - 1
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
    def values(self) -> dict[str, Any]:
        """What rows are asked for: numbers, truths, and the keys that are no codes."""
        made = {}
        for place in range(len(self._table.names)):
            is_measured = place in self._counts
            value = self._table.number(place) if is_measured else nw.col(f"c{place}")
            made[f"c{place}" if place in self._plain else f"v{place}"] = value
        return made

    @property
    def cells(self) -> dict[str, Any]:
        """The numbered cells, made of `values`."""
        return {f"k{cell.place}": cell.code for cells in self._cells for cell in cells}

    @property
    def codes(self) -> dict[str, Any]:
        """The keys that are codes, made of `cells`."""
        made = {}
        for k, cells in enumerate(self._cells):
            sizes = np.cumprod([1, *(cell.n for cell in cells)], dtype=np.int64)
            parts = zip(cells, sizes.tolist(), strict=False)
            if cells:
                made[f"code{k}"] = added(_code(cell) * size for cell, size in parts)
        return made

    def spreading_prime(self, least: int) -> int:
        """Return the first prime from `least` on whose multiples are spread evenly.

        Where it divided the number of cells of a column, whether the first key is a
        multiple would not depend on the columns after that one.
        """
        sizes = [cell.n for cell in self._cells[0]]
        return next(
            number
            for number in itertools.count(least)
            if all(number % d for d in range(2, math.isqrt(number) + 1))
            and all(n % number for n in sizes)
        )

    def has_multiple_of(self, number: int) -> Any:
        """Return an expression of `cells`: whether the first key is such a multiple.

        Not every engine has remainders, and floats do not hold all keys. They hold this
        sum, which leaves the same remainder as the key where the number is small.
        """
        sizes = np.cumprod([1, *(cell.n for cell in self._cells[0])], dtype=np.int64)
        small = (sizes % number).tolist()
        parts = zip(self._cells[0], small, strict=False)
        total = added((_code(cell) * size).cast(nw.Float64) for cell, size in parts)
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
            truth = nw.col(f"v{place}")
            code = truth.fill_null(False).cast(nw.Int64)
            answers = np.array([0.0, 1.0, np.nan])
            return Cell(place, or_missing(code, truth, 2), 3, answers, answers)
        counts = self._counts.get(place)
        if counts is None:
            return None
        value, n = nw.col(f"v{place}"), len(counts.rows)
        low, high = counts.low, counts.high
        if n - 1 <= MOST_COMPARISONS:
            code = self._table.cells_above(value, high[:-1].tolist())
        elif _are_whole(counts):
            least = float(low[0])
            n = int(low[-1] - least) + 1
            low = high = least + np.arange(n, dtype=np.float64)
            from_least = (value.fill_null(least) - least).cast(nw.Int64)
            code = or_missing(from_least, value, n)
        else:
            return None
        ends = (np.append(each, np.nan) for each in (low, high))
        return Cell(place, code, n + 1, *ends)


def _code(cell: Cell) -> Any:
    return nw.col(f"k{cell.place}")


def _are_whole(counts: ValueCounts) -> bool:
    """Say whether all values are whole numbers, not far apart."""
    is_whole = counts.are_exact and (counts.low == np.floor(counts.low)).all()
    return bool(is_whole and counts.low[-1] - counts.low[0] < WIDEST)


def _floats(series: Any) -> npt.NDArray[np.float64]:
    values = np.full(len(series), np.nan)
    is_known = ~series.is_null().to_numpy().astype(bool)
    values[is_known] = series.drop_nulls().to_numpy().astype(np.float64)
    return values
