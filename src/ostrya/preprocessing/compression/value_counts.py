"""Count the rows per value of a column in bounded memory.

An engine that counts all distinct values of a column may need memory for as many values
as there are rows. So values are counted in buckets of equal width, a few thousand at a
time; each bucket records its smallest value, its largest value and its rows. A bucket
with a single value is exact. Other buckets are divided again where it matters: all of
them as long as there are few, so that a small number of distinct values is found
exactly; otherwise those with so many rows that quantiles would be inaccurate. The
result depends neither on the order of the rows nor on random numbers.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.compression.lazy_table import LazyTable
from ostrya.preprocessing.compression.query import Query
from ostrya.preprocessing.compression.steps import added, joined

Floats = npt.NDArray[np.float64]
# The number of buckets per query, and how many buckets one query divides at most.
BUCKETS = 4096
PARTED = 16
# Each round makes buckets up to 2^12 times narrower, so that these rounds separate any
# two floats, unless the values of a column differ extremely in size.
ROUNDS = 12
# A bucket is divided if it contains more than this share of the rows of a quantile.
COARSE = 0.25
# Quantiles finer than this are only as accurate as their buckets.
FINEST = 31
_KNOWN = ~nw.col("value").is_null()


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Ascending, disjoint, non-empty buckets of values."""

    low: Floats  # the smallest value in each bucket
    high: Floats  # the largest value in each bucket
    rows: npt.NDArray[np.int64]

    @property
    def are_exact(self) -> bool:
        """Whether every bucket contains a single value."""
        return bool((self.low == self.high).all())

    def cut(self, most: int) -> ValueCounts:
        """Return at most `most` + 1 buckets, merged between quantiles if necessary."""
        if len(self.rows) <= most + 1:
            return self
        ends = np.cumsum(self.rows)
        shares = np.arange(1, most + 1) / (most + 1)
        last = np.searchsorted(ends, shares * ends[-1], side="left")
        last = np.unique(np.minimum(last, len(ends) - 2))  # one per new bucket but one
        first = np.concatenate([[0], last + 1])
        high = self.high[np.concatenate([last, [len(ends) - 1]])]
        return ValueCounts(self.low[first], high, np.add.reduceat(self.rows, first))


def count_values(
    table: LazyTable, place: int, least: float, largest: float, most: int
) -> ValueCounts:
    """Return the values of a column in buckets.

    Parameters
    ----------
    table : LazyTable
        The table.
    place : int
        The index of the column among the features.
    least, largest : float
        Its smallest and its largest value.
    most : int
        Maximum number of thresholds. A column that has no more thresholds than this is
        counted value by value.
    """
    found = _count(table, place, [(least, largest)])
    for _ in range(ROUNDS):
        parted = _to_be_parted(found, most)
        if len(parted) == 0:
            break
        spans = [(found.low[at], found.high[at]) for at in parted.tolist()]
        finer = _count(table, place, spans)
        kept = np.delete(np.arange(len(found.rows)), parted)
        found = _sorted(
            np.concatenate([found.low[kept], finer.low]),
            np.concatenate([found.high[kept], finer.high]),
            np.concatenate([found.rows[kept], finer.rows]),
        )
    return found


def count_all(table: LazyTable, place: int) -> ValueCounts:
    """Return the count of every single value of a column."""
    frame = _ask(table, place, keep=_KNOWN, keys=["value"], sums={"n": ("len", "")})
    # Adding zero turns minus zero into zero.
    values = frame["value"].to_numpy().astype(np.float64) + 0.0
    each, group = np.unique(values, return_inverse=True)
    n_rows = np.bincount(group, frame["n"].to_numpy()).astype(np.int64)
    return ValueCounts(each, each, n_rows)


def count_cells(table: LazyTable, place: int, thresholds: list[float]) -> ValueCounts:
    """Return the counts of a column between given ascending thresholds."""
    cells = table.cells_above(nw.col("value"), thresholds)
    return _grouped(table, place, _KNOWN, cells)


def _to_be_parted(found: ValueCounts, most: int) -> npt.NDArray[np.intp]:
    is_mixed = found.low < found.high
    if len(found.rows) > most + 1:
        share = COARSE / (min(most, FINEST) + 1)
        is_mixed &= found.rows > share * found.rows.sum()
    places = np.flatnonzero(is_mixed)
    return places[np.argsort(-found.rows[places], kind="stable")][:PARTED]


def _count(
    table: LazyTable, place: int, spans: list[tuple[float, float]]
) -> ValueCounts:
    """Count values within some spans, each divided into buckets of equal width."""
    value = nw.col("value")
    n_buckets = BUCKETS // len(spans)
    inside, codes = [], []
    for low, high in sorted(spans):
        inside.append((value >= low) & (value <= high))
        # Values are halved, because the difference of two large floats may overflow.
        scale = n_buckets / max(high / 2 - low / 2, n_buckets * np.finfo(float).tiny)
        at = (value / 2 - low / 2) * scale
        # The number is 0 for values below this span, and maximal for those above it.
        codes.append(at.floor().clip(0.0, float(n_buckets)))
        codes.append((value >= low).cast(nw.Float64))
        codes.append((value > high).cast(nw.Float64))
    # Missing values are in no span, so they are not counted.
    return _grouped(table, place, joined(operator.or_, inside), added(codes))


def _grouped(table: LazyTable, place: int, keep: Any, bucket: Any) -> ValueCounts:
    sums = {"low": ("min", "value"), "high": ("max", "value"), "n": ("len", "")}
    more = {"bucket": bucket}
    frame = _ask(table, place, keep=keep, more=more, keys=["bucket"], sums=sums)
    return _sorted(*(frame[name].to_numpy() for name in ("low", "high", "n")))


def _ask(table: LazyTable, place: int, **parts: Any) -> Any:
    """Return the answer to a query about the values of one column."""
    query = Query([f"c{place}"], {"value": table.number(place)}, **parts)
    return table.ask("count the values of a column", query)


def _sorted(
    low: npt.NDArray[Any], high: npt.NDArray[Any], rows: npt.NDArray[Any]
) -> ValueCounts:
    order = np.argsort(low, kind="stable")
    return ValueCounts(
        low[order].astype(np.float64),
        high[order].astype(np.float64),
        rows[order].astype(np.int64),
    )
