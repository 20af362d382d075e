"""A failing case made smaller: fewer rows, fewer columns, fewer bytes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzz.target import Case, Target

# Lists of a table with one entry per row.
PER_ROW = ("X", "y", "weights", "reference")


def shrink(target: Target, case: Case, seconds: float = 20.0) -> Case:
    """Return a case that still fails, as small as was found in that time."""
    end = time.monotonic() + seconds
    found = True
    while found:
        found = False
        for smaller in _smaller(case):
            if time.monotonic() > end:
                return case
            if _fails(target, smaller):
                case, found = smaller, True
                break
    return case


def _fails(target: Target, case: Case) -> bool:
    try:
        target.check(case, Counter())
    except Exception:
        return True
    return False


def _smaller(case: Case) -> Iterator[Case]:
    """Cases without some part, large parts first."""
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
    """Half of all, then quarters, and so on down to single ones."""
    step = size
    while step > 1:
        step = (step + 1) // 2
        for first in range(0, size, step):
            yield first, min(first + step, size)
        if step == 1:
            return
