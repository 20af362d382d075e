"""One table in the hands of every engine that is installed."""

from __future__ import annotations

import functools
import warnings

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


def in_pyspark(frame):
    pytest.importorskip("pyspark", reason="PySpark is not installed")
    with warnings.catch_warnings():
        # It warns of every pandas that is newer than itself.
        warnings.simplefilter("ignore")
        return spark().createDataFrame(frame.to_arrow())


@functools.cache
def spark():
    """Start Spark in this process, or skip the test where there is no Java."""
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        # No zone of times may hang on where the tests run, or be UTC by chance.
        "spark.sql.session.timeZone": "America/New_York",
        # On a busy machine Spark takes itself for dead before it has started.
        "spark.executor.heartbeatInterval": "300s",
        "spark.network.timeout": "3000s",
        # Times without a zone stay without one.
        "spark.sql.timestampType": "TIMESTAMP_NTZ",
    }
    try:
        session = SparkSession.builder.master("local[2]").config(map=settings)
        return session.getOrCreate()
    except PySparkRuntimeError as error:
        pytest.skip(f"Spark does not start, it may want Java: {error}")


ENGINES = {
    "polars": in_polars,
    "duckdb": in_duckdb,
    "dask": in_dask,
    "ibis": in_ibis,
    "pyspark": in_pyspark,
}


def every_engine(*names):
    """Run a test with each of these engines; without names, with all."""
    chosen = {name: ENGINES[name] for name in names or ENGINES}
    return pytest.mark.parametrize("engine", chosen.values(), ids=chosen.keys())
