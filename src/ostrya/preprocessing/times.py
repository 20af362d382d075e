"""Represent times and durations as numbers, as thresholds, and in words.

Both are whole microseconds; times are counted since the beginning of 1970, in UTC if
they have a time zone. Floats represent every microsecond from 1684 to 2255, and are
accurate to 32 microseconds until the year 9999. Nanoseconds are truncated.

A date without a time means the whole day: ``seen <= 2023-09-08`` holds until midnight
at the end of this day, so that it means the same for dates and for times.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.digits import in_digits, short_between

SECOND = 10**6
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
UNITS = (
    *((DAY, "days"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s")),
    *((1000, "ms"), (1, "µs")),
)
#: Periods that trees show by name, and their lengths in months.
PERIODS = {"month": 1, "quarter": 3, "year": 12}
# The limit of NumPy's calendar, about 292,000 years from 1970.
MOST_MICROSECONDS = 2.0**63


def microseconds(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return datetime64 or timedelta64 as microseconds, with NaN for NaT.

    Raises
    ------
    ValueError
        If a value is out of range, or a duration is in months or years.
    """
    unit = f"{values.dtype.kind}8[us]"
    is_missing = np.isnat(values)
    try:
        whole = values.astype(unit, casting="same_kind")
    except TypeError:
        raise ValueError(
            "durations must have a fixed length; got months or years. Convert them to "
            "days"
        ) from None
    # NumPy wraps around if a value is out of range.
    back = whole.astype(values.dtype)
    if (is_missing != np.isnat(whole)).any() or _is_far(values, back, is_missing):
        raise ValueError("times must be within 292,000 years of 1970")
    numbers = whole.astype(np.int64).astype(np.float64)
    numbers[is_missing] = np.nan
    return numbers


def _is_far(
    values: npt.NDArray[Any], back: npt.NDArray[Any], is_missing: npt.NDArray[np.bool_]
) -> bool:
    """Return True if a value changed by a microsecond or more."""
    differs = (values != back) & ~is_missing
    if not differs.any():
        return False
    lost = (values[differs] - back[differs]).astype(np.int64)
    per_microsecond = {"ns": 1000, "ps": 10**6, "fs": 10**9, "as": 10**12}
    most = per_microsecond.get(np.datetime_data(values.dtype)[0], 1)
    return bool((np.abs(lost) >= most).any())


def short_time_between(below: float, above: float) -> float:
    """Return a readable time that is at least `below` and less than `above`.

    It is near the middle: the end of a day if possible, otherwise a whole hour, minute,
    second or millisecond.

    Examples
    --------
    >>> time_in_words(short_time_between(3 * DAY, 5.5 * DAY))
    '1970-01-05'
    >>> time_in_words(short_time_between(HOUR, 3 * HOUR + 1))
    '1970-01-01 02:00'
    """
    low, high = math.ceil(below), math.ceil(above)
    middle = (low + high) // 2
    end = (middle // DAY + 1) * DAY - 1
    candidates = [end, end - DAY]
    for unit in (HOUR, MINUTE, SECOND, 1000):
        start = middle // unit * unit
        candidates += [start, start + unit]
    for candidate in candidates:
        time = _float_at_most(candidate)
        if below <= time < above:
            return time
    return below


def short_period_between(below: float, above: float, period: str) -> float:
    """Return the end of a period that is at least `below` and less than `above`.

    If no period ends there, return `short_time_between`.

    Examples
    --------
    >>> end = short_period_between(0.0, 92.0 * DAY, "month")
    >>> period_in_words(end, "month")
    '1970-02'
    """
    size = PERIODS[period]
    first, last = (_month(time) // size for time in (below, above))
    end = _float_at_most(_period_end((first + last - 1) // 2, size))
    return end if below <= end < above else short_time_between(below, above)


def period_in_words(time: float, period: str) -> str:
    """Return the year, quarter or month that ends at a time; otherwise the time."""
    if not abs(time) < MOST_MICROSECONDS:
        return time_in_words(time)
    size = PERIODS[period]
    place = _month(time) // size
    if time < _float_at_most(_period_end(place, size)):
        return time_in_words(time)
    month = str(np.datetime64(place * size, "M"))
    year, _, number = month.rpartition("-")
    if period == "quarter":
        return f"{year}Q{(int(number) + 2) // 3}"
    return month if period == "month" else year


def _month(time: float) -> int:
    """Return the number of months between January 1970 and the month of a time."""
    return int(np.datetime64(math.floor(time), "us").astype("M8[M]").astype(np.int64))


def _period_end(place: int, size: int) -> int:
    """Return the last microsecond of period number `place` of `size` months."""
    start = np.datetime64((place + 1) * size, "M").astype("M8[us]")
    return int(start.astype(np.int64)) - 1


def _float_at_most(number: int) -> float:
    nearest = float(number)
    return math.nextafter(nearest, -math.inf) if int(nearest) > number else nearest


def time_in_words(time: float, is_zoned: bool = False) -> str:
    """Return a time, exactly and with few digits; the end of a day as a date."""
    zone = " UTC" if is_zoned else ""
    if not abs(time) < MOST_MICROSECONDS:
        return f"{in_digits(time)} µs since 1970{zone}"
    whole = math.floor(time)
    text = str(np.datetime64(whole, "us"))
    date, _, clock = text.partition("T")
    if time >= _float_at_most((whole // DAY + 1) * DAY - 1):
        return f"{date}{zone}"
    if whole % MINUTE == 0:
        clock = clock[:5]
    elif whole % SECOND == 0:
        clock = clock[:8]
    elif whole % 1000 == 0:
        clock = clock[:12]
    return f"{date} {clock}{zone}"


def short_duration_between(below: float, above: float) -> float:
    """Return a short duration that is at least `below` and less than `above`.

    Examples
    --------
    >>> duration_in_words(short_duration_between(2 * DAY, 3 * DAY))
    '2.5 days'
    """
    middle = abs(below / 2 + above / 2)
    for unit, _ in UNITS:
        if unit > max(middle, 1):
            continue
        duration = short_between(below / unit, above / unit) * unit
        if below <= duration < above:
            return duration
    return below


def duration_in_words(duration: float) -> str:
    """Return a duration exactly, in the largest unit that is not longer than it.

    Examples
    --------
    >>> duration_in_words(90.0 * MINUTE), duration_in_words(float(DAY))
    ('1.5 h', '1 day')
    """
    if duration == 0:
        return "0 s"
    for unit, name in UNITS[:-1]:
        if unit > abs(duration):
            continue
        for digits in range(1, 18):
            number = float(f"{duration / unit:.{digits}g}")
            if number * unit == duration:
                is_one_day = unit == DAY and number == 1
                return f"{in_digits(number)} {'day' if is_one_day else name}"
    return f"{in_digits(duration)} µs"
