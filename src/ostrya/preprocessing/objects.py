"""Read columns of Python objects according to the types of the objects."""

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
from ostrya.preprocessing.column import (
    Check,
    Column,
    number_levels,
    unreadable,
    watched,
)
from ostrya.preprocessing.digits import in_digits
from ostrya.preprocessing.times import microseconds
from ostrya.preprocessing.written import (
    JUST_NUMBERS,
    has_leading_zeros,
    is_missing_text,
    read_texts,
)

# Most values that a message about a mixed column quotes.
MOST_EXAMPLES = 3
BOOLEANS = (bool, np.bool_)
REALS = (*NUMBERS, Decimal, Fraction)
TIMES = (datetime.date, np.datetime64)  # datetime and pandas.Timestamp are dates too
DURATIONS = (datetime.timedelta, np.timedelta64)
# Frequencies of pandas periods that trees show by name; they depend on its version.
_PERIODS = {"M": "month", "Q-DEC": "quarter", "Y-DEC": "year", "A-DEC": "year"}
# The types that pandas uses for missing values in object columns.
MISSING_TYPES = {"NAType", "NaTType"}


def object_column(name: str, values: list[Any], check: Check = bool) -> Column:
    """Return a column of Python objects according to their types.

    `check` is called regularly.
    """
    period = _common_period(values)
    values = [None if _is_missing(v) else _known(v) for v in watched(values, check)]
    present = [value for value in values if value is not None]
    if all(isinstance(value, BOOLEANS) for value in present):
        return Column(
            name, "boolean" if present else "empty", _floats(name, values, check)
        )
    if all(map(is_real, watched(present, check))):
        numbers = _floats(name, values, check)
        return Column(name, "number", numbers, is_merged=are_merged_objects(present))
    if all(isinstance(value, str) for value in present):
        return Column(name, "level", *number_levels(values, check), is_text=True)
    if all(isinstance(value, TIMES) for value in present):
        return replace(_time_column(name, values, present, check), period=period)
    if all(isinstance(value, DURATIONS) for value in present):
        return Column(name, "duration", _moments(name, values, "m8[us]", check))
    if all(isinstance(value, str) or is_real(value) for value in present):
        # Spreadsheets mix numbers with text such as "?" and "1,200".
        texts = [
            in_digits(float(v)) if is_real(v) else v for v in watched(values, check)
        ]
        return Column(
            name,
            "level",
            *number_levels(texts, check),
            is_text=True,
            is_merged=are_merged_objects(filter(is_real, present)),
            mixture=_odd_texts(values, check),
        )
    raise TypeError(unreadable(name, _first_odd(values)))


def is_real(value: Any) -> bool:
    """Return True for a number; booleans are not numbers here."""
    return isinstance(value, REALS) and not isinstance(value, BOOLEANS)


def _known(value: Any) -> Any:
    """Return a value unchanged, but a pandas period as its start time."""
    return value.start_time if type(value).__name__ == "Period" else value


def _common_period(values: list[Any]) -> str:
    """Return "month", "quarter" or "year" if a column contains only such periods.

    Quarters and years of fiscal calendars are shown as dates instead.
    """
    frequencies = {
        value.freqstr for value in values if type(value).__name__ == "Period"
    }
    return _PERIODS.get(frequencies.pop(), "") if len(frequencies) == 1 else ""


def _is_missing(value: Any) -> bool:
    is_nan = isinstance(value, (float, np.floating, Decimal)) and value != value
    is_nat = isinstance(value, (np.datetime64, np.timedelta64)) and np.isnat(value)
    return value is None or is_nan or is_nat or type(value).__name__ in MISSING_TYPES


def _floats(name: str, values: list[Any], check: Check) -> npt.NDArray[np.float64]:
    try:
        numbers = [np.nan if v is None else float(v) for v in watched(values, check)]
    except OverflowError:
        vast = next(v for v in values if v is not None and np.isinf(to_float(v)))
        raise ValueError(
            f"column {name!r} must contain numbers within the range of float64; got "
            f"{picture(vast)}. Scale the column"
        ) from None
    return np.array(numbers, dtype=np.float64)


def _time_column(
    name: str, values: list[Any], present: list[Any], check: Check
) -> Column:
    zoned = {getattr(value, "tzinfo", None) is not None for value in present}
    if len(zoned) > 1:
        raise TypeError(unreadable(name, "times with and without a time zone"))
    if zoned == {True}:
        values = [None if v is None else _in_utc(v) for v in watched(values, check)]
    return Column(
        name,
        "time",
        _moments(name, values, "M8[us]", check),
        is_zoned=zoned == {True},
    )


def _in_utc(time: Any) -> Any:
    return time.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def _moments(
    name: str, values: list[Any], dtype: str, check: Check
) -> npt.NDArray[np.float64]:
    """Return dates, times or durations as microseconds."""
    make: Callable[..., Any] = np.datetime64 if dtype[0] == "M" else np.timedelta64
    try:
        plain = [
            make("NaT", "us") if v is None else make(_standard(v), "us")
            for v in watched(values, check)
        ]
        return microseconds(np.array(plain, dtype=dtype))
    except (OverflowError, ValueError, TypeError) as error:
        raise ValueError(f"column {name!r}: {error}") from None


def _standard(value: Any) -> Any:
    """Convert a pandas time to the NumPy type, which keeps its nanoseconds."""
    for convert in ("to_datetime64", "to_timedelta64"):
        if hasattr(value, convert):
            return getattr(value, convert)()
    return value


def _first_odd(values: list[Any]) -> str:
    """Describe why a column of objects cannot be read, with a row number."""
    known = (*REALS, *BOOLEANS, *TIMES, *DURATIONS, str)
    first: dict[str, str] = {}  # an example of each type
    for row, value in enumerate(values):
        if value is None:
            continue
        if not isinstance(value, known):
            return f"{show(value)} in row {row}"
        first.setdefault(type(value).__name__, f"{picture(value)} in row {row}")
    kinds = sorted(first)
    examples = ", ".join(first[kind] for kind in kinds[:MOST_EXAMPLES])
    return f"a mixture of {' and '.join(kinds)}: {examples}"


def _odd_texts(values: list[Any], check: Check) -> str:
    """Describe the texts because of which a column is not read as numbers."""
    kinds = sorted({type(value).__name__ for value in values if value is not None})
    odd = []
    for row, value in enumerate(watched(values, check)):
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
