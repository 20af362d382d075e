"""Convert dates, times and durations of Spark to microseconds with Spark SQL.

narwhals supports neither microseconds nor durations for Spark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw

_SECONDS = "CAST(CAST({} AS DECIMAL(20, 6)) * 1000000 AS BIGINT)"
_START = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"
_TIMES = {
    "date": "CAST(unix_date({}) AS BIGINT) * 86400000000L",
    "timestamp": "unix_micros({})",
    # A cast to a timestamp would apply the time zone of the session.
    "timestamp_ntz": _SECONDS.format(f"CAST({{}} - {_START} AS INTERVAL SECOND)"),
    "duration": _SECONDS.format("CAST({} AS INTERVAL SECOND)"),
}


def is_spark(engine: Any) -> bool:
    """Return True if an engine is Spark itself, in this process or on a server."""
    return bool(engine.is_pyspark() or engine.is_pyspark_connect())


@dataclass(frozen=True, eq=False)
class SparkRows:
    """A Spark dataframe in a form that narwhals supports.

    Columns are renamed because Spark interprets dots and backticks in names, even in
    names that narwhals passes.

    Attributes
    ----------
    given : narwhals.LazyFrame
        The original rows.
    counted : narwhals.LazyFrame
        The same rows with times (since 1970) and durations as microseconds.
    names : dict
        The internal name of each column of the table.
    kinds : dict
        The narwhals type of each column of times, by its name.
    """

    given: Any
    counted: Any
    names: dict[str, str]
    kinds: dict[str, Any]

    @classmethod
    def of(cls, frame: Any, names: Sequence[str], features: Sequence[str]) -> SparkRows:
        """Return the rows of a narwhals frame, with times of features converted."""
        plain = {name: f"s{at}" for at, name in enumerate(names)}
        given = frame.to_native().toDF(*plain.values())
        words = {name: _word(spelt) for name, spelt in given.dtypes}
        times = {n: words[plain[n]] for n in features if words[plain[n]] in _TIMES}
        shown = dict.fromkeys(plain.values(), "{}")
        shown.update((plain[name], _TIMES[word]) for name, word in times.items())
        counted = given.selectExpr(
            *(f"{made.format(own)} AS {own}" for own, made in shown.items())
        )
        kinds = {name: _kind(word) for name, word in times.items()}
        return cls(nw.from_native(given), nw.from_native(counted), plain, kinds)


def _word(spelt: str) -> str:
    """Return the type name used here for a type name of Spark."""
    months = ("year", "month")  # these have no fixed length
    is_interval = spelt.startswith("interval") and not any(m in spelt for m in months)
    return "duration" if is_interval else spelt


def _kind(word: str) -> Any:
    if word == "date":
        return nw.Date()
    if word == "duration":
        return nw.Duration("us")
    # A Spark timestamp is a point in time, independent of the session's time zone.
    return nw.Datetime("us", "UTC" if word == "timestamp" else None)
