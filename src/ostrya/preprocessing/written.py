"""Numbers, times and durations that are written as texts.

A column of texts is read as numbers, times or durations when every text of it is one,
but for those that say that a value is missing. Numbers may have a sign, a currency, a
percent sign and separators of thousands, the same throughout the column; times are
dates in one of the formats of `date_formats`, with or without a time of day; durations
are those of ISO 8601 and of pandas. ``12.5%`` is 12.5. Whole numbers with a leading
zero, such as postcodes, are texts: ``01067`` is not 1067.
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
from ostrya.preprocessing.column import Column, Kind
from ostrya.preprocessing.date_formats import is_date, possible_dates, read_dates
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


# By whether commas are decimal.
_NUMBER = {
    False: _number_pattern(r"[,'\u2019\s]", r"\."),
    True: _number_pattern(r"[.'\u2019\s]", ","),
}
_DURATION = re.compile(  # as pandas writes them, and as ISO 8601 does
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
    """What the texts of a column say."""

    kind: Kind
    values: npt.NDArray[np.float64]  # NaN where missing
    is_zoned: bool = False
    decimal_comma: bool = False
    is_merged: bool = False  # different numbers above 2**53 are the same float
    is_marked: bool = False  # some number is more than sign, digits and point
    mark: str = ""  # the currency, or the percent sign, of its numbers
    date_format: str = ""  # of its dates; "": that of ISO 8601
    example: str = ""  # a text, one with marks where there is one


@dataclass(frozen=True)
class DoubtfulDates:
    """Texts that are dates, in several possible formats or in no common one."""

    formats: tuple[str, ...]
    example: str


def is_missing_text(text: str) -> bool:
    """Say whether a text says that there is no value."""
    return text.strip().lower() in MISSING


def read_texts(
    texts: Iterable[Any],
    kinds: Collection[Kind] = READABLE,
    decimal_comma: bool | None = None,
    date_format: str | None = None,
) -> Reading | None:
    """Return what texts say if they all say something of one of these kinds.

    Parameters
    ----------
    texts : iterable of str or None
        The cells of a column; None where missing.
    kinds : collection of str, default: all three
        What they may be. Digits with a leading zero, such as those of a postcode, are
        numbers only if nothing else is allowed.
    decimal_comma : bool, default=None
        Whether 0,5 is one half. None: where that makes numbers of all texts, and a
        point does not.
    date_format : str, default=None
        The format of dates. None: the only one in which all texts are dates.

    Returns
    -------
    Reading or None
        None also where no text is there.
    """
    cells = list(texts)
    distinct = sorted({t for t in cells if t is not None and not is_missing_text(t)})
    if not distinct:
        return None
    if len(kinds) > 1 and any(map(has_leading_zeros, distinct)):
        kinds = [kind for kind in kinds if kind != "number"]
    commas = (False, True) if decimal_comma is None else (decimal_comma,)
    readers: list[tuple[Kind, Callable[[list[str]], Reading | None]]] = [
        *(("number", lambda t, c=comma: _read_numbers(t, c)) for comma in commas),
        ("time", lambda t: _read_times(t, date_format)),
        ("duration", _read_durations),
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
) -> Reading | None:
    """Return what the texts of a column say; each is read once."""
    reading = read_texts(column.levels, kinds, decimal_comma, date_format)
    if reading is None:
        return None
    return replace(reading, values=column.taken(reading.values.tolist(), np.nan))


def is_readable(text: str, decimal_comma: bool | None = None) -> bool:
    """Say whether a text, by itself, is a number, a time or a duration."""
    # Most names have no digit; that is seen sooner than that no pattern fits.
    if _DIGIT.search(text) is None:
        return False
    # By itself a date may have several readings.
    return read_texts([text], decimal_comma=decimal_comma) is not None or is_date(text)


def has_leading_zeros(text: str) -> bool:
    """Return whether a text is digits that no number begins with, as a postcode is."""
    return _CODE.fullmatch(text.strip()) is not None


def dates_in_doubt(texts: Collection[str]) -> DoubtfulDates | None:
    """Return why texts that are all dates are not read as such, if that is so."""
    known = sorted(text for text in texts if not is_missing_text(text))
    # Most texts are no dates, which one of them shows.
    if not known or not (is_date(known[0]) and all(map(is_date, known))):
        return None
    return DoubtfulDates(
        tuple(found.date_format for found in possible_dates(known)), known[0]
    )


def first_odd(counts: dict[str, int], decimal_comma: bool | None = None) -> str | None:
    """Return a text that stands alone in a column which is readable but for a few.

    That is when fewer than a tenth of the rows, or one alone, are of no readable kind.
    """
    total = sum(counts.values())
    odd, first = 0, None
    if any(map(has_leading_zeros, counts)):  # these are texts, whatever the others are
        return None
    for text, count in counts.items():
        if is_missing_text(text) or is_readable(text, decimal_comma):
            continue
        first = text if first is None else first
        odd += count
        if odd >= 0.1 * total and odd > 1:
            return None
    return first if odd and (odd < 0.1 * total or odd == 1 < total - 1) else None


def _read_numbers(texts: list[str], decimal_comma: bool) -> Reading | None:
    pattern = _NUMBER[decimal_comma]
    values, marks, separators = [], set(), set()
    large = []
    is_bare, example, is_marked = False, texts[0], False
    for text in texts:
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
    # A mark or two separators that only some texts have would make others of numbers.
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


def _read_times(texts: list[str], date_format: str | None) -> Reading | None:
    if date_format is None:
        found = possible_dates(texts)
        if len(found) != 1:
            return None  # of several formats, nobody knows which is meant
        dates = found[0]
    else:
        read = read_dates(texts, date_format)
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
        example=texts[0],
    )


def _read_durations(texts: list[str]) -> Reading | None:
    values = []
    for text in texts:
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
