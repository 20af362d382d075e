"""Reduce a failing case: fewer rows, fewer columns, fewer bytes."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzz.target import Case, Target

# Entries of a table that have one value per row.
PER_ROW = ("X", "y", "weights", "reference")


def shrink(target: Target, case: Case, error: Exception, seconds: float = 20.0) -> Case:
    """Return the smallest case found in this time that fails in the same way."""
    end = time.monotonic() + seconds
    found = True
    while found:
        found = False
        for smaller in _smaller(case):
            if time.monotonic() > end:
                return case
            if _place(_failure(target, smaller)) == _place(error):
                case, found = smaller, True
                break
    return case


def _failure(target: Target, case: Case) -> Exception | None:
    try:
        target.check(case, Counter())
    except Exception as error:
        return error
    return None


def _place(error: Exception | None) -> tuple[type, str, int | None] | None:
    """Return the type of an error and where it was raised."""
    if error is None:
        return None
    last = traceback.extract_tb(error.__traceback__)[-1]
    return type(error), last.filename, last.lineno


def _smaller(case: Case) -> Iterator[Case]:
    """Yield the case with sections removed, large sections first."""
    if isinstance(content := case.get("content"), bytes):
        for first, last in _parts(len(content)):
            yield case | {"content": content[:first] + content[last:]}
    if (table := case.get("table")) is None:
        return
    n_rows, n_columns = np.shape(table["X"])
    for first, last in _parts(n_rows):
        if last - first < n_rows:
            yield case | {"table": _without_rows(table, first, last)}
    for first, last in _parts(n_columns):
        if last - first < n_columns:
            X = np.delete(np.asarray(table["X"]), slice(first, last), axis=1)
            yield case | {"table": table | {"X": X}}


def _without_rows(table: dict[str, Any], first: int, last: int) -> dict[str, Any]:
    cut = {
        name: np.delete(np.asarray(table[name]), slice(first, last), axis=0)
        for name in PER_ROW
        if table.get(name) is not None
    }
    return table | cut


def _parts(size: int) -> Iterator[tuple[int, int]]:
    """Yield halves, then quarters, and so on down to single entries."""
    step = size
    while step > 1:
        step = (step + 1) // 2
        for first in range(0, size, step):
            yield first, min(first + step, size)
        if step == 1:
            return
