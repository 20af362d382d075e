"""Build expressions with many terms, and locate values among ascending bounds."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt


def cells_by_comparison(value: Any, bounds: Sequence[float]) -> Any:
    """Return an expression that counts the ascending bounds below a value.

    For a missing value it is the number of bounds plus one. It works with any engine.
    """
    known = value.fill_null(bounds[0] if bounds else 0.0)
    below = added((known > bound).cast(nw.Int64) for bound in [math.inf, *bounds])
    return or_missing(below, value, len(bounds) + 1)


def cells_by_search(value: Any, bounds: Sequence[float]) -> Any:
    """Do the same for rows in memory, for which a binary search is faster."""
    ascending = np.array(bounds, np.float64)
    # A single function: narwhals cannot combine it with other expressions.
    return value.map_batches(partial(_n_below, ascending), nw.Int64())


def or_missing(code: Any, value: Any, number: int) -> Any:
    """Return `code`, which is 0 for missing values, with `number` for these."""
    return code + value.is_null().cast(nw.Int64) * number


def as_floats(value: Any) -> Any:
    """Return an expression of numbers in memory as NumPy floats.

    pandas may store them as arrow arrays, whose comparisons are several times slower.
    """
    return value.map_batches(_floats, nw.Float64())


def added(terms: Iterable[Any]) -> Any:
    """Return the sum of expressions."""
    return joined(operator.add, list(terms))


def joined(join: Callable[[Any, Any], Any], terms: list[Any]) -> Any:
    """Join terms as a balanced tree, because engines reject deeply nested chains."""
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    return join(joined(join, terms[:half]), joined(join, terms[half:]))


def _n_below(bounds: npt.NDArray[np.float64], values: Any) -> npt.NDArray[np.int64]:
    known = _floats(values)
    found = np.searchsorted(bounds, known, side="left").astype(np.int64)
    found[np.isnan(known)] = len(bounds) + 1
    return found


def _floats(values: Any) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = np.asarray(values.to_numpy(), np.float64)
    return found
