"""Read a table of any kind column by column, without changing it.

A table is a two-dimensional array or anything narwhals can read: pandas, polars and
pyarrow among them. A column is of one kind: numbers, booleans, times, durations, or
levels (strings and categories), ordered or not; a column with nothing but missing
values is of kind "empty".
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
from ostrya.preprocessing.column import Column
from ostrya.preprocessing.series import series_column


class Table:
    """A table of any kind, read one column at a time.

    It is never changed. `names` are ``x0``, ``x1``, ... where the table has none;
    `matrix` is the whole table, when it is an array of real numbers.

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
            return array_column(name, self._array[:, index])
        # By name, which takes the same time however many columns there are; by place,
        # some libraries list all names first.
        return series_column(name, self._frame.get_column(self._own_names[index]))


def as_frame(data: Any) -> Any:
    """Return `data` as a narwhals frame, or None when it is no dataframe."""
    if isinstance(data, np.ndarray):  # the usual case, and asking narwhals takes long
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
            "X is a lazy frame, whose rows are not known; collect() it. "
            "OptimalTreeClassifier.fit takes it as it is, as ostrya.compress does"
        )
    return frame if isinstance(frame, nw.DataFrame) else None


def _refuse_twin_names(data: Any) -> None:
    """Raise if a dataframe names two columns alike, as those of pandas can."""
    if not hasattr(data, "shape"):  # a list; or a lazy frame, which has no names yet
        return
    names = getattr(data, "column_names", None)
    if not isinstance(names, list):  # none, or a column of pandas that is called so
        names = getattr(data, "columns", ())
    try:
        counts: Counter[Any] = Counter(names)
    except TypeError:  # names that cannot be compared
        return
    twins = [name for name, count in counts.items() if count > 1]
    if twins:
        raise ValueError(
            f"X names the column {twins[0]!r} {counts[twins[0]]} times; rename or drop "
            "columns, so that each has a name of its own"
        )


def as_rows(data: Any) -> npt.NDArray[Any]:
    """Return `data` as an array, without turning numbers beside text into text."""
    remedy = "Use NaN for what is missing: X.astype(float).filled(numpy.nan)"
    array = as_array("X", data, remedy)
    if isinstance(data, np.ndarray):
        return array
    if array.dtype.kind in "US" or (has_large(array) and _holds_large_integers(data)):
        return np.asarray(data, dtype=object)
    return array


def _holds_large_integers(data: Any) -> bool:
    """Say whether whole numbers stood beside floats, and are no floats themselves."""
    items = np.asarray(data, dtype=object).flat
    return any(isinstance(item, INTEGERS) and abs(item) > EXACT for item in items)


def count_rows(data: Any) -> int:
    """Return the number of rows of an array or a dataframe."""
    frame = as_frame(data)
    return len(data) if frame is None else len(frame)


def rows_at_hand(data: Any) -> int | None:
    """Return the number of rows where it is known without reading; None elsewhere.

    Tables without rows are left to the checks of the table.
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
    """Return the rows of an array or a dataframe at these places, in their order."""
    frame = as_frame(data)
    return data[rows] if frame is None else frame[rows.tolist()].to_native()
