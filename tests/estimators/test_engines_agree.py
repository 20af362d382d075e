"""The same table gives the same result in memory, in polars and in DuckDB."""

from __future__ import annotations

import warnings

import numpy as np
import polars as pl
import pytest

import ostrya

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")

# Parquet has no durations: DuckDB reads those of polars as whole numbers.
IN_PARQUET = ("float", "narrow", "whole", "level", "truth", "time", "zoned")
KINDS = (*IN_PARQUET, "duration")


def random_column(chance, kind, n_rows):
    """Return a polars series, with missing values in most cases."""
    if kind == "float":
        values = chance.normal(size=n_rows).round(int(chance.integers(0, 4)))
    elif kind == "narrow":
        values = chance.exponential(size=n_rows).astype(np.float32)
    elif kind == "whole":
        values = chance.integers(-3, 4, n_rows)
    elif kind == "level":
        values = np.array(list("abcdef"))[chance.integers(0, 6, n_rows)]
    elif kind == "truth":
        values = chance.random(n_rows) < 0.5
    else:  # within a year, so that clocks change in between
        values = chance.integers(0, 365 * 24, n_rows) * 3_600_000_000
    dtypes = {
        "time": pl.Datetime("us"),
        "zoned": pl.Datetime("us", "Europe/Berlin"),
        "duration": pl.Duration("us"),
    }
    series = pl.Series(values)
    if kind in dtypes:
        series = series.cast(dtypes[kind])
    is_gone = chance.random(n_rows) < chance.choice([0.0, 0.1, 0.5])
    if kind in ("float", "narrow") and chance.random() < 0.7:
        # NaN and null both say that there is no value; most columns have one of them.
        is_nan = is_gone & (chance.random(n_rows) < chance.choice([0.5, 1.0]))
        series = series.set(pl.Series(is_nan), float("nan"))
        is_gone &= ~is_nan
    return pl.select(pl.when(pl.Series(~is_gone)).then(series)).to_series()


def random_table(seed, known=KINDS):
    """Return features and labels as one polars table."""
    chance = np.random.default_rng(seed)
    n_rows = int(chance.choice([5, 20, 60, 300]))
    kinds = chance.choice(known, int(chance.integers(1, 4)))
    columns = {
        f"{kind}{place}": random_column(chance, kind, n_rows)
        for place, kind in enumerate(kinds)
    }
    labels = chance.integers(0, 2, n_rows)
    labels[:2] = 0, 1
    return pl.DataFrame({**columns, "y": labels})


def result(*fitted, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ostrya.TableWarning)
        model = ostrya.OptimalTreeClassifier(
            leaf_penalty=0.02, max_depth=2, **parameters
        ).fit(*fitted)
    return str(model.tree_), model.objective_, model.lower_bound_, model.status_


@pytest.mark.parametrize("seed", range(40))
def test_memory_polars_and_duckdb_agree(seed):
    table = random_table(seed)
    expected = result(table.drop("y").to_pandas(), table["y"].to_numpy())
    assert expected[3] == "optimal"
    assert result(table.lazy(), "y") == expected
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'America/New_York'")
    assert result(connection.from_arrow(table.to_arrow()), "y") == expected


@pytest.mark.parametrize("seed", range(40))
def test_memory_polars_and_duckdb_agree_on_parquet_files(seed, tmp_path):
    table = random_table(seed, IN_PARQUET)
    path = tmp_path / "table.parquet"
    table.write_parquet(path)
    expected = result(table.drop("y").to_pandas(), table["y"].to_numpy())
    assert result(pl.scan_parquet(path), "y") == expected
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'Asia/Kolkata'")
    assert result(connection.read_parquet(str(path)), "y") == expected


@pytest.mark.parametrize("seed", range(40, 52))
def test_few_thresholds_are_the_same_in_polars_and_duckdb(seed, tmp_path):
    table = random_table(seed, IN_PARQUET)
    path = tmp_path / "table.parquet"
    table.write_parquet(path)
    lazy = pl.scan_parquet(path), duckdb.connect().read_parquet(str(path))
    for options in ({"thresholds": 2}, {"max_groups": 30}):
        groups = []
        for each in lazy:
            try:
                groups.append(ostrya.preprocessing.compress(each, "y", **options))
            except ValueError as error:  # there may be more groups than allowed
                groups.append(str(error))
        if any(isinstance(found, str) for found in groups):
            assert groups[0] == groups[1]
            continue
        assert groups[0].summary == groups[1].summary
        assert result(groups[0]) == result(groups[1])


def test_duckdb_takes_nan_as_missing_where_parquet_statistics_deny_it(tmp_path):
    path = tmp_path / "table.parquet"
    values = [1.0, float("nan"), 3.0, float("nan"), 2.0]
    pl.DataFrame({"a": values, "y": [0, 1, 0, 1, 1]}).write_parquet(path)
    relation = duckdb.connect().read_parquet(str(path))
    assert relation.filter("isnan(a)").fetchall() == [], "this is what goes wrong"
    found = ostrya.preprocessing.compress(relation, "y")
    assert found.summary.are_all
    assert found.thresholds["a"].tolist() == [1.5, 2.5]


@pytest.mark.parametrize("zone", ["UTC", "Etc/UTC", "America/New_York", "Asia/Kolkata"])
def test_duckdb_counts_zoned_times_whatever_the_zone_of_the_connection(zone):
    hours = pl.Series(range(0, 24 * 300, 7)) * 3_600_000_000
    table = pl.DataFrame(
        {
            "seen": hours.cast(pl.Datetime("us", "Europe/Berlin")),
            "y": (hours > 24 * 150 * 3_600_000_000).cast(pl.Int64),
        }
    )
    connection = duckdb.connect()
    connection.execute(f"SET TimeZone = '{zone}'")
    found = result(connection.from_arrow(table.to_arrow()), "y")
    assert found == result(table.select("seen"), table["y"].to_numpy())
    assert "UTC" in found[0]


def test_weights_that_are_nan_are_refused_in_duckdb(tmp_path):
    path = tmp_path / "table.parquet"
    rows = {"a": [1.0, 2.0, 3.0], "w": [1.0, float("nan"), 1.0], "y": [0, 1, 1]}
    pl.DataFrame(rows).write_parquet(path)
    relation = duckdb.connect().read_parquet(str(path))
    with pytest.raises(ValueError, match=r"sample_weight must .*missing values"):
        ostrya.preprocessing.compress(relation, "y", "w")
