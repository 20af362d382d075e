"""Read the data set of a problem and convert it to the format of a contender."""

from __future__ import annotations

import csv
import gzip
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks import guessed
from benchmarks.problem import Problem

ROOT = Path(__file__).resolve().parents[1]


def folder() -> Path:
    """Return the folder of data sets: `OSTRYA_DATA`, or `../shared/data`."""
    return Path(os.environ.get("OSTRYA_DATA") or ROOT.parent / "shared" / "data")


def numeric(cells: np.ndarray) -> np.ndarray:
    """Return the cells as ordered values, one column each.

    Where a column misses cells, these stand at its largest value, and a yes/no column
    beside it tells them apart, as the estimators have it.
    """
    is_missing = np.isin(cells, MISSING)
    columns: list[np.ndarray] = []
    for column, missing in zip(cells.T, is_missing.T, strict=True):
        known = column[~missing].astype(np.float64)
        if missing.any():
            columns.append(~missing)
        values = np.full(column.size, known.max(initial=0.0))
        values[~missing] = known
        columns.append(values)
    return np.column_stack(columns).astype(np.float64)


def one_hot(cells: np.ndarray) -> np.ndarray:
    """Return one yes/no column for each column and value, values sorted."""
    return np.column_stack(
        [column == value for column in cells.T for value in np.unique(column)]
    ).astype(np.float64)


def at_most(cells: np.ndarray) -> np.ndarray:
    """Return one yes/no column `x <= value` for each column and value."""
    return np.column_stack(
        [
            column <= value
            for column in cells.astype(np.float64).T
            for value in np.unique(column)
        ]
    ).astype(np.float64)


#: How cells are missing in the files.
MISSING = ("", "?", "NA")
ENCODINGS = {
    "numeric": numeric,
    "one-hot": one_hot,
    "at-most": at_most,
    "at-most-complete": at_most,  # without the rows that have missing cells
    guessed.ENCODING: numeric,  # and then cut at guessed thresholds
}


def find(name: str) -> Path:
    """Return the file of a data set, plain or compressed."""
    for suffix in (".csv", ".csv.gz"):
        path = folder() / f"{name}{suffix}"
        if path.exists():
            return path
    raise FileNotFoundError(
        f"There is no data set {name!r} in {folder()}. Download it with "
        f"`python -m benchmarks data {name} --fetch`, or set OSTRYA_DATA to the folder "
        "that contains it."
    )


def available(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems whose data are here; say on stderr which are not."""
    here, absent = [], []
    for problem in problems:
        try:
            find(problem.data)
        except FileNotFoundError as missing:
            absent.append(str(missing))
        else:
            here.append(problem)
    for reason in dict.fromkeys(absent):
        print(f"skipped: {reason}", file=sys.stderr)
    return tuple(here)


def read_rows(name: str) -> list[list[str]]:
    """Return the cells of a data set as text, header first."""
    path = find(name)
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def read(name: str) -> np.ndarray:
    """Return the cells of a data set as text, without its header."""
    return np.array(read_rows(name)[1:])


def load(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns (float64) and the label codes 0..K-1 of a problem."""
    table = read(problem.data)
    if problem.encoding == "at-most-complete":
        table = table[~np.isin(table, MISSING).any(axis=1)]
    X = ENCODINGS[problem.encoding](table[:, :-1])
    codes = np.unique(table[:, -1], return_inverse=True)[1]
    if problem.encoding == guessed.ENCODING:
        X = guessed.columns(problem.data, X, codes)
    rows, columns = some(len(X), problem.rows), some(X.shape[1], problem.columns)
    return X[np.ix_(rows, columns)], codes[rows]


def some(n: int, wanted: int | None) -> np.ndarray:
    """Return places of `wanted` out of `n`; a larger choice holds the smaller ones."""
    if wanted is None:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).permutation(n)[:wanted])


def thresholds(X: np.ndarray) -> np.ndarray:
    """Return the same problem in yes/no columns, for contenders that take no other.

    A column of zeros and ones stays as it is, since its density can matter to a
    contender; any other becomes one column `x <= midpoint` per pair of neighbours.
    """
    parts = []
    for column in X.T:
        values = np.unique(column)
        if values.size == 2 and set(values) == {0.0, 1.0}:
            parts.append(column[:, None] == 1.0)
        else:
            # Comparing with the lower neighbour is exact where a midpoint rounds.
            parts.append(column[:, None] <= values[None, :-1])
    return np.concatenate(parts, axis=1).astype(np.uint8)
