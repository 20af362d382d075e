"""LazyTable: a table in another engine, from which only sums and counts are queried."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw

from ostrya._arguments import picture, show
from ostrya.preprocessing.column import unreadable
from ostrya.preprocessing.compression import dask_parts
from ostrya.preprocessing.compression.duckdb_times import count_zoned_times
from ostrya.preprocessing.compression.plain_rows import TARGET, WEIGHT, PlainRows
from ostrya.preprocessing.compression.query import Query
from ostrya.preprocessing.compression.spark_times import SparkRows, is_spark
from ostrya.preprocessing.compression.steps import (
    as_floats,
    cells_by_comparison,
    cells_by_search,
)

LEVELS = (nw.String, nw.Categorical, nw.Enum, nw.Boolean)


def as_lazy(data: Any) -> Any:
    """Return a narwhals lazy frame if `data` is lazy, otherwise None."""
    try:
        frame = nw.from_native(data, pass_through=True)
    except (TypeError, nw.exceptions.DuplicateError):  # `as_frame` raises the error
        return None
    return frame if isinstance(frame, nw.LazyFrame) else None


class LazyTable:
    """The features, the labels and the weights of a lazy table.

    Parameters
    ----------
    frame : narwhals.LazyFrame
        The table.
    target : str
        The column of labels.
    weight : str or None
        The column of weights; None if all weights are 1.

    Attributes
    ----------
    names : list of str
        The names of the features, in the order of the table.
    kinds : list of narwhals.dtypes.DType
        Their types.
    plain : PlainRows
        The features as c0, c1, ..., the labels as ``label``, and the weights as
        ``weight``.
    """

    def __init__(self, frame: Any, target: Any, weight: Any = None) -> None:
        self._given = self._frame = frame
        schema = asking("read its columns", frame.collect_schema)
        self._all = list(schema.names())
        _refuse_odd_names(self._all)
        self._require("y", target)
        if weight is not None:
            self._require("sample_weight", weight)
            if weight == target:
                raise ValueError(
                    "sample_weight must be another column than y; got "
                    f"{target!r} for both"
                )
        self.target = target
        self.names = [name for name in self._all if name not in (target, weight)]
        if not self.names:
            raise ValueError(
                f"X must have at least one feature column in addition to {target!r}"
            )
        inside = {name: name for name in self._all}  # column names in the engine
        kinds = dict(schema)
        self._counted: set[int] = set()  # indices of times converted to integers
        if is_spark(frame.implementation):
            spark = SparkRows.of(frame, self._all, self.names)
            self._given, self._frame, inside = spark.given, spark.counted, spark.names
            kinds.update(spark.kinds)
            places = enumerate(self.names)
            self._counted = {place for place, n in places if n in spark.kinds}
        elif frame.implementation.is_duckdb():
            zoned = [n for n in self.names if getattr(kinds[n], "time_zone", None)]
            if zoned:
                self._frame = count_zoned_times(frame, zoned)
            self._counted = {self.names.index(name) for name in zoned}
        untyped = [name for name in self.names if kinds[name] == nw.Unknown]
        empty = _of_no_type(self._frame, {name: inside[name] for name in untyped})
        self.kinds = [nw.Boolean() if n in empty else kinds[n] for n in self.names]
        self.target_kind = schema[target]
        for name, kind in zip(self.names, self.kinds, strict=True):
            if not (kind in LEVELS or is_measured(kind)):
                raise TypeError(unreadable(name, f"dtype {kind}"))
        columns = {
            c: nw.lit(None, dtype=nw.Boolean) if name in empty else nw.col(inside[name])
            for c, name in zip(self.columns, self.names, strict=True)
        }
        columns[TARGET] = nw.col(inside[target])
        owned = zip(self.columns, self.names, strict=True)
        sources = {c: inside[name] for c, name in owned}
        sources[TARGET] = inside[target]
        self.is_weighted = weight is not None
        if weight is not None:
            if not schema[weight].is_numeric():
                raise TypeError(
                    "sample_weight must name a column of numbers >= 0; got "
                    f"{weight!r} with dtype {schema[weight]}"
                )
            columns[WEIGHT] = without_nan(nw.col(inside[weight]).cast(nw.Float64))
            sources[WEIGHT] = inside[weight]
        self.plain = PlainRows(columns, sources)
        self._require_times()

    @property
    def columns(self) -> list[str]:
        """The internal names of the features: c0, c1, ..."""
        return [f"c{place}" for place in range(len(self.names))]

    @property
    def measured(self) -> list[int]:
        """The indices of the features that have thresholds."""
        return [place for place, kind in enumerate(self.kinds) if is_measured(kind)]

    def number(self, place: int) -> Any:
        """Return an expression for a measured feature: a float, null if missing."""
        value = self._number(place)
        return as_floats(value) if self._is_dask else value

    def cells_above(self, value: Any, bounds: Sequence[float]) -> Any:
        """Return an expression that counts the ascending bounds below a value.

        For a missing value it is the number of bounds plus one.
        """
        count = cells_by_search if self._is_dask else cells_by_comparison
        return count(value, bounds)

    def _number(self, place: int) -> Any:
        column, kind = nw.col(f"c{place}"), self.kinds[place]
        if place in self._counted:
            return _rounded(column)
        if kind in (nw.Date, nw.Datetime):
            return _microseconds(column, kind)
        if kind == nw.Duration:
            return _rounded(column.dt.total_microseconds())
        if kind in (nw.Int64, nw.UInt64):
            return _rounded(column)
        value = column.cast(nw.Float64)
        return without_nan(value) if kind.is_float() else value

    def keep_weighed(self) -> None:
        """Exclude rows with weight 0."""
        self.plain = replace(self.plain, are_weighed=True)

    @property
    def rows(self) -> Any:
        """All columns under their internal names, without rows of weight 0; lazy."""
        return self.plain.of(self._frame)

    @property
    def rows_as_given(self) -> Any:
        """The same as `rows`, but with times in their original types."""
        return self.plain.of(self._given)

    def ask(self, what: str, query: Query) -> Any:
        """Return the answer to a query as a narwhals dataframe, or raise."""
        if self._is_dask:
            native = self._frame.to_native()
            return asking(what, lambda: dask_parts.answer(query, native, self.plain))
        return asking(what, lambda: _collected(query.of(self.rows)))

    def count(self, what: str, query: Query) -> int:
        """Return the number of groups in the answer to a query, or raise."""
        if self._is_dask:
            return len(self.ask(what, query))
        rows = self.rows
        found = asking(what, lambda: _collected(query.of(rows).select(n=nw.len())))
        return int(found["n"][0])

    def collect(self, what: str, rows: Any) -> Any:
        """Return the rows of a lazy frame as a narwhals dataframe, or raise."""
        return asking(what, lambda: _collected(rows))

    def head(self, column: str, n_rows: int) -> Any:
        """Return the first rows of a column, lazily."""
        if self._is_dask:
            # Selected first, so that Dask does not read the other columns of `rows`.
            few = self._frame.to_native()[self.plain.sources_of([column])]
            few = dask_parts.first_rows(few, n_rows)
            return self.plain.of(nw.from_native(few), [column]).select(column)
        return self.rows.select(column).head(n_rows)

    @property
    def _is_dask(self) -> bool:
        return bool(self._frame.implementation.is_dask())

    def _require_times(self) -> None:
        """Raise if narwhals does not support a column of times in this engine."""
        if self._is_dask:  # partitions are dataframes in memory, which support all
            return
        for place in self.measured:
            if not self.kinds[place].is_temporal():
                continue
            try:
                self.rows.select(self.number(place))
            except NotImplementedError as error:
                raise TypeError(
                    f"column {self.names[place]!r} has dtype {self.kinds[place]}, "
                    "which narwhals does not support for this engine. Convert it to a "
                    "number, for example of seconds, in the engine, drop it, or read X "
                    "with polars, DuckDB or PySpark"
                ) from error

    def _require(self, argument: str, name: Any) -> None:
        if not isinstance(name, str):
            raise TypeError(
                f"{argument} must be a column name if X is a lazy table, because its "
                f"rows have no order; got {show(name)}"
            )
        if name not in self._all:
            raise ValueError(
                f"{argument} must be one of the columns of X, {picture(self._all)}; "
                f"got {name!r}"
            )


def without_nan(value: Any) -> Any:
    """Return an expression of floats with null in place of NaN.

    It does not test for NaN directly: DuckDB may answer such a test from the statistics
    of a Parquet file, which do not include NaN.
    """
    is_infinite = value.abs() == math.inf
    return nw.when(value.is_finite() | is_infinite).then(value)


def is_measured(kind: Any) -> bool:
    """Return True if columns of a type have thresholds."""
    return kind.is_numeric() or kind in (nw.Date, nw.Datetime, nw.Duration)


def asking(what: str, ask: Any) -> Any:
    """Run a query, and add its purpose to any exception that the engine raises."""
    try:
        return ask()
    except (KeyboardInterrupt, MemoryError):
        raise
    except NotImplementedError as error:
        raise TypeError(
            f"the engine of X could not {what}: {_first_line(error)}. Convert the "
            "column in the engine (dates and durations to numbers), or read X with "
            "polars or DuckDB"
        ) from error
    except Exception as error:
        raise ValueError(
            f"the engine of X failed to {what}: {type(error).__name__}: "
            f"{_first_line(error)}"
        ) from error


def _collected(rows: Any) -> Any:
    if rows.implementation.is_polars():
        return rows.collect(engine="streaming")  # never loads all rows at once
    return rows.collect()


def _microseconds(column: Any, kind: Any) -> Any:
    """Return an expression of times as microseconds since 1970."""
    import datetime

    zone = getattr(kind, "time_zone", None)
    start = datetime.datetime(1970, 1, 1)
    if zone is None:
        moment = column.cast(nw.Datetime("us"))
    else:
        start = start.replace(tzinfo=datetime.timezone.utc)
        moment = column.dt.convert_time_zone("UTC")
    return _rounded((moment - nw.lit(start)).dt.total_microseconds())


def _rounded(whole: Any) -> Any:
    """Return an expression of large whole numbers rounded to the nearest floats.

    This is a division by one, because a cast in arrow fails for numbers that a float
    does not represent exactly.
    """
    return whole / 1


def _of_no_type(frame: Any, names: Mapping[str, str]) -> list[str]:
    """Return the columns of unknown type that contain only missing values.

    Parquet has a special type for them. `names` maps the names to those in the engine.
    """
    if not names:
        return []
    counts = {f"n{at}": nw.col(own).count() for at, own in enumerate(names.values())}
    counted = asking("count values", lambda: _collected(frame.select(**counts)))
    found = counted.rows()[0]
    return [name for name, count in zip(names, found, strict=True) if count == 0]


def _refuse_odd_names(names: list[Any]) -> None:
    """Raise if a column name is not a string, or occurs twice."""
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                f"column names of X must be strings; got {show(name)}. Rename the "
                "columns, for example with X.rename(columns=str)"
            )
    for name, count in Counter(names).items():
        if count > 1:
            raise ValueError(
                f"X must have distinct column names; got {count} columns named "
                f"{name!r}. Rename or drop columns"
            )


def _first_line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0][:300] if text else "no reason given"
