"""Columns of Python objects, by what the objects are."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import NUMBERS, picture, show, to_float
from ostrya._whole_numbers import are_merged_objects
from ostrya.preprocessing.column import Column, number_levels, unreadable
from ostrya.preprocessing.digits import in_digits
from ostrya.preprocessing.times import microseconds
from ostrya.preprocessing.written import (
    JUST_NUMBERS,
    has_leading_zeros,
    is_missing_text,
    read_texts,
)

# Values that a message about a mixed column names.
MOST_EXAMPLES = 3
BOOLEANS = (bool, np.bool_)
REALS = (*NUMBERS, Decimal, Fraction)
TIMES = (datetime.date, np.datetime64)  # datetimes, and those of pandas, are dates
DURATIONS = (datetime.timedelta, np.timedelta64)
# How pandas names the periods that trees name, by its version.
_PERIODS = {"M": "month", "Q-DEC": "quarter", "Y-DEC": "year", "A-DEC": "year"}
# pandas writes a missing entry of an object column as one of these.
MISSING_TYPES = {"NAType", "NaTType"}


def object_column(name: str, values: list[Any]) -> Column:
    """Return a column of Python objects by what they are."""
    period = _common_period(values)
    values = [None if _is_missing(value) else _known(value) for value in values]
    present = [value for value in values if value is not None]
    if all(isinstance(value, BOOLEANS) for value in present):
        return Column(name, "boolean" if present else "empty", _floats(name, values))
    if all(map(is_real, present)):
        numbers = _floats(name, values)
        return Column(name, "number", numbers, is_merged=are_merged_objects(present))
    if all(isinstance(value, str) for value in present):
        return Column(name, "level", *number_levels(values), is_text=True)
    if all(isinstance(value, TIMES) for value in present):
        return replace(_time_column(name, values, present), period=period)
    if all(isinstance(value, DURATIONS) for value in present):
        return Column(name, "duration", _moments(name, values, "m8[us]"))
    if all(isinstance(value, str) or is_real(value) for value in present):
        # Spreadsheets leave numbers beside texts such as "?" and "1,200".
        texts = [in_digits(float(v)) if is_real(v) else v for v in values]
        return Column(
            name,
            "level",
            *number_levels(texts),
            is_text=True,
            is_merged=are_merged_objects(filter(is_real, present)),
            mixture=_odd_texts(values),
        )
    raise TypeError(unreadable(name, _first_odd(values)))


def is_real(value: Any) -> bool:
    """Say whether a value is a number; True and False are none."""
    return isinstance(value, REALS) and not isinstance(value, BOOLEANS)


def _known(value: Any) -> Any:
    """Return a value, or the first moment of a period of pandas."""
    return value.start_time if type(value).__name__ == "Period" else value


def _common_period(values: list[Any]) -> str:
    """Return what all periods of pandas in a column are, if trees have a name for it.

    Quarters and years that do not begin with January have none, and are named by date.
    """
    frequencies = {
        value.freqstr for value in values if type(value).__name__ == "Period"
    }
    return _PERIODS.get(frequencies.pop(), "") if len(frequencies) == 1 else ""


def _is_missing(value: Any) -> bool:
    is_nan = isinstance(value, (float, np.floating, Decimal)) and value != value
    is_nat = isinstance(value, (np.datetime64, np.timedelta64)) and np.isnat(value)
    return value is None or is_nan or is_nat or type(value).__name__ in MISSING_TYPES


def _floats(name: str, values: list[Any]) -> npt.NDArray[np.float64]:
    try:
        numbers = [np.nan if value is None else float(value) for value in values]
    except OverflowError:
        vast = next(v for v in values if v is not None and np.isinf(to_float(v)))
        raise ValueError(
            f"X must hold numbers that a float can hold; got {picture(vast)} in column "
            f"{name!r}"
        ) from None
    return np.array(numbers, dtype=np.float64)


def _time_column(name: str, values: list[Any], present: list[Any]) -> Column:
    zoned = {getattr(value, "tzinfo", None) is not None for value in present}
    if len(zoned) > 1:
        raise TypeError(unreadable(name, "times with and without a time zone"))
    if zoned == {True}:
        values = [None if v is None else _in_utc(v) for v in values]
    return Column(
        name, "time", _moments(name, values, "M8[us]"), is_zoned=zoned == {True}
    )


def _in_utc(time: Any) -> Any:
    return time.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def _moments(name: str, values: list[Any], dtype: str) -> npt.NDArray[np.float64]:
    """Return dates, times or durations as microseconds."""
    make: Callable[..., Any] = np.datetime64 if dtype[0] == "M" else np.timedelta64
    try:
        plain = [
            make("NaT", "us") if v is None else make(_standard(v), "us") for v in values
        ]
        return microseconds(np.array(plain, dtype=dtype))
    except (OverflowError, ValueError, TypeError) as error:
        raise ValueError(f"column {name!r}: {error}") from None


def _standard(value: Any) -> Any:
    """Return what pandas made of a time as what Python makes of it.

    NumPy reads the objects of pandas as they are written, to the nanosecond.
    """
    for convert in ("to_datetime64", "to_timedelta64"):
        if hasattr(value, convert):
            return getattr(value, convert)()
    return value


def _first_odd(values: list[Any]) -> str:
    """Return words for what makes a column of objects unreadable, and where it is."""
    known = (*REALS, *BOOLEANS, *TIMES, *DURATIONS, str)
    first: dict[str, str] = {}  # of each type
    for row, value in enumerate(values):
        if value is None:
            continue
        if not isinstance(value, known):
            return f"{show(value)} in row {row}"
        first.setdefault(type(value).__name__, f"{picture(value)} in row {row}")
    kinds = sorted(first)
    examples = ", ".join(first[kind] for kind in kinds[:MOST_EXAMPLES])
    return f"a mixture of {' and '.join(kinds)}: {examples}"


def _odd_texts(values: list[Any]) -> str:
    """Return words for the texts that keep a column of numbers from being read."""
    kinds = sorted({type(value).__name__ for value in values if value is not None})
    odd = []
    for row, value in enumerate(values):
        if isinstance(value, str) and not _is_number_or_missing(value):
            odd.append(f"{picture(value)} in row {row}")
        if len(odd) == MOST_EXAMPLES:
            break
    named = f": {', '.join(odd)}" if odd else ""
    return f"a mixture of {' and '.join(kinds)}{named}"


def _is_number_or_missing(text: str) -> bool:
    if has_leading_zeros(text):
        return False
    return is_missing_text(text) or read_texts([text], JUST_NUMBERS) is not None
