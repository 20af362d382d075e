"""Whole numbers above 2**53, which may round to the same float."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

#: Every whole number up to here is represented exactly by a float.
EXACT = 2**53
#: The end of the warning about larger numbers, with the remedy.
MERGED_AS_FLOATS = (
    "different whole numbers above 2**53 that are equal after rounding to float64, so "
    "no split can separate them. Subtract an offset, or convert the column to "
    "categories if the numbers are identifiers"
)


def are_merged(numbers: npt.NDArray[Any]) -> bool:
    """Return True if different whole numbers of a column round to the same float.

    Examples
    --------
    >>> import numpy as np
    >>> are_merged(np.array([2**60, 2**60 + 1])), are_merged(np.array([2**53, 0]))
    (True, False)
    """
    if numbers.dtype.kind == "O":
        return are_merged_objects(numbers.tolist())
    if numbers.dtype.kind not in "iu" or numbers.dtype.itemsize < 8 or not numbers.size:
        return False
    if numbers.min() >= -EXACT and numbers.max() <= EXACT:
        return False
    distinct = np.unique(numbers)
    return bool((np.diff(distinct.astype(np.float64)) == 0).any())


def are_merged_objects(numbers: Iterable[Any]) -> bool:
    """Do the same for Python numbers; None is ignored."""
    large = {n for n in numbers if n is not None and (n >= EXACT or n <= -EXACT)}
    return len(large) > 1 and len({float(number) for number in large}) < len(large)


def has_large(array: npt.NDArray[Any]) -> bool:
    """Return True if a float array may contain rounded whole numbers."""
    if array.dtype.kind != "f" or not array.size:
        return False
    with np.errstate(invalid="ignore"):
        return bool(np.nanmax(np.abs(array), initial=0.0) >= EXACT)


def merged_columns(data: Any, array: npt.NDArray[Any]) -> list[int]:
    """Return the columns with different whole numbers that round to the same float.

    `array` is `data` converted by NumPy, which converts integers to floats if the same
    row contains floats.
    """
    columns: Iterable[Any] = ()
    if array.dtype.kind in "iu" and array.size:
        if array.min() < -EXACT or array.max() > EXACT:
            columns = array.T
    elif array is not data and has_large(array):
        columns = _columns(data)
    return [place for place, column in enumerate(columns) if are_merged(column)]


def _columns(data: Any) -> list[npt.NDArray[Any]]:
    """Return the columns of a list of rows or a dataframe, each with its own type."""
    names = getattr(data, "column_names", None)
    if not isinstance(names, list):
        names = getattr(data, "columns", None)
    if names is None:
        return list(np.asarray(data, dtype=object).T)
    return [np.asarray(data[name]) for name in names]
