"""Times with a time zone in DuckDB, as microseconds.

DuckDB keeps one time zone per connection rather than one per column, and narwhals
converts times of DuckDB to no other zone. Differences between times do not help: they
are counted in days of the connection's zone, which may have 23 or 25 hours. The
function ``epoch_us`` of DuckDB counts microseconds since 1970 in UTC, whatever that
zone is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import narwhals as nw


def count_zoned_times(frame: Any, zoned: Iterable[str]) -> Any:
    """Return a relation with some columns of zoned times as whole microseconds.

    Parameters
    ----------
    frame : narwhals.LazyFrame
        A relation of DuckDB.
    zoned : iterable of str
        The names of the columns to convert; they keep their names.
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
