"""Read columns of dataframes according to their dtype."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from ostrya._whole_numbers import are_merged
from ostrya.preprocessing.arrays import array_column
from ostrya.preprocessing.column import Check, Column, number_levels, unreadable
from ostrya.preprocessing.objects import is_real, object_column


def series_column(name: str, series: Any, check: Check = bool) -> Column:
    """Return a column of a dataframe, given as a narwhals series.

    `check` is called regularly while Python objects are read.
    """
    series = _made_dense(series)
    native = series.to_native()
    stored = getattr(native, "dtype", None)
    if isinstance(stored, np.dtype) and stored.kind in "iufb":
        # Most pandas columns. Predicting a single row spends most of its time here.
        return array_column(name, native.to_numpy())
    dtype = series.dtype
    is_known = ~series.is_null().to_numpy().astype(bool)
    if dtype in (nw.Object, nw.Unknown, nw.Int128, nw.UInt128):  # not NumPy types
        values = series.to_list()
        known = [v if k else None for v, k in zip(values, is_known, strict=True)]
        return object_column(name, known, check)
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return _level_column(name, series, is_known)
    present = series.drop_nulls()
    try:
        if dtype in (nw.Date, nw.Datetime):
            numbers = present.dt.timestamp("us").to_numpy()
        elif dtype == nw.Duration:
            numbers = present.dt.total_microseconds().to_numpy()
        elif dtype.is_numeric() or dtype == nw.Boolean:
            numbers = present.to_numpy()
        else:
            raise TypeError(unreadable(name, f"dtype {dtype}"))
    except (ArithmeticError, ValueError) as error:  # pyarrow raises a ValueError
        raise ValueError(f"column {name!r} of dtype {dtype}: {error}") from None
    values = np.full(len(series), np.nan)
    values[is_known] = numbers.astype(np.float64)
    if dtype in (nw.Date, nw.Datetime):
        is_zoned = getattr(dtype, "time_zone", None) is not None
        return Column(name, "time", values, is_zoned=is_zoned)
    if dtype == nw.Duration:
        return Column(name, "duration", values)
    if dtype == nw.Boolean:
        return Column(name, "boolean", values)
    return Column(name, "number", values, is_merged=are_merged(numbers))


def _made_dense(series: Any) -> Any:
    """Return a series without the sparse storage of pandas."""
    native = series.to_native()
    if type(getattr(native, "dtype", None)).__name__ != "SparseDtype":
        return series
    return nw.from_native(native.sparse.to_dense(), series_only=True)


def _level_column(name: str, series: Any, is_known: npt.NDArray[np.bool_]) -> Column:
    if not is_known.any():
        return Column(name, "empty", np.full(len(series), np.nan))
    codes, levels = _number_series(series)
    levels = tuple(map(_plain, levels))
    order = _declared_order(series.to_native())
    if order is not None:
        return Column(name, "ordered", codes, levels, order=tuple(map(_plain, order)))
    return Column(name, "level", codes, levels, is_text=series.dtype == nw.String)


def _number_series(series: Any) -> tuple[npt.NDArray[np.int32], tuple[Any, ...]]:
    """Do what `number_levels` does with the functions of the series' own library.

    Declared categories keep their order, and some of them may have no rows. No Python
    object is created per row.
    """
    native = series.to_native()
    if hasattr(native, "factorize"):  # pandas
        if series.dtype in (nw.Categorical, nw.Enum):
            codes, levels = native.cat.codes, native.cat.categories
        else:
            codes, levels = native.factorize()
        return np.asarray(codes, dtype=np.int32), tuple(levels.tolist())
    if hasattr(native, "dictionary_encode"):  # pyarrow
        coded = native if series.dtype != nw.String else native.dictionary_encode()
        whole = coded.unify_dictionaries().combine_chunks()
        codes = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return codes.astype(np.int32), tuple(whole.dictionary.to_pylist())
    if hasattr(native, "to_physical"):  # polars
        import polars as pl  # which is imported already

        texts = native.cast(pl.String)
        found = texts.drop_nulls().unique(maintain_order=True)
        codes = texts.cast(pl.Enum(found)).to_physical().cast(pl.Int32)
        return codes.fill_null(-1).to_numpy(), tuple(found.to_list())
    return number_levels(series.to_list())


def _plain(level: Any) -> Any:
    """Return text and numbers unchanged; others, such as intervals, as text."""
    is_plain = isinstance(level, (str, bool, np.bool_)) or is_real(level)
    return level if is_plain else str(level)


def _declared_order(native: Any) -> list[Any] | None:
    """Return all levels of an ordered column in their order, or None."""
    dtype = getattr(native, "dtype", None)
    kind = getattr(native, "type", None)
    if getattr(dtype, "ordered", False):  # pandas
        return list(dtype.categories)  # type: ignore[union-attr]
    if type(dtype).__name__ == "Enum":  # polars
        return list(dtype.categories)  # type: ignore[union-attr]
    if getattr(kind, "ordered", False):  # pyarrow
        unified = native.unify_dictionaries()
        return list(unified.chunk(0).dictionary.to_pylist())
    return None
