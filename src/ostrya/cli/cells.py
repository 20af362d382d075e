"""Interpret the cells of a CSV file.

A cell is missing if it is empty or contains NA, N/A, NaN, null or ?. A column contains
numbers if every other cell is a number, booleans if every cell is true or false, dates
if all cells are dates in one format, and durations if all are ISO 8601 durations.
Otherwise it contains categories. Digits with a leading zero are categories. If a single
cell, or less than a tenth of the cells, is of another kind than all others, the column
is rejected, because such cells are usually mistakes.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable
from itertools import count
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ostrya._whole_numbers import EXACT
from ostrya.cli.messages import MOST_OF_A_NAME, RefusalError, shown
from ostrya.preprocessing import Feature
from ostrya.preprocessing.digits import in_digits
from ostrya.preprocessing.written import (
    JUST_NUMBERS,
    MISSING,
    Reading,
    dates_in_doubt,
    first_odd,
    is_readable,
    read_texts,
)

TRUTHS = {"true": True, "false": False}
LEADING_ZEROS = "^[-+]?0[0-9]+$"
_NOUNS = {"number": "number", "time": "date", "duration": "duration"}


class Cells:
    """The cells of one column.

    Parameters
    ----------
    name : str
        The name of the column.
    texts : pyarrow.ChunkedArray
        The cells, of type string.
    has_decimal_comma : bool
        Whether 0,5 may be a number.
    """

    def __init__(self, name: str, texts: Any, has_decimal_comma: bool) -> None:
        self.name = name
        trimmed = pc.utf8_trim_whitespace(texts)
        is_missing = pc.is_in(pc.utf8_lower(trimmed), pa.array(MISSING))
        self.known = pc.if_else(is_missing, pa.scalar(None, pa.string()), trimmed)
        self._has_decimal_comma = has_decimal_comma

    def guessed(self) -> Any:
        """Return the values with the type inferred from the cells."""
        if self.known.null_count == len(self.known):
            return self.known
        for values in (self._as_plain_numbers(), self._as_truths()):
            if values is not None:
                return values
        reading = self._read()
        if reading is not None:
            return self._typed(reading)
        if self._odd_text() is not None:
            raise self._odd_cell(category_remedy(self.name))
        if self._are_noted():
            return self.known
        return self.categories()

    def are_merged(self, values: Any) -> bool:
        """Return True if different cells were rounded to the same float."""
        if not pa.types.is_floating(values.type) or _are_told_apart(values):
            return False
        distinct = pc.unique(self.known).to_pylist()
        reading = read_texts(distinct, JUST_NUMBERS)
        return reading is not None and reading.is_merged

    def categories(self) -> Any:
        """Return the values as categories, independently of their content."""
        return self.known.dictionary_encode()

    def numbers(self, feature: Feature) -> Any:
        """Return the values as numbers of a fitted feature, or raise."""
        values = None if feature.decimal_comma else self._as_numbers()
        if values is not None:
            return values
        commas = (True, False) if self._has_decimal_comma else (feature.decimal_comma,)
        for comma in commas:
            reading = read_texts(self.known.to_pylist(), JUST_NUMBERS, comma)
            if reading is not None:
                feature.require_mark(reading)
                return _as_floats(reading)
        if self.known.null_count == len(self.known):
            return self.known.cast(pa.float64())
        raise self._odd_cell(
            "The model expects numbers in this column. Correct this cell or clear it"
        )

    def truths(self) -> Any:
        """Return the values as booleans, or raise."""
        values = self._as_truths()
        if values is not None:
            return values
        values = self._as_numbers()
        if values is None:
            raise RefusalError(
                f"column {shown(self.name)} must contain true and false, as in fit"
            )
        return values

    def labels(self) -> Any:
        """Return the values as labels: whole numbers, booleans or strings."""
        if self.known.null_count:
            row = pc.index(pc.is_null(self.known), True).as_py() + 1
            raise no_label(self.name, row)
        kinds = () if self.have_leading_zeros() else (pa.int64(), pa.float64())
        for kind in kinds:
            try:
                labels = self.known.cast(kind)
            except pa.ArrowInvalid:
                continue
            if kind == pa.int64() or _are_told_apart(labels):
                return labels
        truths = self._as_truths()
        return self.known if truths is None else truths

    def are_numbers(self) -> bool:
        """Return True if all cells that are not missing are plain numbers."""
        return self._as_plain_numbers() is not None

    def have_leading_zeros(self) -> bool:
        """Return True if a cell has a leading zero, like a postcode."""
        return bool(pc.any(pc.match_substring_regex(self.known, LEADING_ZEROS)).as_py())

    def _as_plain_numbers(self) -> Any:
        """Return the cells as numbers, or None, also for codes such as 01067."""
        return None if self.have_leading_zeros() else self._as_numbers()

    def _are_noted(self) -> bool:
        """Return True if `fit` itself warns about these texts."""
        texts = pc.unique(self.known.drop_null()).to_pylist()
        return self.have_leading_zeros() or dates_in_doubt(texts) is not None

    def _as_numbers(self) -> Any:
        known = self.known
        if self._has_decimal_comma:
            known = pc.replace_substring(known, ",", ".")
        try:
            return known.cast(pa.float64())
        except pa.ArrowInvalid:
            return None

    def _as_truths(self) -> Any:
        lower = pc.utf8_lower(self.known)
        distinct = {text for text in pc.unique(lower).to_pylist() if text is not None}
        return pc.equal(lower, "true") if distinct <= TRUTHS.keys() else None

    def _read(self) -> Reading | None:
        """Read the cells as formatted numbers, dates or durations, or return None."""
        texts = self.known.to_pylist()
        if not self._has_decimal_comma:
            return read_texts(texts)
        found = read_texts(texts, decimal_comma=True)
        return found if found is not None else read_texts(texts, decimal_comma=False)

    def _typed(self, reading: Reading) -> Any:
        """Return the cells with the type of a reading."""
        if reading.kind == "number":
            if not self._has_decimal_comma:
                return self.known  # `fit` reads these texts itself, with a warning
            # Without commas, which `fit` would read as thousands separators.
            numbers = _as_floats(reading).to_pylist()
            plain = [None if n is None else in_digits(n) for n in numbers]
            return pa.chunked_array([pa.array(plain, pa.string())])
        if reading.date_format:
            return self.known  # `fit` reads these texts itself, with a warning
        zone = "UTC" if reading.is_zoned else None
        is_time = reading.kind == "time"
        kind = pa.timestamp("us", zone) if is_time else pa.duration("us")
        whole = _as_floats(reading).cast(pa.int64())
        return whole.cast(kind)

    def _odd_text(self) -> str | None:
        counts = pc.value_counts(self.known.drop_null()).to_pylist()
        by_text = {entry["values"]: int(entry["counts"]) for entry in counts}
        return first_odd(by_text)

    def _odd_cell(self, remedy: str) -> RefusalError:
        """Return the error for the first cell of another kind than the others."""
        texts = self.known.to_pylist()
        odd = {t for t in set(texts) if t is not None and not is_readable(t)}
        rest = read_texts(None if text in odd else text for text in texts)
        kind = "number" if rest is None else rest.kind
        for row, text in enumerate(texts, start=1):
            if text is not None and text in odd:
                return odd_cell(self.name, row, text, kind, remedy)
        return RefusalError(
            f"column {shown(self.name)} must contain numbers in one format; got "
            "several currencies or separators. Use one format in the whole column"
        )


def no_label(name: str, row: int) -> RefusalError:
    """Return the error for a row without a label."""
    return RefusalError(
        f"column {shown(name)} must contain a label in every row; got none in row "
        f"{row}. Drop rows without a label"
    )


def odd_cell(name: str, row: int, text: str, kind: str, remedy: str) -> RefusalError:
    """Return the error for a cell of another kind than the others."""
    return RefusalError(
        f"column {shown(name)} must contain {_NOUNS[kind]}s; got {shown(text)} in row "
        f"{row}. {remedy}"
    )


def category_remedy(name: str) -> str:
    """Return the remedy for a cell of another kind than the others in training."""
    # Quoted for the shell; very long names are not repeated.
    option = shlex.quote(name) if len(name) <= MOST_OF_A_NAME else "..."
    return (
        f"Correct this cell, clear it, or use --category {option} to treat the whole "
        "column as categories"
    )


def _as_floats(reading: Reading) -> Any:
    return pa.chunked_array([pa.array(reading.values, from_pandas=True)])


def as_fitted(feature: Feature, cells: Cells) -> Any:
    """Return cells with the type that the column had in training."""
    if feature.kind == "number":
        return cells.numbers(feature)
    if feature.kind == "boolean":
        return cells.truths()
    has_levels = feature.kind in ("level", "ordered")
    if has_levels and not all(isinstance(x, str) for x in feature.levels):
        return _levels(feature.name, cells.known.to_pylist(), feature.levels)
    return cells.known


def _levels(name: str, texts: Iterable[str | None], levels: tuple[Any, ...]) -> Any:
    """Return the numeric level of each text, or an unused number if it has none."""
    by_text = {str(level): level for level in levels}
    # A number that is not a level, so that unknown texts match no level.
    unknown = next(number for number in count() if number not in levels)
    kept = [None if text is None else by_text.get(text, unknown) for text in texts]
    try:
        return pa.chunked_array([pa.array(kept)])
    except (pa.ArrowException, OverflowError):
        raise RefusalError(
            f"column {shown(name)} has levels of several types, which a CSV file "
            "cannot represent. Use Parquet, or predict in Python"
        ) from None


def _are_told_apart(labels: Any) -> bool:
    """Return False if the numbers are so large that floats may merge them."""
    largest = pc.max(pc.abs(labels)).as_py()
    return largest is None or not EXACT <= largest < math.inf
