"""How many rows have which values of a column, in bounded memory.

An engine that counts all different values of a column may hold as many as there are
rows. So values are counted in buckets of equal width, a few thousand at a time, each
with its least and its largest value and its rows. A bucket of one value is exact. Those
of several are parted again where it matters: all of them while the buckets are few, so
that few values are found exactly; else those with so many rows that quantiles would be
coarse. No answer depends on the order of rows, nor on chance.
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
# Buckets asked for at once, and how many are parted in one query.
BUCKETS = 4096
PARTED = 16
# Each halves a bucket twelve times at most, so that these tell any two floats apart
# but for those of extremely uneven size.
ROUNDS = 12
# A bucket with a larger share of what a quantile holds is parted.
COARSE = 0.25
# Quantiles finer than these are as coarse as their buckets are.
FINEST = 31
_KNOWN = ~nw.col("value").is_null()


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Ascending buckets of values that have rows, none of which overlap."""

    low: Floats  # the least value in each
    high: Floats  # the largest
    rows: npt.NDArray[np.int64]

    @property
    def are_exact(self) -> bool:
        """Whether every bucket is one value."""
        return bool((self.low == self.high).all())

    def cut(self, most: int) -> ValueCounts:
        """Return at most `most` + 1 buckets: as they are, or parted at quantiles."""
        if len(self.rows) <= most + 1:
            return self
        ends = np.cumsum(self.rows)
        shares = np.arange(1, most + 1) / (most + 1)
        last = np.searchsorted(ends, shares * ends[-1], side="left")
        last = np.unique(np.minimum(last, len(ends) - 2))  # of each but the last
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
        The rows.
    place : int
        The place of the column among the features.
    least, largest : float
        Its least and its largest value.
    most : int
        Thresholds that are wanted at most. Columns with so many, or fewer, are counted
        value by value.
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
    """Return every value of a column by itself."""
    frame = _ask(table, place, keep=_KNOWN, keys=["value"], sums={"n": ("len", "")})
    # Minus zero is zero.
    values = frame["value"].to_numpy().astype(np.float64) + 0.0
    each, group = np.unique(values, return_inverse=True)
    n_rows = np.bincount(group, frame["n"].to_numpy()).astype(np.int64)
    return ValueCounts(each, each, n_rows)


def count_cells(table: LazyTable, place: int, thresholds: list[float]) -> ValueCounts:
    """Return the values of a column between given thresholds, in ascending order."""
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
    """Count values within some spans, each parted into buckets of equal width."""
    value = nw.col("value")
    n_buckets = BUCKETS // len(spans)
    inside, codes = [], []
    for low, high in sorted(spans):
        inside.append((value >= low) & (value <= high))
        # Halves, because the span of the largest floats is none.
        scale = n_buckets / max(high / 2 - low / 2, n_buckets * np.finfo(float).tiny)
        at = (value / 2 - low / 2) * scale
        # Of buckets before this span nothing is counted, of those after it all.
        codes.append(at.floor().clip(0.0, float(n_buckets)))
        codes.append((value >= low).cast(nw.Float64))
        codes.append((value > high).cast(nw.Float64))
    # A missing value is in no span.
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
