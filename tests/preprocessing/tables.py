"""One table in every dress it can come in."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

ROWS = [
    (20.0, "red", True, 1),
    (None, "blue", False, 2),
    (35.0, None, None, 3),
    (28.0, "green", True, 4),
    (20.0, "red", False, 5),
]
NAMES = ["age", "colour", "owner", "rooms"]
COLUMNS = {name: [row[i] for row in ROWS] for i, name in enumerate(NAMES)}


def objects():
    return np.array(ROWS, dtype=object)


def categories(frame):
    return frame.assign(colour=frame["colour"].astype("category"))


DRESSES = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas-objects": lambda: pd.DataFrame(objects(), columns=NAMES),
    "pandas-nullable": lambda: pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas-category": lambda: categories(pd.DataFrame(COLUMNS)),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars-nan": lambda: pl.DataFrame(COLUMNS).with_columns(
        pl.col("age").fill_null(float("nan"))
    ),
    "polars-category": lambda: pl.DataFrame(
        COLUMNS, schema_overrides={"colour": pl.Categorical}
    ),
    "pyarrow": lambda: pa.table(COLUMNS),
    "pyarrow-dictionary": lambda: pa.table(
        COLUMNS | {"colour": pa.array(COLUMNS["colour"]).dictionary_encode()}
    ),
    "objects": objects,
    "lists": lambda: [list(row) for row in ROWS],
}
