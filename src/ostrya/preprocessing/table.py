"""Read a table of any library column by column, without modifying it.

A table is a two-dimensional array or any dataframe that narwhals supports, such as
pandas, polars or pyarrow. Each column has one kind: numbers, booleans, times,
durations, or levels (strings and categories), ordered or not. A column that contains
only missing values has the kind "empty".
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from ostrya._arguments import INTEGERS, as_array, column_names
from ostrya._whole_numbers import EXACT, has_large
from ostrya.preprocessing.arrays import array_column
from ostrya.preprocessing.column import Check, Column
from ostrya.preprocessing.series import series_column


class Table:
    """A table of any kind, read one column at a time.

    The table is never modified. `names` are ``x0``, ``x1``, ... if it has none.
    `matrix` is the whole table if it is an array of real numbers.

    Examples
    --------
    >>> from ostrya.preprocessing.table import Table
    >>> table = Table([["red", 3], ["blue", None]])
    >>> [(c.kind, c.objects()) for c in map(table.column, range(2))]
    [('level', ['red', 'blue']), ('number', [3.0, nan])]
    """

    def __init__(self, data: Any) -> None:
        self._frame = as_frame(data)
        self.matrix: npt.NDArray[Any] | None = None
        if self._frame is not None:
            self._own_names = list(self._frame.columns)
            self.names = column_names(self._own_names)
            self.n_rows = len(self._frame)
            return
        self._array = as_rows(data)
        if self._array.ndim != 2:
            raise ValueError(
                f"X must have 2 dimensions; got shape {self._array.shape}. Reshape "
                "your data, for a single feature with X.reshape(-1, 1)"
            )
        self.n_rows = len(self._array)
        self.names = [f"x{i}" for i in range(self._array.shape[1])]
        if self._array.dtype.kind in "iuf":
            self.matrix = self._array

    def column(self, index: int, check: Check = bool) -> Column:
        """Return one column; `check` is called regularly."""
        name = self.names[index]
        if self._frame is None:
            return array_column(name, self._array[:, index], check)
        # By name, because to find a column by index some libraries list all names.
        own = self._own_names[index]
        return series_column(name, self._frame.get_column(own), check)


def as_frame(data: Any) -> Any:
    """Return `data` as a narwhals frame, or None if it is not a dataframe."""
    if isinstance(data, np.ndarray):  # the usual case, for which narwhals is slow
        return None
    if isinstance(data, nw.DataFrame):
        return data
    try:
        frame = nw.from_native(data, pass_through=True)
    except (TypeError, nw.exceptions.DuplicateError):
        _refuse_twin_names(data)
        raise
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(
            "X must be an array or a dataframe in memory; got a lazy table. Call its "
            "collect() method first. Only OptimalTreeClassifier.fit and "
            "ostrya.preprocessing.compress accept lazy tables"
        )
    return frame if isinstance(frame, nw.DataFrame) else None


def _refuse_twin_names(data: Any) -> None:
    """Raise if two columns of a dataframe have the same name, as pandas allows."""
    if not hasattr(data, "shape"):  # a list, or a lazy frame without names so far
        return
    names = getattr(data, "column_names", None)
    if not isinstance(names, list):  # missing, or a pandas column of this name
        names = getattr(data, "columns", ())
    try:
        counts: Counter[Any] = Counter(names)
    except TypeError:  # unhashable names
        return
    twins = [name for name, count in counts.items() if count > 1]
    if twins:
        raise ValueError(
            f"X must have distinct column names; got {counts[twins[0]]} columns named "
            f"{twins[0]!r}. Rename or drop columns"
        )


def as_rows(data: Any) -> npt.NDArray[Any]:
    """Return `data` as an array; numbers mixed with text are not converted to text."""
    remedy = "Use NaN for missing values: X.astype(float).filled(numpy.nan)"
    array = as_array("X", data, remedy)
    if isinstance(data, np.ndarray):
        return array
    if array.dtype.kind in "US" or (has_large(array) and _holds_large_integers(data)):
        return np.asarray(data, dtype=object)
    return array


def _holds_large_integers(data: Any) -> bool:
    """Return True if rows of mixed types contain integers that floats cannot hold."""
    items = np.asarray(data, dtype=object).flat
    return any(isinstance(item, INTEGERS) and abs(item) > EXACT for item in items)


def count_rows(data: Any) -> int:
    """Return the number of rows of an array or a dataframe."""
    frame = as_frame(data)
    return len(data) if frame is None else len(frame)


def rows_at_hand(data: Any) -> int | None:
    """Return the number of rows if it is known without reading the table, else None.

    It is None for an empty table, which is rejected by later checks.
    """
    if isinstance(data, (list, tuple)):
        return len(data) or None
    shape = getattr(data, "shape", None)
    if not isinstance(shape, tuple) or not shape or not isinstance(shape[0], INTEGERS):
        return None
    return int(shape[0]) or None


def keep_rows(data: Any, kept: npt.NDArray[np.bool_]) -> Any:
    """Return the rows of an array or a dataframe where `kept` is True."""
    frame = as_frame(data)
    return data[kept] if frame is None else frame.filter(kept.tolist()).to_native()


def take_rows(data: Any, rows: npt.NDArray[np.intp]) -> Any:
    """Return the rows of an array or a dataframe with the given indices, in order."""
    frame = as_frame(data)
    return data[rows] if frame is None else frame[rows.tolist()].to_native()
