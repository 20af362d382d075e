"""Read numbers, times and durations from text.

A column of text is read as numbers, times or durations if every text in it can be read
as such, apart from markers of missing values. Numbers may have a sign, a currency
symbol, a percent sign and thousands separators, the same in the whole column. Times are
dates in one of the formats of `date_formats`, with or without a time of day, or months.
Durations are in the formats of ISO 8601 and pandas. ``12.5%`` is read as 12.5. Whole
numbers with a leading zero, such as postcodes, stay text: ``01067`` is not 1067.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._whole_numbers import EXACT, are_merged_objects
from ostrya.preprocessing.column import Check, Column, Kind, watched
from ostrya.preprocessing.date_formats import (
    format_of,
    is_date,
    possible_dates,
    read_dates,
)
from ostrya.preprocessing.times import DAY, HOUR, MINUTE, SECOND

MISSING = ("", "na", "n/a", "nan", "null", "?")

_CURRENCY = r"[$€£¥₹₩₽]|USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|BRL"


def _number_pattern(thousands: str, decimal: str) -> re.Pattern[str]:
    groups = rf"[0-9]{{1,3}}(?P<comma>{thousands})[0-9]{{3}}(?:(?P=comma)[0-9]{{3}})*"
    digits = rf"{groups}(?:{decimal}[0-9]+)?|[0-9]+(?:{decimal}[0-9]*)?|{decimal}[0-9]+"
    return re.compile(
        rf"(?P<open>\()?(?P<sign>[-+\u2212]?)\s*(?P<before>{_CURRENCY})?\s*"
        rf"(?P<late>[-\u2212]?)(?P<digits>{digits})(?P<power>[eE][-+]?[0-9]+)?\s*"
        rf"(?P<after>{_CURRENCY}|%)?(?P<close>\))?"
    )


# The pattern of numbers, by whether a comma is the decimal separator.
_NUMBER = {
    False: _number_pattern(r"[,'\u2019\s]", r"\."),
    True: _number_pattern(r"[.'\u2019\s]", ","),
}
_DURATION = re.compile(  # the formats of pandas and of ISO 8601
    r"(?P<sign>-?)(?P<days>[0-9]+) days?"
    r"(?: (?P<back>-)?\+?(?P<clock>[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?))?"
    r"|(?P<minus>-?)P(?=.)(?:(?P<D>[0-9]+(?:\.[0-9]+)?)D)?"
    r"(?:T(?=.)(?:(?P<H>[0-9]+(?:\.[0-9]+)?)H)?(?:(?P<M>[0-9]+(?:\.[0-9]+)?)M)?"
    r"(?:(?P<S>[0-9]+(?:\.[0-9]+)?)S)?)?"
)
_DIGIT = re.compile("[0-9]")
_CODE = re.compile("[-+]?0[0-9]+")
READABLE: tuple[Kind, ...] = ("number", "time", "duration")
JUST_NUMBERS: tuple[Kind, ...] = ("number",)


@dataclass(frozen=True, eq=False)
class Reading:
    """The values read from the texts of a column, and their format."""

    kind: Kind
    values: npt.NDArray[np.float64]  # NaN if missing
    is_zoned: bool = False
    decimal_comma: bool = False
    is_merged: bool = False  # different numbers above 2**53 round to the same float
    is_marked: bool = False  # some number has a currency, percent sign or separator
    mark: str = ""  # the currency or percent sign of the numbers
    date_format: str = ""  # the format of the dates; "" for ISO 8601
    period: str = ""  # "month" if the dates are months without a day
    example: str = ""  # one of the texts, preferably with a mark


@dataclass(frozen=True)
class DoubtfulDates:
    """Dates with several possible formats, or without a common format."""

    formats: tuple[str, ...]
    example: str


def is_missing_text(text: str) -> bool:
    """Return True for texts that mark a missing value, such as "n/a"."""
    return text.strip().lower() in MISSING


def read_texts(
    texts: Iterable[Any],
    kinds: Collection[Kind] = READABLE,
    decimal_comma: bool | None = None,
    date_format: str | None = None,
    check: Check = bool,
) -> Reading | None:
    """Read texts as values of one kind, or return None if that is impossible.

    Parameters
    ----------
    texts : iterable of str or None
        The cells of a column; None for missing cells.
    kinds : collection of str, default: all three
        The kinds to try. Digits with a leading zero, such as postcodes, are read as
        numbers only if "number" is the only kind.
    decimal_comma : bool, default=None
        Whether 0,5 is one half. If None, a comma is a decimal separator only if all
        texts are numbers with it, and not without it.
    date_format : str, default=None
        The format of dates. If None, it must be the only format that all texts match.
    check : callable
        Called regularly; it may raise to stop.

    Returns
    -------
    Reading or None
        None also if every cell is missing.
    """
    cells = list(texts)
    known = (text for text in watched(cells, check) if text is not None)
    distinct = sorted({text for text in known if not is_missing_text(text)})
    if not distinct:
        return None
    if len(kinds) > 1 and any(map(has_leading_zeros, watched(distinct, check))):
        kinds = [kind for kind in kinds if kind != "number"]
    commas = (False, True) if decimal_comma is None else (decimal_comma,)
    readers: list[tuple[Kind, Callable[[list[str]], Reading | None]]] = [
        *(
            ("number", lambda t, c=comma: _read_numbers(t, c, check))
            for comma in commas
        ),
        ("time", lambda t: _read_times(t, date_format, check)),
        ("duration", lambda t: _read_durations(t, check)),
    ]
    for kind, reader in readers:
        found = reader(distinct) if kind in kinds else None
        if found is None:
            continue
        by_text = dict(zip(distinct, found.values.tolist(), strict=True))
        values = np.array([by_text.get(cell, np.nan) for cell in cells])
        return replace(found, values=values)
    return None


def read_levels(
    column: Column,
    kinds: Collection[Kind] = READABLE,
    decimal_comma: bool | None = None,
    date_format: str | None = None,
    check: Check = bool,
) -> Reading | None:
    """Read the texts of a column; each distinct text is read once."""
    reading = read_texts(column.levels, kinds, decimal_comma, date_format, check)
    if reading is None:
        return None
    return replace(reading, values=column.taken(reading.values.tolist(), np.nan))


def is_readable(text: str, decimal_comma: bool | None = None) -> bool:
    """Return True if a single text is a number, a time or a duration."""
    # Most text has no digit, which is faster to check than the patterns.
    if _DIGIT.search(text) is None:
        return False
    # A single date may match several formats.
    return read_texts([text], decimal_comma=decimal_comma) is not None or is_date(text)


def has_leading_zeros(text: str) -> bool:
    """Return True for whole numbers with a leading zero, such as postcodes."""
    return _CODE.fullmatch(text.strip()) is not None


def dates_in_doubt(texts: Collection[str], check: Check = bool) -> DoubtfulDates | None:
    """Return why a column in which all texts are dates is not read as dates."""
    known = sorted(t for t in watched(texts, check) if not is_missing_text(t))
    # Usually the first text already shows that a column does not contain dates.
    if not known or not all(map(is_date, watched(known, check))):
        return None
    return DoubtfulDates(
        tuple(found.date_format for found in possible_dates(known, check)), known[0]
    )


def first_odd(
    counts: dict[str, int], decimal_comma: bool | None = None, check: Check = bool
) -> str | None:
    """Return an unreadable text if all but a few texts of a column can be read.

    "A few" means less than a tenth of the rows, or a single row.
    """
    total = sum(counts.values())
    odd, first = 0, None
    # Then the whole column stays text.
    if any(map(has_leading_zeros, watched(counts, check))):
        return None
    likely: str | None = None  # the format of the last date: most others share it
    for text, count in watched(counts.items(), check):
        if likely is not None and read_dates([text], likely) is not None:
            continue
        if is_missing_text(text) or is_readable(text, decimal_comma):
            likely = format_of(text)
            continue
        first = text if first is None else first
        odd += count
        if odd >= 0.1 * total and odd > 1:
            return None
    return first if odd and (odd < 0.1 * total or odd == 1 < total - 1) else None


def _read_numbers(
    texts: list[str], decimal_comma: bool, check: Check
) -> Reading | None:
    pattern = _NUMBER[decimal_comma]
    values, marks, separators = [], set(), set()
    large = []
    is_bare, example, is_marked = False, texts[0], False
    for text in watched(texts, check):
        found = pattern.fullmatch(text.strip())
        if found is None or (found["open"] is None) != (found["close"] is None):
            return None
        mark, separator = found["before"] or found["after"], found["comma"]
        if found["before"] and found["after"]:
            return None
        digits = found["digits"]
        if separator:
            digits = digits.replace(separator, "")
            separators.add(separator)
        plain = digits.replace(",", ".") + (found["power"] or "")
        value = float(plain)
        is_minus = {found["sign"], found["late"]} & {"-", "\u2212"} or found["open"]
        values.append(-value if is_minus else value)
        if EXACT <= value < np.inf:
            large.append(-Decimal(plain) if is_minus else Decimal(plain))
        if mark:
            marks.add(mark)
        elif value:
            is_bare = True
        if (mark or separator or found["open"]) and not is_marked:
            example, is_marked = text, True
    # Numbers in several currencies or number formats are not comparable.
    if len(marks) > 1 or len(separators) > 1 or ("%" in marks and is_bare):
        return None
    return Reading(
        "number",
        np.array(values),
        decimal_comma=decimal_comma,
        is_merged=are_merged_objects(large),
        is_marked=is_marked,
        mark="".join(marks),
        example=example,
    )


def _read_times(
    texts: list[str], date_format: str | None, check: Check
) -> Reading | None:
    if date_format is None:
        found = possible_dates(texts, check)
        if len(found) != 1:
            return None  # the format is ambiguous
        dates = found[0]
    else:
        read = read_dates(texts, date_format, check)
        if read is None:
            return None
        dates = read
    if dates.has_doubtful_years:
        return None
    return Reading(
        "time",
        dates.values,
        is_zoned=dates.is_zoned,
        date_format="" if dates.is_iso else dates.date_format,
        period=dates.period,
        example=texts[0],
    )


def _read_durations(texts: list[str], check: Check) -> Reading | None:
    values = []
    for text in watched(texts, check):
        found = _DURATION.fullmatch(text.strip())
        if found is None:
            return None
        if found["days"] is None:
            sizes = {"D": DAY, "H": HOUR, "M": MINUTE, "S": SECOND}
            value = sum(float(found[k] or 0) * size for k, size in sizes.items())
            is_minus = found["minus"] == "-"
        else:
            value, is_minus = float(found["days"]) * DAY, found["sign"] == "-"
            if found["clock"]:
                hours, minutes, seconds = found["clock"].split(":")
                clock = int(hours) * HOUR + int(minutes) * MINUTE
                clock += round(float(seconds) * SECOND)
                # pandas writes minus one hour as -1 days +23:00:00.
                value += -clock if is_minus or found["back"] else clock
        values.append(-float(round(value)) if is_minus else float(round(value)))
    return Reading("duration", np.array(values), example=texts[0])
