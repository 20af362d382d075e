"""Find the formats in which a column of text can be read as dates.

A column is read as dates only if every text in it matches one format, and no other
format matches all of them. ``03/02/2023`` alone is ambiguous: it may be the second of
March or the third of February. A column that also contains ``25/02/2023`` starts with
the day. Formats are written as for `datetime.datetime.strptime`, except that ``%b``
also matches full month names, and that a time of day and a time zone may follow each
date. Months without a day, such as ``2023-01`` or ``Jan 2023``, are read as their first
moment, unless they may be seasons: ``2009-10``, ``2010-11``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.column import Check, watched
from ostrya.preprocessing.times import HOUR, MINUTE, microseconds

#: The ISO 8601 format, which is always accepted.
ISO = "%Y-%m-%d"
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_MONTH_NUMBERS = {
    **{name: number for number, name in enumerate(_MONTHS, start=1)},
    **{name[:3]: number for number, name in enumerate(_MONTHS, start=1)},
    "sept": 9,
}
_NUMERIC = ("%d{0}%m{0}%Y", "%m{0}%d{0}%Y", "%d{0}%m{0}%y", "%m{0}%d{0}%y")
_YEAR_FIRST = ("%Y{0}%m{0}%d", "%y{0}%m{0}%d")
#: Formats of months: numbers separated by a dot or a slash may be something else.
MONTHS = ("%Y-%m", "%m/%Y", "%m-%Y", "%b %Y", "%b-%Y", "%b, %Y", "%Y %b", "%Y-%b")
FORMATS = (
    *(each.format(sign) for sign in "-/." for each in (*_YEAR_FIRST, *_NUMERIC)),
    *(f"%d{sign}%b{sign}%{year}" for sign in ("-", " ", "/", ".", "") for year in "Yy"),
    *("%d. %b %Y", "%d %b, %Y", "%b %d, %Y", "%b %d %Y", "%b-%d-%Y", "%Y-%b-%d"),
    *MONTHS,
)
# Four digits that are no year, such as those of a code, make no month.
_YEARS_OF_MONTHS = range(1800, 2200)
# As in `strptime`, the two-digit year 69 is 1969, and 68 is 2068. For years shortly
# before this limit the century cannot be determined.
_PIVOT = 69
_DOUBTFUL_YEARS = range(50, _PIVOT)

_FIELDS = {
    "%d": "(?P<day>[0-9]{1,2})",
    "%m": "(?P<month>[0-9]{1,2})",
    "%b": r"(?P<name>[A-Za-z]{3,9})\.?",
    "%Y": "(?P<year>[0-9]{4})",
    "%y": "(?P<short_year>[0-9]{2})",
}
_WEEKDAY = "(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
_CLOCK = (
    r"(?:(?:[T ]|, ?)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2}(?:[.,][0-9]{1,9})?))?"
    r"(?:\s?(?P<half>[AP]\.?M\.?))?"
    r"\s?(?P<zone>Z|UTC|GMT|[-+][0-9]{2}(?::?[0-9]{2})?)?)?"
)

_ISO_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?"
    r"\s?(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)?)?"
)


@dataclass(frozen=True, eq=False)
class Dates:
    """The dates that texts contain when they are read in one format."""

    date_format: str
    values: npt.NDArray[np.float64]  # microseconds since 1970
    is_zoned: bool
    has_doubtful_years: bool  # two-digit years that could be in either century
    is_iso: bool  # every text is exactly in ISO 8601 format

    @property
    def period(self) -> str:
        """Return "month" if the texts are months, and "" if they are days."""
        return "month" if self.date_format in MONTHS else ""


def read_dates(
    texts: Sequence[str], date_format: str, check: Check = bool
) -> Dates | None:
    """Return texts as dates in one format, or None if one of them does not match."""
    pattern = _pattern(date_format)
    plain, shifts, zoned = [], [], set()
    is_doubtful = False
    for text in watched(texts, check):
        found = pattern.fullmatch(text.strip())
        moment = None if found is None else _moment(found)
        if found is None or moment is None:
            return None
        plain.append(moment)
        fields = found.groupdict()
        zoned.add(fields.get("zone") is not None)
        shifts.append(_offset(fields.get("zone")))
        short = fields.get("short_year")
        is_doubtful |= short is not None and int(short) in _DOUBTFUL_YEARS
    if len(zoned) > 1 or (date_format in MONTHS and _are_seasons(plain)):
        return None
    try:
        values = microseconds(np.array(plain, dtype="M8[us]")) - np.array(shifts)
    except ValueError:  # such as the thirtieth of February
        return None
    is_iso = all(_ISO_TIME.fullmatch(text.strip()) for text in watched(texts, check))
    return Dates(date_format, values, zoned == {True}, is_doubtful, is_iso)


def possible_dates(texts: Sequence[str], check: Check = bool) -> list[Dates]:
    """Return texts as dates, once for each format that all of them match."""
    if not texts or not _is_like_a_date(texts[0]):
        return []
    # Most formats fail on the first text.
    candidates = [each for each in FORMATS if read_dates(texts[:1], each) is not None]
    readings = (read_dates(texts, each, check) for each in candidates)
    return [found for found in readings if found is not None]


def is_date(text: str) -> bool:
    """Return whether a single text is a date in any format."""
    return format_of(text) is not None


def format_of(text: str) -> str | None:
    """Return the first format in which a single text is a date, or None."""
    if not _is_like_a_date(text):
        return None
    return next((each for each in FORMATS if read_dates([text], each)), None)


def in_words(formats: Iterable[str]) -> str:
    """Return formats as a readable list of alternatives.

    Examples
    --------
    >>> in_words(["%d/%m/%Y", "%m/%d/%Y"])
    '%d/%m/%Y or %m/%d/%Y'
    """
    return " or ".join(formats)


@cache
def _pattern(date_format: str) -> re.Pattern[str]:
    parts = re.split("(%[a-zA-Z])", date_format)
    date = "".join(_FIELDS.get(part, re.escape(part)) for part in parts)
    if date_format in MONTHS:
        return re.compile(date, re.IGNORECASE)
    return re.compile(_WEEKDAY + date + _CLOCK, re.IGNORECASE)


def _is_like_a_date(text: str) -> bool:
    """Return whether a text has the shape of a date, as most texts do not."""
    return _any_format().fullmatch(text.strip()) is not None


@cache
def _any_format() -> re.Pattern[str]:
    """Return a pattern for a date in any format; it does not check the numbers."""
    shapes = (re.sub(r"\?P<\w+>", "?:", _pattern(each).pattern) for each in FORMATS)
    return re.compile("|".join(shapes), re.IGNORECASE)


def _moment(found: re.Match[str]) -> str | None:
    """Return a date and time in ISO 8601 format, or None if it is not a date."""
    fields = found.groupdict()
    month = fields.get("month")
    if "name" in fields:
        month = _MONTH_NUMBERS.get(fields["name"].lower())
        if month is None:
            return None
    year = fields.get("year")
    if year is None:
        short = int(fields["short_year"])
        year = short + (1900 if short >= _PIVOT else 2000)
    if "day" not in fields:
        is_month = int(year) in _YEARS_OF_MONTHS
        return f"{year}-{int(month or 0):02d}-01" if is_month else None
    hour = int(fields["hour"] or 0)
    if fields["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if fields["half"][0] in "pP" else 0)
    second = (fields["second"] or "00").replace(",", ".")[:9]  # to the microsecond
    date = f"{int(year):04d}-{int(month or 0):02d}-{int(fields['day']):02d}"
    return f"{date}T{hour:02d}:{fields['minute'] or '00'}:{second}"


def _are_seasons(months: Sequence[str]) -> bool:
    """Return whether each month may be the next year instead, as in ``2009-10``."""
    return bool(months) and all(
        (int(each[:4]) + 1) % 100 == int(each[5:7]) for each in months
    )


def _offset(zone: str | None) -> int:
    """Return the offset of a time zone from UTC, in microseconds."""
    if zone is None or zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    ahead = int(digits[:2]) * HOUR + int(digits[2:]) * MINUTE
    return -ahead if zone[0] == "-" else ahead
