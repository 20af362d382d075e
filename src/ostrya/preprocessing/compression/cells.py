"""Compute the keys by which an engine groups rows, and convert keys back to values.

The thresholds of a column divide its values into cells. If a column has few cells, its
cell is a number computed by comparisons. The numbers of all such columns are combined
into one integer, by which engines group quickly and with little memory. Columns with
many values, and text columns, are separate keys.
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

# With more comparisons than this, grouping by the value itself is faster.
MOST_COMPARISONS = 64
# Whole numbers in a range up to this size are their own cells, counted from the least.
WIDEST = 2**20
# Columns are combined into one integer as long as it stays below this.
MOST_CODES = 2**62

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cell:
    """The numbered cells of one column; the last one is for missing values."""

    place: int  # the index of the feature
    code: Any  # an expression of v0, v1, ... with values from 0 to n - 1
    n: int
    low: npt.NDArray[np.float64]  # the least and the largest value of each cell
    high: npt.NDArray[np.float64]


class Keys:
    """The keys by which the rows of a table are grouped.

    Parameters
    ----------
    table : LazyTable
        The table.
    counts : dict
        The cells of each measured feature, by its index.
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
        """The number of values that the first key can have."""
        return int(np.prod([float(cell.n) for cell in self._cells[0]]))

    @property
    def values(self) -> dict[str, Any]:
        """The expressions computed per row: values to encode, and uncoded keys."""
        made = {}
        for place in range(len(self._table.names)):
            is_measured = place in self._counts
            value = self._table.number(place) if is_measured else nw.col(f"c{place}")
            made[f"c{place}" if place in self._plain else f"v{place}"] = value
        return made

    @property
    def cells(self) -> dict[str, Any]:
        """The numbered cells, as expressions of `values`."""
        return {f"k{cell.place}": cell.code for cells in self._cells for cell in cells}

    @property
    def codes(self) -> dict[str, Any]:
        """The combined keys, as expressions of `cells`."""
        made = {}
        for k, cells in enumerate(self._cells):
            sizes = np.cumprod([1, *(cell.n for cell in cells)], dtype=np.int64)
            parts = zip(cells, sizes.tolist(), strict=False)
            if cells:
                made[f"code{k}"] = added(_code(cell) * size for cell, size in parts)
        return made

    def spreading_prime(self, least: int) -> int:
        """Return the smallest prime >= `least` whose multiples are spread evenly.

        It must not divide the number of cells of any column. Otherwise, whether the
        first key is a multiple would not depend on the columns after that one.
        """
        sizes = [cell.n for cell in self._cells[0]]
        return next(
            number
            for number in itertools.count(least)
            if all(number % d for d in range(2, math.isqrt(number) + 1))
            and all(n % number for n in sizes)
        )

    def has_multiple_of(self, number: int) -> Any:
        """Return an expression for whether the first key is a multiple of `number`.

        Not every engine has a remainder operator, and floats cannot represent all keys.
        They can represent the sum below, which has the same remainder as the key.
        """
        sizes = np.cumprod([1, *(cell.n for cell in self._cells[0])], dtype=np.int64)
        small = (sizes % number).tolist()
        parts = zip(self._cells[0], small, strict=False)
        total = added((_code(cell) * size).cast(nw.Float64) for cell, size in parts)
        return (total / number).floor() * number == total

    def columns(self, groups: Any) -> tuple[list[Column], list[Column]]:
        """Return the largest and the smallest value of each feature in each group.

        Parameters
        ----------
        groups : narwhals.DataFrame
            The groups by these keys.
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
        """Return the numbered cells of a feature, or None if it is a separate key."""
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
    """Return True if all values are whole numbers in a small range."""
    is_whole = counts.are_exact and (counts.low == np.floor(counts.low)).all()
    return bool(is_whole and counts.low[-1] - counts.low[0] < WIDEST)


def _floats(series: Any) -> npt.NDArray[np.float64]:
    values = np.full(len(series), np.nan)
    is_known = ~series.is_null().to_numpy().astype(bool)
    values[is_known] = series.drop_nulls().to_numpy().astype(np.float64)
    return values
