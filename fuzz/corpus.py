"""Valid files of every format, from which damaged ones are made."""

from __future__ import annotations

import gzip
import io
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import ostrya
import ostrya.export
from cli.files import CARS

COLUMNS = {
    "age": [20, 35, None, 28, 61, 44, 33],
    "colour": ["red", "blue", None, "red", "green", "blue", "red"],
    "owner": [True, False, True, None, False, True, True],
    "price": [1.5, 2.5, 0.5, 9.5, 3.0, 4.5, float("nan")],
    "label": ["no", "yes", "no", "no", "yes", "yes", "no"],
}
CSV = (
    CARS,
    CARS.replace(",", ";").replace(".", ","),
    CARS.replace(",", "\t").replace("\n", "\r\n"),
    '"a, b","label"\n"1","x"\n"2","y ""z"""\n"3","x"\n',
    "a,label\n" + "".join(f"{i / 7},{i % 3}\n" for i in range(40)),
    "\ufeffa,b,label\n1,,0\n-2.5e-3,NA,1\n?,7,0\n",
    "date,label\n2020-01-02,true\n2021-02-03,false\n",
    "at,paid,label\n2020-01-02T03:04:05.678Z,$1,200,x\n".replace("$1,200", '"$1,200"')
    + "2021-01-02 03:04+02:00,($3),y\n?,$0.50,x\n",
    "wait;rate;label\n1 days 02:03:04;1.234,5%;x\nP1DT2H;7%;y\n-1 days +23:00:00;0;x\n",
)


@cache
def tables() -> list[bytes]:
    """Return CSV files, plain and compressed."""
    plain = [text.encode() for text in CSV]
    return [*plain, gzip.compress(plain[0]), gzip.compress(plain[4])]


@cache
def parquets() -> list[bytes]:
    """Return Parquet files with several layouts and types."""
    labels = pa.array(["x", "y", "x", "y"])
    several = {
        "texts": labels.dictionary_encode(),
        "days": pa.array([1, 2, 3, None], pa.date32()),
        "times": pa.array([1, 2**62, -3, None], pa.timestamp("ns", "UTC")),
        "waits": pa.array([1, 2, -3, None], pa.duration("s")),
        "sums": pa.array([1, 2, 3, None], pa.decimal128(9, 2)),
        "small": pa.array([1, 2, 3, 4], pa.int8()),
        "half": pa.array(np.arange(4, dtype=np.float16)),
        "big": pa.array([2**63, 1, 2, 3], pa.uint64()),
        "label": labels,
    }
    written = []
    for table in (pa.table(COLUMNS), pa.table(several)):
        for options in ({}, {"compression": "gzip", "use_dictionary": False}):
            sink = io.BytesIO()
            pq.write_table(table, sink, **options)
            written.append(sink.getvalue())
    return written


@cache
def models() -> list[bytes]:
    """Return model files of both estimators, with and without guesses."""
    table = pa.table(COLUMNS).drop_columns("label")
    given: list[tuple[Any, Any, Any]] = [
        (ostrya.OptimalTreeClassifier(leaf_penalty=0.01), table, COLUMNS["label"]),
        (ostrya.OptimalTreeClassifier(leaf_penalty=0.0, objective="f1"), *_numbers(2)),
        (ostrya.OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3), *_numbers(4)),
        (ostrya.TopKTreeClassifier(leaf_penalty=0.01, k=2), *_numbers(3)),
        (ostrya.OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3), *_kinds()),
    ]
    written = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        for model, X, y in given:
            model.fit(X, y).save(path)
            written.append(path.read_bytes())
    return written


def _kinds() -> tuple[pa.Table, Any]:
    """Return a table with times, durations, ordered levels and category groups."""
    place = np.arange(60) * 7 % 60
    columns = {
        "day": pa.array(place.astype(np.int32), pa.date32()),
        "at": pa.array(place * 10**9, pa.timestamp("us", "UTC")),
        "wait": pa.array(place * 10**7, pa.duration("us")),
        "size": pa.DictionaryArray.from_arrays(
            place % 3, ["S", "M", "L"], ordered=True
        ),
        "city": [f"city {i % 6}" for i in place],
    }
    return pa.table(columns), (place % 6 < 3) == (place > 20)


@cache
def trees() -> list[bytes]:
    """Return tree files."""
    outcomes = [ostrya.solve(*_numbers(n), leaf_penalty=0.0) for n in (2, 5)]
    return [ostrya.export.to_json(outcome.tree).encode() for outcome in outcomes]


def _numbers(n_classes: int) -> tuple[Any, Any]:
    chance = np.random.default_rng(n_classes)
    return chance.integers(0, 4, (20, 3)).astype(float), np.arange(20) % n_classes
