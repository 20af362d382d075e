"""One query over a whole lazy table: how many rows, and what each column spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from ostrya.preprocessing.compression.lazy_table import TARGET, WEIGHT, LazyTable

# The first rows of a column of texts show whether it names rows.
FIRST_ROWS = 200_000
MOST_TEXTS = 10_000
_NO_LABEL = "Input y contains NaN; drop the rows without a label"


@dataclass(frozen=True)
class Span:
    """What the known values of a measured feature lie between."""

    n_known: int
    least: float
    largest: float


@dataclass(frozen=True)
class Survey:
    """What is known of a table before its rows are grouped."""

    n_rows: int
    spans: dict[int, Span]  # by the place of the feature


def survey(table: LazyTable) -> Survey:
    """Return what all rows of a table span, or raise where it cannot be learnt from.

    Rows of weight 0 are left out of the table.
    """
    if table.is_weighted:
        _require_weights(table)
        table.keep_weighed()
    label, label_kind = nw.col(TARGET), table.target_kind
    asked: dict[str, Any] = {"n": nw.len(), "unlabelled": label.is_null().sum()}
    if label_kind.is_float():
        asked["infinite"] = (~label.is_finite()).sum()
        asked["broken"] = (label != label.floor()).sum()
    for place in table.measured:
        value = nw.col(f"v{place}")
        asked[f"known{place}"] = value.count()
        asked[f"least{place}"], asked[f"largest{place}"] = value.min(), value.max()
    rows = table.rows
    if table.measured:
        numbers = {f"v{place}": table.number(place) for place in table.measured}
        rows = rows.with_columns(**numbers)
    found = _first_row(table, rows.select(**asked))
    if not found["n"]:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=(0, {len(table.names)})) while a "
            "minimum of 1 is required."
        )
    if found["unlabelled"]:
        raise ValueError(_NO_LABEL)
    if found.get("infinite"):
        raise ValueError(
            "Input y contains NaN or infinity; drop the rows without a label"
        )
    if found.get("broken"):
        raise ValueError(
            "Unknown label type: continuous. y holds numbers that are not whole, and "
            "this is a classifier; cut y into classes first"
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
                f"column {table.names[place]!r} contains infinity; use a large finite "
                "number, or a missing value"
            )
    _refuse_names_of_rows(table, int(found["n"]))
    return Survey(int(found["n"]), spans)


def _require_weights(table: LazyTable) -> None:
    weight = nw.col(WEIGHT)
    found = _first_row(
        table,
        table.rows.select(
            n=nw.len(),
            missing=(weight.is_null() | weight.is_nan()).sum(),
            least=weight.min(),
            largest=weight.max(),
            total=weight.sum(),
        ),
    )
    if found["missing"]:
        raise ValueError("sample_weight must hold numbers >= 0; some are missing")
    if found["n"] and (found["least"] < 0 or np.isinf(found["largest"])):
        odd = found["least"] if found["least"] < 0 else found["largest"]
        raise ValueError(f"sample_weight must hold finite numbers >= 0; got {odd}")
    if found["n"] and not 0 < found["total"] < np.inf:
        raise ValueError("sample_weight must not be zero for every row")


def _refuse_names_of_rows(table: LazyTable, n_rows: int) -> None:
    """Raise where texts differ so much that groups of rows would be rows."""
    for column, name, kind in zip(table.columns, table.names, table.kinds, strict=True):
        if kind not in (nw.String, nw.Categorical, nw.Enum):
            continue
        first = table.rows.select(column).head(FIRST_ROWS).unique().select(n=nw.len())
        n_texts = int(_first_row(table, first)["n"])
        if n_texts > MOST_TEXTS:
            raise ValueError(
                f"column {name!r} has {n_texts:,} different texts in the first "
                f"{min(n_rows, FIRST_ROWS):,} rows, and at most {MOST_TEXTS:,} are "
                "grouped; convert it to numbers or dates where it holds them, group "
                "its levels, or drop it"
            )


def _first_row(table: LazyTable, query: Any) -> dict[str, Any]:
    frame = table.collect("survey its columns", query)
    row: dict[str, Any] = frame.rows(named=True)[0]
    return row
