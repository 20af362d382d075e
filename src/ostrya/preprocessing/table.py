"""Read a table of any kind column by column, without changing it.

A table is a two-dimensional array or anything narwhals can read: pandas, polars and
pyarrow among them. A column is of one kind: numbers, booleans, or levels (strings and
categories); a column with nothing but missing values is of kind "empty".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import narwhals as nw
import numpy as np
import numpy.typing as npt

from ostrya._arguments import (
    NUMBERS,
    as_array,
    column_names,
    picture,
    show,
    to_float,
)

Kind = Literal["number", "boolean", "level", "empty"]

BOOLEANS = (bool, np.bool_)
# pandas writes a missing entry of an object column as one of these.
MISSING_TYPES = {"NAType", "NaTType"}


@dataclass(frozen=True)
class Column:
    """The values of one column, as floats or as Python objects.

    ``values`` holds float64 with NaN where missing for numbers and booleans (True
    is 1), and objects with None where missing for levels.
    """

    name: str
    kind: Kind
    values: npt.NDArray[Any]

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """True where there is no value."""
        if self.kind == "level":
            return np.array([value is None for value in self.values], dtype=bool)
        return np.isnan(self.values.astype(np.float64, copy=False))


class Table:
    """A table of any kind, read one column at a time.

    It is never changed. `names` are ``x0``, ``x1``, ... where the table has none;
    `matrix` is the whole table, when it is an array of real numbers.

    Examples
    --------
    >>> from ostrya.preprocessing.table import Table
    >>> table = Table([["red", 3], ["blue", None]])
    >>> [(c.kind, c.values.tolist()) for c in map(table.column, range(2))]
    [('level', ['red', 'blue']), ('number', [3.0, nan])]
    """

    def __init__(self, data: Any) -> None:
        self._frame = as_frame(data)
        self.matrix: npt.NDArray[Any] | None = None
        if self._frame is not None:
            self.names = column_names(self._frame.columns)
            self.n_rows = len(self._frame)
            # All at once: each question for one column may look at every name.
            self._series = list(self._frame.iter_columns())
            return
        self._array = as_rows(data)
        if self._array.ndim != 2:
            raise ValueError(
                f"X must have 2 dimensions; got shape {self._array.shape}. Reshape "
                "your data: X.reshape(-1, 1) for one feature"
            )
        self.n_rows = len(self._array)
        self.names = [f"x{i}" for i in range(self._array.shape[1])]
        if self._array.dtype.kind in "iuf":
            self.matrix = self._array

    def column(self, index: int) -> Column:
        """Return one column."""
        name = self.names[index]
        if self._frame is None:
            return _array_column(name, self._array[:, index])
        # By position: pandas allows a name twice.
        return _series_column(name, self._series[index])


def as_frame(data: Any) -> Any:
    """Return `data` as a narwhals frame, or None when it is no dataframe."""
    if isinstance(data, np.ndarray):  # the usual case, and asking narwhals takes long
        return None
    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError("X is a lazy frame, whose rows are not known; collect() it")
    return frame if isinstance(frame, nw.DataFrame) else None


def as_rows(data: Any) -> npt.NDArray[Any]:
    """Return `data` as an array, without turning numbers beside text into text."""
    remedy = "Use NaN for what is missing: X.astype(float).filled(numpy.nan)"
    array = as_array("X", data, remedy)
    if isinstance(data, np.ndarray):
        return array
    return np.asarray(data, dtype=object) if array.dtype.kind in "US" else array


def count_rows(data: Any) -> int:
    """Return the number of rows of an array or a dataframe."""
    frame = as_frame(data)
    return len(data) if frame is None else len(frame)


def keep_rows(data: Any, kept: npt.NDArray[np.bool_]) -> Any:
    """Return the rows of an array or a dataframe where `kept` is True."""
    frame = as_frame(data)
    return data[kept] if frame is None else frame.filter(kept.tolist()).to_native()


def _array_column(name: str, values: npt.NDArray[Any]) -> Column:
    kind = values.dtype.kind
    if kind in "iufb":
        numbers = np.ascontiguousarray(values, dtype=np.float64)
        return Column(name, "boolean" if kind == "b" else "number", numbers)
    if kind == "U" or kind == "T":
        return Column(name, "level", values.astype(object))
    if kind != "O":
        raise TypeError(_unreadable(name, f"dtype {values.dtype}"))
    return _object_column(name, values.tolist())


def _series_column(name: str, series: Any) -> Column:
    dtype = series.dtype
    is_known = ~series.is_null().to_numpy().astype(bool)
    if dtype == nw.Object or dtype == nw.Unknown:
        values = series.to_list()
        known = [v if k else None for v, k in zip(values, is_known, strict=True)]
        return _object_column(name, known)
    is_level = dtype in (nw.String, nw.Categorical, nw.Enum)
    if not (is_level or dtype.is_numeric() or dtype == nw.Boolean):
        raise TypeError(_unreadable(name, f"dtype {dtype}"))
    present = series.drop_nulls()
    if is_level:
        levels = np.full(len(series), None, dtype=object)
        levels[is_known] = _objects(present.to_list())
        return Column(name, "level" if is_known.any() else "empty", _empty_out(levels))
    numbers = np.full(len(series), np.nan)
    numbers[is_known] = present.to_numpy().astype(np.float64)
    return Column(name, "boolean" if dtype == nw.Boolean else "number", numbers)


def _object_column(name: str, values: list[Any]) -> Column:
    """Return a column of Python objects by what they are."""
    values = [None if _is_missing(value) else value for value in values]
    present = [value for value in values if value is not None]
    if all(isinstance(value, BOOLEANS) for value in present):
        kind: Kind = "boolean" if present else "empty"
    elif all(isinstance(v, NUMBERS) and not isinstance(v, bool) for v in present):
        kind = "number"
    elif all(isinstance(value, str) for value in present):
        return Column(name, "level", _objects(values))
    else:
        raise TypeError(_unreadable(name, _first_odd(present)))
    try:
        numbers = [np.nan if value is None else float(value) for value in values]
    except OverflowError:
        vast = next(value for value in present if np.isinf(to_float(value)))
        raise ValueError(
            f"X must hold numbers that a float can hold; got {picture(vast)} in column "
            f"{name!r}"
        ) from None
    return Column(name, kind, np.array(numbers, dtype=np.float64))


def _is_missing(value: Any) -> bool:
    is_nan = isinstance(value, (float, np.floating)) and value != value
    return value is None or is_nan or type(value).__name__ in MISSING_TYPES


def _objects(values: list[Any]) -> npt.NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _empty_out(levels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return levels as they are, or NaN for each when none is there."""
    if any(level is not None for level in levels):
        return levels
    return np.full(len(levels), np.nan)


def _first_odd(present: list[Any]) -> str:
    """Return words for what makes a column of objects unreadable."""
    for value in present:
        if not isinstance(value, (*NUMBERS, *BOOLEANS, str)):
            return show(value)
    kinds = sorted({type(value).__name__ for value in present})
    return f"a mixture of {' and '.join(kinds)}"


def _unreadable(name: str, got: str) -> str:
    return (
        f"column {name!r}: argument must be a string, a boolean or a number "
        f"throughout, or missing; got {got}. Convert the column, or drop it"
    )
