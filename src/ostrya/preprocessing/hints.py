"""Warn about properties of a table that may surprise its owner, once per fit."""

from __future__ import annotations

from collections.abc import Iterable

from ostrya._warn_caller import warn_caller
from ostrya._whole_numbers import MERGED_AS_FLOATS
from ostrya.preprocessing.date_formats import in_words
from ostrya.preprocessing.digits import in_digits
from ostrya.preprocessing.times import time_in_words
from ostrya.preprocessing.written import DoubtfulDates, Reading, read_texts

# Most columns that a warning names.
MOST_NAMES = 5
# With fewer rows, texts that all differ are not suspicious.
FEWEST_ROWS = 20

PLURALS = {"number": "numbers", "time": "dates", "duration": "durations"}


class TableHints:
    """Collect warnings about a table, column by column."""

    def __init__(self) -> None:
        self._written: list[tuple[str, Reading]] = []
        self._odd: list[tuple[str, str]] = []
        self._names: list[tuple[str, int, int]] = []
        self._merged: list[str] = []
        self._doubtful: list[tuple[str, DoubtfulDates]] = []
        self._codes: list[tuple[str, str]] = []

    def note_written(self, name: str, reading: Reading) -> None:
        """Note texts that were read as numbers, times or durations."""
        self._written.append((name, reading))

    def note_odd(self, name: str, text: str) -> None:
        """Note a rare text that prevents reading a column as numbers or times."""
        self._odd.append((name, text))

    def note_doubtful_dates(self, name: str, doubt: DoubtfulDates) -> None:
        """Note dates that become categories because their format is ambiguous."""
        self._doubtful.append((name, doubt))

    def note_leading_zeros(self, name: str, text: str) -> None:
        """Note digits that become categories because of a leading zero."""
        self._codes.append((name, text))

    def note_merged(self, name: str) -> None:
        """Note a column with different whole numbers that round to the same float."""
        self._merged.append(name)

    def note_levels(self, name: str, n_levels: int, n_rows: int) -> None:
        """Note a column if it looks like an identifier: most of its values differ."""
        noted = (*self._odd, *self._doubtful)
        is_noted = any(name == other for other, _ in noted)
        if names_rows(n_levels, n_rows) and not is_noted:
            self._names.append((name, n_levels, n_rows))

    def messages(self) -> list[str]:
        """Return one message for each kind of surprise that was noted."""
        found = []
        if self._merged:
            found.append(f"{_columns(self._merged, 'contains')} {MERGED_AS_FLOATS}")
        for kind in PLURALS:
            columns = [(n, r) for n, r in self._written if r.kind == kind]
            if columns:
                reading = columns[0][1]
                found.append(
                    f"{_columns((n for n, _ in columns), 'contains')} text, such as "
                    f"{_short(reading.example)}, that is read as {PLURALS[kind]}"
                    f"{_as_read(reading)}. To prevent this, convert the column before "
                    "fit, for example to a category"
                )
        found += [_of_doubtful_dates(name, doubt) for name, doubt in self._doubtful]
        if self._codes:
            found.append(
                f"{_columns((n for n, _ in self._codes), 'is')} treated as categories, "
                "because digits with leading zeros, such as "
                f"{_short(self._codes[0][1])}, are not read as numbers. If they are "
                "numbers, convert the column before fit"
            )
        if self._odd:
            found.append(
                f"{_columns((n for n, _ in self._odd), 'is')} treated as categories, "
                f"because of a few values such as {_short(self._odd[0][1])}; all "
                "others are numbers, dates or durations. Correct these values, or "
                "set them to missing"
            )
        if self._names:
            name, n_levels, n_rows = self._names[0]
            differ = "all" if n_levels == n_rows else f"{n_levels:,} of"
            found.append(
                f"{_columns((n for n, _, _ in self._names), 'looks')} like an "
                f"identifier: {differ} {n_rows:,} values of {name!r} are different. "
                "Drop the column, or group its values"
            )
        return found

    def warn(self) -> None:
        """Issue a warning for each message."""
        for message in self.messages():
            warn_caller(message)


def names_rows(n_levels: int, n_rows: int) -> bool:
    """Return True if a column with this many levels looks like an identifier."""
    return n_rows >= FEWEST_ROWS and n_levels > n_rows / 2


def _as_read(reading: Reading) -> str:
    """Return how the example was read, unless that is obvious."""
    if not (reading.is_marked or reading.decimal_comma or reading.date_format):
        return ""
    alone = read_texts(
        [reading.example],
        (reading.kind,),
        reading.decimal_comma,
        reading.date_format or None,
    )
    assert alone is not None
    value = float(alone.values[0])
    if reading.date_format:
        date = time_in_words(value, reading.is_zoned).replace(" 00:00", "")
        if reading.period:
            date = date.removesuffix("-01")
        return f" in the format {reading.date_format} (here {date})"
    return f" (here {in_digits(value)})"


def _of_doubtful_dates(name: str, doubt: DoubtfulDates) -> str:
    """Return the message about dates whose format is ambiguous."""
    example = _short(doubt.example)
    if not doubt.formats:
        return (
            f"Column {name!r} is treated as categories: it contains dates, such as "
            f"{example}, but no single format matches all of them. Use one format for "
            "all dates, or convert the column to dates before fit"
        )
    formats = in_words(doubt.formats)
    if len(doubt.formats) == 1:
        formats += ", in an unknown century"
    return (
        f"Column {name!r} is treated as categories: it contains dates, such as "
        f"{example}, whose format could be {formats}. Convert the column before fit, "
        f"for example with pandas.to_datetime(X[{name!r}], "
        f'format="{doubt.formats[0]}"), or write the dates as YYYY-MM-DD'
    )


def _columns(names: Iterable[str], verb: str) -> str:
    """Return the subject and verb of a message about some columns."""
    every = [repr(name) for name in names]
    if len(every) == 1:
        return f"Column {every[0]} {verb}"
    more = len(every) - MOST_NAMES
    listed = ", ".join(every[:MOST_NAMES])
    plural = {"is": "are"}.get(verb, verb.removesuffix("s"))
    return f"Columns {listed}{f' and {more} more' if more > 0 else ''} {plural}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")
