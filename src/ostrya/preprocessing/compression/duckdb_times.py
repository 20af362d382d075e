"""Convert DuckDB times with a time zone to microseconds.

DuckDB has one time zone per connection rather than one per column, and narwhals cannot
convert DuckDB times to another zone. Subtracting times does not help, because
differences are counted in days of the connection's zone, which may have 23 or 25 hours.
DuckDB's function ``epoch_us`` returns microseconds since 1970 in UTC, independently of
that zone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import narwhals as nw


def count_zoned_times(frame: Any, zoned: Iterable[str]) -> Any:
    """Return a relation with some columns of times converted to whole microseconds.

    Parameters
    ----------
    frame : narwhals.LazyFrame
        A DuckDB relation.
    zoned : iterable of str
        The columns to convert; they keep their names.
    """
    import duckdb

    relation = frame.to_native()
    converted = set(zoned)
    columns = []
    for name in relation.columns:
        column: Any = duckdb.ColumnExpression(name)
        if name in converted:
            column = duckdb.FunctionExpression("epoch_us", column).alias(name)
        columns.append(column)
    return nw.from_native(relation.select(*columns))
