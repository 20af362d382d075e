"""Sample rows of a lazy table for transformers that learn thresholds from rows.

If the engine has a hash function, rows are chosen by a hash of their values, so that
the sample does not depend on their order; equal rows are then either all chosen or not
at all. Other engines choose randomly with a fixed seed.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.compression.lazy_table import LazyTable
from ostrya.preprocessing.compression.plain_rows import TARGET, WEIGHT
from ostrya.preprocessing.compression.spark_times import is_spark

SAMPLE = 50_000
FEWEST = 1_000


def sample_rows(
    table: LazyTable, n_rows: int
) -> tuple[Any, Any, npt.NDArray[np.float64] | None]:
    """Return about `SAMPLE` rows: a dataframe, labels, and weights or None."""
    step = max(n_rows // SAMPLE, 1)
    while True:
        frame = table.collect("take a sample", _every(table.rows_as_given, step))
        if step == 1 or len(frame) >= FEWEST:
            break
        step = max(step // 8, 1)
    names = dict(zip(table.columns, table.names, strict=True))
    features = frame.select(*table.columns).rename(names).to_native()
    weights = frame[WEIGHT].to_numpy() if table.is_weighted else None
    return features, frame[TARGET].to_native(), weights


def _every(rows: Any, step: int) -> Any:
    """Return about one row in `step`."""
    if step == 1:
        return rows
    native = rows.to_native()
    engine = rows.implementation
    if engine.is_polars():
        import polars as pl

        chosen = native.filter(pl.struct(pl.all()).hash(0) % step == 0)
    elif engine.is_duckdb():
        columns = ", ".join(native.columns)  # internal names, which need no quotes
        chosen = native.filter(f"hash({columns}) % {step} = 0")
    elif engine.is_dask():
        chosen = native.sample(frac=1 / step, random_state=0)
    elif engine.is_ibis():
        chosen = native.sample(1 / step, seed=0)
    elif is_spark(engine):
        columns = ", ".join(native.columns)
        chosen = native.filter(f"pmod(xxhash64({columns}), {step}) = 0")
    elif engine.is_spark_like():  # another engine with the same interface
        chosen = native.sample(fraction=1 / step, seed=0)
    else:  # a dataframe in memory
        chosen = rows.collect().sample(fraction=1 / step, seed=0).lazy().to_native()
    return nw.from_native(chosen).lazy()
