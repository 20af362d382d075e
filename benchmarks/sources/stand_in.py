"""Small generated tables in place of data sets, to try the commands without any data.

They have the columns, the kind of values and the classes of the data set, but no
information about it: results on them mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.sources.catalog import DataSet, catalog
from benchmarks.sources.fetch import store
from benchmarks.sources.prepare import Rows, written

ROWS = 60
#: Different values of a column that is not yes/no.
LEVELS = {"binary": 2, "categorical": 3, "numeric": 12}
N_FOLDS = 10


def write(folder: Path, names: Iterable[str]) -> list[Path]:
    """Write a stand-in for each data set into a folder, and return the files."""
    return [
        store(folder / data_set.file, written(rows(data_set)).encode())
        for data_set in (catalog()[name] for name in names)
    ]


def rows(data_set: DataSet) -> Rows:
    """Return a table whose label mostly follows from two of its columns."""
    if data_set.preparation["kind"] == "folds":
        return [
            ["row", "test_fold"],
            *([str(i), str(i % N_FOLDS + 1)] for i in range(ROWS)),
        ]
    chance = np.random.default_rng(len(data_set.name))
    levels = LEVELS[data_set.values]
    classes = data_set.classes or ("0", "1")
    cells = chance.integers(0, levels, (ROWS, data_set.columns - 1))
    first, second = cells[:, 0] * 2 >= levels, cells[:, 1] * 2 >= levels
    codes = (2 * first + (first ^ second)) % len(classes)
    noisy = chance.random(ROWS) < 0.1
    codes[noisy] = chance.integers(0, len(classes), noisy.sum())
    codes[: min(ROWS, len(classes))] = range(min(ROWS, len(classes)))
    head = data_set.header or (*(f"x{i}" for i in range(cells.shape[1])), "label")
    labels = [classes[code] for code in codes]
    return [
        list(head),
        *([*map(str, row), y] for row, y in zip(cells, labels, strict=True)),
    ]
