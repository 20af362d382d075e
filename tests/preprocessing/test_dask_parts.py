"""Dask dataframes: parts of any size, answered one by one, are the whole table."""

from __future__ import annotations

import datetime

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

import ostrya
from ostrya.preprocessing.compression import dask_parts
from ostrya.preprocessing.compression.lazy_table import LazyTable, as_lazy
from ostrya.preprocessing.compression.query import Query

dask = pytest.importorskip("dask", reason="Dask is not installed")
dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")


def rows(n_rows=90):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "a": rng.integers(0, 5, n_rows),
            "s": pd.Categorical(rng.choice(["x", "y", "z"], n_rows)),
            "w": rng.integers(0, 3, n_rows),
            "y": rng.choice(["no", "yes"], n_rows),
        }
    )


def require_same(one, other):
    assert one.summary == other.summary
    assert one.counts.tolist() == other.counts.tolist()
    assert one.labels.tolist() == other.labels.tolist()
    assert one.to_table().to_pylist() == other.to_table().to_pylist()
    assert (one.weights is None) == (other.weights is None)
    if one.weights is not None:
        assert one.weights.tolist() == other.weights.tolist()


@pytest.mark.parametrize("n_parts", [1, 3, 20])
def test_parts_and_slices_of_any_size_are_the_whole_table(monkeypatch, n_parts):
    monkeypatch.setattr(dask_parts, "SLICE", 7)
    frame = rows()
    table = dd.from_pandas(frame, npartitions=n_parts, sort=False)
    for weight in (None, "w"):
        made = ostrya.preprocessing.compress(table, "y", weight)
        require_same(made, ostrya.preprocessing.compress(frame, "y", weight))


def test_empty_parts_and_parts_of_other_categories_are_no_matter():
    frame = rows()
    table = dd.from_pandas(frame, npartitions=6, sort=False)
    table = table[table["s"] != "z"]
    table = table[(table["a"] > 0) | (table.index > 60)]
    table = table.map_partitions(
        lambda part: part.assign(s=part["s"].cat.remove_unused_categories())
    )
    kept = frame[(frame["s"] != "z") & ((frame["a"] > 0) | (frame.index > 60))]
    require_same(
        ostrya.preprocessing.compress(table, "y"),
        ostrya.preprocessing.compress(kept, "y"),
    )


def test_the_first_rows_come_from_as_many_parts_as_they_need(monkeypatch):
    texts = [f"n{at}" for at in range(12_000)]
    frame = pd.DataFrame({"id": texts, "y": [0, 1] * 6000})
    table = dd.from_pandas(frame, npartitions=30, sort=False)
    with pytest.raises(
        ValueError,
        match=r"column 'id' must have at most 10,000 different texts.* got 12,000",
    ):
        ostrya.preprocessing.compress(table, "y")


def test_dates_of_arrow_do_not_keep_groups_from_being_counted():
    # pandas has no remainder of integers that arrow holds.
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.random((3000, 3)), schema=["a", "b", "c"])
    start = datetime.date(2024, 1, 1)
    days = [start + datetime.timedelta(days=int(d)) for d in rng.integers(0, 9, 3000)]
    frame = frame.with_columns(day=pl.Series(days), y=rng.integers(0, 2, 3000))
    arrow = frame.to_pandas(use_pyarrow_extension_array=True)
    said = []
    for table in (frame.lazy(), dd.from_pandas(arrow, npartitions=2, sort=False)):
        with pytest.raises(ValueError, match=r"got about [\d,]+") as caught:
            ostrya.preprocessing.compress(table, "y", thresholds=63, max_groups=500)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_a_part_has_the_columns_of_its_query_alone(monkeypatch):
    # Dask reads all columns where they are renamed before they are chosen.
    seen = []
    answer_part = dask_parts._answer_part

    def look(part, *rest):
        seen.append(list(part.columns))
        return answer_part(part, *rest)

    monkeypatch.setattr(dask_parts, "_answer_part", look)
    table = dd.from_pandas(rows(), npartitions=1, sort=False)
    lazy = LazyTable(as_lazy(table), "y", "w")
    query = Query(["c1"], {"c1": nw.col("c1")}, keys=["c1"])
    with dask.config.set(scheduler="synchronous"):
        assert len(lazy.ask("read a column", query)) == 3
        lazy.keep_weighed()
        lazy.ask("read a column", query)
    assert seen == [["s"], ["s", "w"]]
