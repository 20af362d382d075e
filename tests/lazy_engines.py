"""One table in the hands of every engine that is installed."""

from __future__ import annotations

import pytest


def in_polars(frame):
    """Give a polars table to polars, lazily."""
    return frame.lazy()


def in_duckdb(frame):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    table = frame.to_arrow()
    return duckdb.connect().from_arrow(table)


def in_dask(frame):
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    return dd.from_pandas(frame.to_pandas(), npartitions=3, sort=False)


def in_ibis(frame):
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
    return ibis.memtable(frame.to_arrow())


ENGINES = {
    "polars": in_polars,
    "duckdb": in_duckdb,
    "dask": in_dask,
    "ibis": in_ibis,
}


def every_engine(*names):
    """Run a test with each of these engines; without names, with all."""
    chosen = {name: ENGINES[name] for name in names or ENGINES}
    return pytest.mark.parametrize("engine", chosen.values(), ids=chosen.keys())
