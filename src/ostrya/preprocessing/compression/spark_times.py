"""Dates, times and durations of Spark as microseconds, in its own words.

narwhals asks Spark for no microseconds, and has no name for its durations.
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
    # No zone comes in, as a cast to a timestamp would bring that of the session.
    "timestamp_ntz": _SECONDS.format(f"CAST({{}} - {_START} AS INTERVAL SECOND)"),
    "duration": _SECONDS.format("CAST({} AS INTERVAL SECOND)"),
}


def is_spark(engine: Any) -> bool:
    """Say whether an engine is Spark itself, in this process or on a server."""
    return bool(engine.is_pyspark() or engine.is_pyspark_connect())


@dataclass(frozen=True, eq=False)
class SparkRows:
    """A dataframe of Spark in the form that narwhals can ask about.

    Spark reads dots and backticks in a name, even where narwhals passes it on; so
    columns get plain ones.

    Attributes
    ----------
    given : narwhals.LazyFrame
        The rows as they are.
    counted : narwhals.LazyFrame
        The same with microseconds in place of times, since 1970 or of durations.
    names : dict
        The plain names, by those of the table.
    kinds : dict
        What each column of times holds, as a type of narwhals, by its name.
    """

    given: Any
    counted: Any
    names: dict[str, str]
    kinds: dict[str, Any]

    @classmethod
    def of(cls, frame: Any, names: Sequence[str], features: Sequence[str]) -> SparkRows:
        """Return the rows of a frame of narwhals; times of features are counted."""
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
    """Return how a type is called here, given how Spark spells it."""
    months = ("year", "month")  # these last no certain time
    is_interval = spelt.startswith("interval") and not any(m in spelt for m in months)
    return "duration" if is_interval else spelt


def _kind(word: str) -> Any:
    if word == "date":
        return nw.Date()
    if word == "duration":
        return nw.Duration("us")
    # A timestamp of Spark is a moment, whatever zone the session shows it in.
    return nw.Datetime("us", "UTC" if word == "timestamp" else None)
