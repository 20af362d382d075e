"""Count the rows of a lazy table and find the range of each column, in one query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from ostrya._whole_numbers import EXACT
from ostrya.preprocessing.compression.lazy_table import LazyTable
from ostrya.preprocessing.compression.plain_rows import TARGET, WEIGHT
from ostrya.preprocessing.compression.query import Query

# The first rows of a text column show whether it looks like an identifier.
FIRST_ROWS = 200_000
MOST_TEXTS = 10_000
# With more rows than this, large whole numbers are not compared one by one.
MOST_COMPARED = 1_000_000
_NO_LABEL = "Input y contains NaN. Drop rows without a label"


@dataclass(frozen=True)
class Span:
    """The range of the known values of a measured feature."""

    n_known: int
    least: float
    largest: float


@dataclass(frozen=True)
class Survey:
    """Properties of a table that are known before its rows are grouped."""

    n_rows: int
    spans: dict[int, Span]  # by the index of the feature
    merged: set[int]  # indices of columns with whole numbers that floats merge


def survey(table: LazyTable) -> Survey:
    """Return the survey of a table, or raise if a tree cannot be fitted on it.

    Rows of weight 0 are excluded from the table.
    """
    if table.is_weighted:
        _require_weights(table)
        table.keep_weighed()
    label, label_kind = nw.col(TARGET), table.target_kind
    columns = {"unlabelled": label.is_null().cast(nw.Int64)}
    if label_kind.is_float():
        columns["infinite"] = (~label.is_finite()).cast(nw.Int64)
        columns["broken"] = (label != label.floor()).cast(nw.Int64)
    sums = {"n": ("len", ""), **{name: ("sum", name) for name in columns}}
    for place in table.measured:
        columns[f"v{place}"] = table.number(place)
        for name, how in (("known", "count"), ("least", "min"), ("largest", "max")):
            sums[f"{name}{place}"] = how, f"v{place}"
    reads = [*(f"c{place}" for place in table.measured), TARGET]
    found = _first_row(table, Query(reads, columns, sums=sums))
    if not found["n"]:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=(0, {len(table.names)})) while a "
            "minimum of 1 is required."
        )
    if found["unlabelled"]:
        raise ValueError(_NO_LABEL)
    if found.get("infinite"):
        raise ValueError("Input y contains NaN or infinity. Drop rows without a label")
    if found.get("broken"):
        raise ValueError(
            "Unknown label type: continuous. y must contain whole numbers, strings or "
            "booleans; got numbers with fractions. Divide y into classes, or use a "
            "regressor"
        )
    spans = {}
    for place in table.measured:
        n_known = int(found[f"known{place}"])
        ends = [
            found[f"{end}{place}"] if n_known else 0 for end in ("least", "largest")
        ]
        spans[place] = Span(n_known, *map(float, ends))
        if np.isinf(ends).any():
            raise ValueError(
                f"column {table.names[place]!r} must contain finite numbers; got "
                "infinity. Replace it by a large finite number, or by a missing value"
            )
    _refuse_names_of_rows(table, int(found["n"]))
    merged = {p for p, span in spans.items() if _is_merged(table, p, span)}
    return Survey(int(found["n"]), spans, merged)


def _is_merged(table: LazyTable, place: int, span: Span) -> bool:
    """Return True if different whole numbers of a column round to the same float.

    If there are too many to compare, return True for any numbers that large.
    """
    kind = table.kinds[place]
    is_whole = kind.is_integer() or kind == nw.Decimal
    if not is_whole or max(-span.least, span.largest) < EXACT:
        return False
    if span.n_known > MOST_COMPARED:
        return True
    columns = {"value": table.number(place), "whole": nw.col(f"c{place}")}
    query = Query(
        [f"c{place}"],
        columns,
        keep=~nw.col("value").is_null(),
        keys=["value"],
        sums={"low": ("min", "whole"), "high": ("max", "whole")},
    )
    found = table.ask("compare large whole numbers", query)
    return bool((found["low"] != found["high"]).any())


def _require_weights(table: LazyTable) -> None:
    weight = nw.col(WEIGHT)
    columns = {
        WEIGHT: weight,
        "missing": weight.is_null().cast(nw.Int64),
    }
    sums = {
        "n": ("len", ""),
        "missing": ("sum", "missing"),
        "least": ("min", WEIGHT),
        "largest": ("max", WEIGHT),
        "total": ("sum", WEIGHT),
    }
    found = _first_row(table, Query([WEIGHT], columns, sums=sums))
    if found["missing"]:
        raise ValueError(
            "sample_weight must contain numbers >= 0; got missing values. Fill them, "
            "or drop these rows"
        )
    if found["n"] and (found["least"] < 0 or np.isinf(found["largest"])):
        odd = found["least"] if found["least"] < 0 else found["largest"]
        raise ValueError(f"sample_weight must contain finite numbers >= 0; got {odd}")
    if found["n"] and not 0 < found["total"] < np.inf:
        raise ValueError(
            "sample_weight must be positive for at least one row; got only zeros"
        )


def _refuse_names_of_rows(table: LazyTable, n_rows: int) -> None:
    """Raise if a text column has so many values that grouping rows is useless."""
    for column, name, kind in zip(table.columns, table.names, table.kinds, strict=True):
        if kind not in (nw.String, nw.Categorical, nw.Enum):
            continue
        first = table.head(column, FIRST_ROWS).unique().select(n=nw.len())
        n_texts = int(table.collect("survey its columns", first)["n"][0])
        if n_texts > MOST_TEXTS:
            raise ValueError(
                f"column {name!r} must have at most {MOST_TEXTS:,} different texts in "
                f"the first {min(n_rows, FIRST_ROWS):,} rows; got {n_texts:,}. Drop "
                "the column if it is an identifier, convert it if it contains numbers "
                "or dates, or merge its levels"
            )


def _first_row(table: LazyTable, query: Query) -> dict[str, Any]:
    frame = table.ask("survey its columns", query)
    row: dict[str, Any] = frame.rows(named=True)[0]
    return row
