"""Groups of rows counted by another engine, and what such tables can get wrong."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrya
from lazy_engines import every_engine
from ostrya.exceptions import TableWarning
from ostrya.preprocessing.compression.lazy_table import LazyTable, as_lazy
from ostrya.preprocessing.compression.value_counts import count_values

numbers = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e3, 1e3),
    st.floats(allow_nan=False, allow_infinity=False),
)


def tree():
    """Return a classifier that takes its time."""
    return ostrya.OptimalTreeClassifier(leaf_penalty=0.01, time_limit=None)


def counted(values, most):
    table = LazyTable(as_lazy(pl.DataFrame({"x": values, "y": 0}).lazy()), "y")
    ends = min(values), max(values)
    return count_values(table, 0, *ends, most)


@given(st.lists(numbers, min_size=1, max_size=60), st.integers(1, 20))
@settings(max_examples=20, deadline=None)
def test_buckets_part_the_values_and_lose_none(values, most):
    found = counted(values, most)
    assert found.rows.sum() == len(values)
    assert (found.low <= found.high).all()
    assert (found.high[:-1] < found.low[1:]).all()
    for low, high, rows in zip(found.low, found.high, found.rows, strict=True):
        inside = [v for v in values if low <= v <= high]
        assert len(inside) == rows
        assert min(inside) == low
        assert max(inside) == high


@given(st.lists(st.integers(-5, 5), min_size=1), st.sampled_from([1.0, 1e-3, 1e9]))
@settings(max_examples=15, deadline=None)
def test_few_values_are_found_one_by_one(values, unit):
    values = [unit * value for value in values] + [1e12]
    found = counted(values, most=12)
    assert found.are_exact
    assert found.low.tolist() == sorted({value + 0.0 for value in values})


def test_quantiles_are_near_those_of_the_rows_whatever_the_spread():
    values = np.exp(np.random.default_rng(0).normal(0, 6, 20_000))
    cut = counted(values.tolist(), most=7).cut(7)
    shares = cut.rows / cut.rows.sum()
    assert len(shares) == 8
    assert (abs(shares - 1 / 8) < 0.04).all()


@every_engine()
def test_groups_are_counted(engine):
    frame = pl.DataFrame({"a b": [1, 1, 2, None], "s": ["x", "x", None, "x"], "y": 1})
    made = ostrya.preprocessing.compress(engine(frame), "y")
    assert made.n_rows == 4
    assert sorted(made.counts.tolist()) == [1, 1, 2]
    assert made.thresholds["a b"].tolist() == [1.5]


@every_engine("polars", "duckdb", "dask")
def test_auto_takes_as_many_thresholds_as_groups_allow(engine):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.random((3000, 3)), schema=["a", "b", "c"])
    frame = frame.with_columns(y=rng.integers(0, 2, 3000))
    made = ostrya.preprocessing.compress(engine(frame), "y", max_groups=200)
    assert {len(t) for t in made.thresholds.values()} == {3}
    assert made.summary.n_thresholds == {"a": 3, "b": 3, "c": 3}
    assert made.n_groups <= 128


@every_engine("polars", "duckdb", "dask")
def test_too_many_groups_are_named_with_the_remedy(engine):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"a": rng.random(900), "b": rng.random(900), "y": 0})
    message = r"max_groups=100 groups.* got about \d+ .*30 of 'a'.*fewer thresholds"
    with pytest.raises(ValueError, match=message):
        ostrya.preprocessing.compress(engine(frame), "y", thresholds=30, max_groups=100)


def test_groups_are_estimated_from_all_columns():
    # With a cell for missing values the first column has 997: the number that sampled
    # keys are first tried to be multiples of, which they are or not by that column.
    first = np.repeat(np.arange(996), 220)
    second = np.tile(np.arange(220), 996) % np.where(first == 0, 220, 40)
    frame = pl.DataFrame({"a": first, "b": second, "y": 0})
    made = ostrya.preprocessing.compress(
        frame.lazy(), "y", thresholds="all", max_groups=150_000
    )
    assert made.n_groups == 220 + 995 * 40


def test_texts_that_name_rows_are_refused():
    frame = pl.DataFrame({"id": [f"n{i}" for i in range(12_000)], "y": [0, 1] * 6000})
    with pytest.raises(
        ValueError,
        match=r"column 'id' must have at most 10,000 different texts.* got 12,000",
    ):
        ostrya.preprocessing.compress(frame.lazy(), "y")


def test_integers_beyond_floats_are_taken_as_floats_are():
    frame = pl.DataFrame({"a": [2**53, 2**53 + 1, 2**60], "y": [0, 0, 1]})
    made = ostrya.preprocessing.compress(frame.lazy(), "y")
    assert made.counts.tolist() == [2, 1]
    with pytest.warns(
        TableWarning, match=r"'a' contains different whole numbers above 2\*\*53"
    ):
        clf = tree().fit(made)
    with pytest.warns(
        TableWarning, match=r"'a' contains different whole numbers above 2\*\*53"
    ):
        eager = tree().fit(frame.drop("y"), frame["y"])
    assert clf.tree_.to_dict() == eager.tree_.to_dict()


@every_engine("polars", "duckdb", "dask")
def test_columns_that_parquet_has_no_type_for_are_empty(engine):
    nothing = pl.Series([None] * 4, dtype=pl.Null)
    frame = pl.DataFrame({"a": [1, 1, 2, 3], "nothing": nothing, "y": [0, 0, 1, 1]})
    made = ostrya.preprocessing.compress(engine(frame), "y")
    assert made.counts.tolist() == [2, 1, 1]
    clf = tree().fit(made)
    assert [f.kind for f in clf.encoder_.features] == ["number", "empty"]


def test_arrow_values_beyond_exact_floats_are_rounded():
    old, new = datetime.date(1, 1, 1), datetime.date(9999, 1, 1)
    days, values = [old, new, new], [2**53 + 1, 2**60, 2**60]
    table = pa.table({"a": values, "day": days, "y": [0, 0, 0]})
    made = ostrya.preprocessing.compress(table, "y")
    assert made.counts.tolist() == [1, 2]
    assert len(made.thresholds["day"]) == 1


def test_zoned_times_are_compared_in_utc():
    noon = datetime.datetime(2024, 1, 1, 12)
    seen = pl.Series([noon, noon + datetime.timedelta(hours=5)] * 2)
    frame = pl.DataFrame({"seen": seen.dt.replace_time_zone("Europe/Berlin")})
    frame = frame.with_columns(y=pl.Series([0, 1] * 2))
    eager = tree().fit(frame.drop("y"), frame["y"])
    lazy = tree().fit(frame.lazy(), "y")
    assert lazy.tree_.to_dict() == eager.tree_.to_dict()


def test_ordered_levels_keep_their_order():
    sizes = pl.Series(["M", "S", "L", "S"] * 10, dtype=pl.Enum(["S", "M", "L"]))
    frame = pl.DataFrame({"size": sizes, "y": [0, 0, 1, 0] * 10})
    clf = tree().fit(frame.lazy(), "y")
    assert clf.tree_.questions[0] == "size <= M"


def test_given_thresholds_may_be_dates():
    days = [datetime.date(2024, 1, day) for day in range(1, 21)]
    frame = pl.DataFrame({"day": days, "y": [0] * 10 + [1] * 10})
    wanted = {"day": [datetime.date(2024, 1, 10)]}
    made = ostrya.preprocessing.compress(frame.lazy(), "y", thresholds=wanted)
    assert made.n_groups == 2
    clf = tree().fit(made)
    assert clf.tree_.questions[0] == "day <= 2024-01-10"


TABLE = {"a": [1.0, 2.0, 3.0], "s": ["x", "y", "x"], "y": ["p", "q", "p"]}
BAD = {
    "no-rows": ({"a": pl.Series([], dtype=pl.Float64), "y": []}, {}, "0 sample"),
    "no-such-target": (
        TABLE,
        {"y": "z"},
        "y must be one of the columns of X, .* got 'z'",
    ),
    "target-alone": (
        {"y": [0, 1]},
        {},
        "at least one feature column in addition to 'y'",
    ),
    "null-target": ({**TABLE, "y": ["p", None, "p"]}, {}, "y contains NaN"),
    "nan-target": ({**TABLE, "y": [0.0, float("nan"), 1.0]}, {}, "y contains NaN"),
    "continuous": ({**TABLE, "y": [0.5, 1.0, 2.0]}, {}, "Unknown label type"),
    "infinite": (
        {**TABLE, "a": [1.0, float("inf"), 2.0]},
        {},
        "'a' must contain finite numbers; got infinity",
    ),
    "same-weights": (TABLE, {"sample_weight": "y"}, "another column than y"),
    "no-such-weight": (
        TABLE,
        {"sample_weight": "w"},
        "sample_weight must be one of the columns .* got 'w'",
    ),
    "negative": ({**TABLE, "w": [1, -1, 1]}, {"sample_weight": "w"}, "got -1"),
    "weightless": (
        {**TABLE, "w": [0, 0, 0]},
        {"sample_weight": "w"},
        "positive for at least one row",
    ),
    "no-weight": (
        {**TABLE, "w": [1, None, 1]},
        {"sample_weight": "w"},
        "got missing values",
    ),
    "odd-word": (TABLE, {"thresholds": "many"}, "thresholds must be"),
    "no-threshold": (TABLE, {"thresholds": 0}, "thresholds must be an integer >= 1"),
    "level": (
        TABLE,
        {"thresholds": {"s": 3}},
        "thresholds must name columns of numbers.* got 's'",
    ),
    "infinity": (TABLE, {"thresholds": {"a": [float("inf")]}}, "finite numbers"),
    "no-groups": (TABLE, {"max_groups": 0}, "max_groups must be"),
}


@every_engine("polars", "duckdb")
@pytest.mark.parametrize(("data", "arguments", "message"), BAD.values(), ids=BAD)
def test_bad_tables_get_one_sentence(engine, data, arguments, message):
    table = engine(pl.DataFrame(data))
    with pytest.raises(ValueError, match=message):
        ostrya.preprocessing.compress(table, **{"y": "y", **arguments})


ODD = {
    "array": (np.zeros((2, 2)), {}, "table must be"),
    "labels": (pl.DataFrame(TABLE).lazy(), {"y": [0, 1, 0]}, "a column name"),
    "lists": (pl.LazyFrame({"a": [[1], [2]], "y": [0, 1]}), {}, "column 'a'"),
    "texts": (pl.LazyFrame(TABLE), {"sample_weight": "s"}, "column of numbers >= 0"),
    "kind": (pl.LazyFrame(TABLE), {"thresholds": 2.5}, "thresholds must be"),
}


@pytest.mark.parametrize(("table", "arguments", "message"), ODD.values(), ids=ODD)
def test_wrong_kinds_get_one_sentence(table, arguments, message):
    with pytest.raises(TypeError, match=message):
        ostrya.preprocessing.compress(table, **{"y": "y", **arguments})


@every_engine("ibis")
def test_times_that_an_engine_cannot_be_asked_about_are_named(engine):
    days = [datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)]
    frame = pl.DataFrame({"a": [1, 2], "day": days, "y": [0, 1]})
    message = (
        r"column 'day' has dtype Date, which narwhals does not support .* Convert it"
    )
    with pytest.raises(TypeError, match=message):
        ostrya.preprocessing.compress(engine(frame), "y")


def test_columns_of_one_name_are_refused():
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    frame = pd.DataFrame([[1, 2, 0], [1, 3, 1]], columns=["a", "a", "y"])
    with pytest.raises(ValueError, match=r"(?s)a.*"):
        ostrya.preprocessing.compress(dd.from_pandas(frame, npartitions=1), "y")


def test_a_query_that_fails_says_so():
    broken = pl.LazyFrame({"a": ["1", "x"], "y": [0, 1]})
    broken = broken.with_columns(pl.col("a").cast(pl.Int64))
    with pytest.raises(ValueError, match="the engine of X failed to"):
        ostrya.preprocessing.compress(broken, "y")


def test_a_file_that_is_gone_says_so(tmp_path):
    pl.DataFrame(TABLE).write_parquet(tmp_path / "t.parquet")
    table = pl.scan_parquet(tmp_path / "t.parquet")
    (tmp_path / "t.parquet").unlink()
    with pytest.raises(ValueError, match="the engine of X failed to"):
        ostrya.preprocessing.compress(table, "y")
