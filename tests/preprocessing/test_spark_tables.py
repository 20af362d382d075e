"""Dataframes of PySpark: groups and thresholds are those that polars finds."""

from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest

import ostrya
from lazy_engines import in_pyspark
from ostrya.preprocessing.compression import sample
from ostrya.preprocessing.compression.lazy_table import LazyTable, as_lazy
from ostrya.preprocessing.compression.sample import sample_rows

pytest.importorskip("pyspark", reason="PySpark is not installed")


def numbers(n_rows=1000):
    """Return numbers of any spread, with gaps that are null and gaps that are NaN."""
    rng = np.random.default_rng(0)
    is_gap = rng.random((2, n_rows)) < 0.1
    frame = pl.DataFrame(
        {
            "spread": np.exp(rng.normal(0, 6, n_rows)),
            "huge": rng.choice([-1e300, -0.0, 0.0, 5e-324, 1e300], n_rows),
            "gaps": np.where(is_gap[0], np.nan, rng.integers(-500, 500, n_rows)),
            "y": rng.integers(0, 2, n_rows),
        }
    )
    known = pl.when(pl.Series(~is_gap[1])).then(pl.col("gaps"))
    return frame.with_columns(known.alias("gaps"))


def require_same(one, other):
    assert one.summary == other.summary
    assert one.counts.tolist() == other.counts.tolist()
    assert one.labels.tolist() == other.labels.tolist()
    assert one.to_table().to_pylist() == other.to_table().to_pylist()
    assert one.thresholds.keys() == other.thresholds.keys()
    for name, thresholds in one.thresholds.items():
        assert thresholds.tolist() == other.thresholds[name].tolist()


@pytest.mark.parametrize("thresholds", [5, "auto"])
def test_thresholds_by_number_are_those_of_polars(thresholds):
    frame = numbers()
    wanted = {"thresholds": thresholds, "max_groups": 500}
    made = ostrya.preprocessing.compress(in_pyspark(frame), "y", **wanted)
    require_same(made, ostrya.preprocessing.compress(frame.lazy(), "y", **wanted))


def times():
    """Return times at the ends of what Spark holds, and where clocks are put forward.

    Zones are those of the table, not of the session.
    """
    moments = [
        datetime.datetime(1900, 1, 1),
        datetime.datetime(2024, 3, 10, 2, 30),
        datetime.datetime(2200, 12, 31, 23, 59, 59, 999_999),
        None,
    ]
    zoned = pl.Series(moments, dtype=pl.Datetime("us")).dt.replace_time_zone("UTC")
    waits = [datetime.timedelta(days=-9, microseconds=1), datetime.timedelta(0)]
    return pl.DataFrame(
        {
            "local": moments,
            "zoned": zoned,
            "day": [datetime.date(1, 1, 1), *[datetime.date(2024, 2, 29)] * 2, None],
            "a.b `wait`": [*waits, datetime.timedelta(days=9), None],
            "y": ["a", "b", "a", "b"],
        }
    )


def test_dates_times_and_durations_are_those_of_polars():
    frame = times()
    made = ostrya.preprocessing.compress(in_pyspark(frame), "y")
    require_same(made, ostrya.preprocessing.compress(frame.lazy(), "y"))
    lazy, eager = (
        ostrya.OptimalTreeClassifier(leaf_penalty=0.01, time_limit=None)
        for _ in range(2)
    )
    lazy.fit(in_pyspark(frame), y="y")
    eager.fit(frame.drop("y"), frame["y"])
    assert lazy.encoder_.features == eager.encoder_.features
    assert lazy.objective_ == eager.objective_


def test_a_guess_sees_rows_chosen_by_their_values(monkeypatch):
    monkeypatch.setattr(sample, "SAMPLE", 1500)
    rng = np.random.default_rng(0)
    start = datetime.date(2024, 1, 1)
    days = [start + datetime.timedelta(days=int(d)) for d in rng.integers(0, 90, 4000)]
    frame = pl.DataFrame({"day": days, "a": rng.random(4000)})
    frame = frame.with_columns(y=(pl.col("day") > days[0]) & (pl.col("a") > 0.5))
    made = ostrya.preprocessing.compress(
        in_pyspark(frame), "y", thresholds=ostrya.guesses.ThresholdGuess()
    )
    assert made.n_rows == 4000
    assert made.summary.n_thresholds["a"] < 100
    assert len(made.thresholds["day"])

    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=3)
    one, other = (
        sample_rows(LazyTable(as_lazy(in_pyspark(each)), "y"), 4000)[0].to_pylist()
        for each in (frame, shuffled)
    )
    assert 1000 < len(one) < 3000
    assert sorted(row["a"] for row in one) == sorted(row["a"] for row in other)
    assert isinstance(one[0]["day"], datetime.date), "dates stay dates in a sample"


def test_columns_of_no_type_are_empty():
    nothing = pl.Series([None] * 4, dtype=pl.Null)
    frame = pl.DataFrame({"a": [1, 1, 2, 3], "nothing": nothing, "y": [0, 0, 1, 1]})
    made = ostrya.preprocessing.compress(in_pyspark(frame), "y")
    assert made.counts.tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ("array(1)", r"column 'odd': .*a number, a date.* Convert the column, or drop"),
        ("INTERVAL '1' MONTH", r"column 'odd': .*Convert the column, or drop it"),
    ],
)
def test_other_types_are_refused_by_name(made, message):
    table = in_pyspark(pl.DataFrame({"a": [1, 2], "y": [0, 1]}))
    with pytest.raises(TypeError, match=message):
        ostrya.preprocessing.compress(table.selectExpr("*", f"{made} AS odd"), "y")


def test_a_query_that_fails_in_spark_says_so():
    table = in_pyspark(pl.DataFrame({"a": ["1", "x"], "y": [0, 1]}))
    broken = table.selectExpr("raise_error(a) AS a", "y").selectExpr(
        "CAST(a AS INT) AS a", "y"
    )
    with pytest.raises(ValueError, match="the engine of X failed to"):
        ostrya.preprocessing.compress(broken, "y")
