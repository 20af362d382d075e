"""What the texts in the cells of a CSV file mean.

A cell is missing when it is empty or says NA, N/A, NaN, null or ?. A column is of
numbers when every other cell is a number, of booleans when every one is true or false,
and of categories otherwise. But where one cell alone, or less than a tenth of them, is
no number, the column is refused: such cells are mistakes more often than categories.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable
from itertools import count
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ostrya.cli.messages import MOST_OF_A_NAME, RefusalError, shown
from ostrya.preprocessing import Feature

MISSING = ("", "na", "n/a", "nan", "null", "?")
TRUTHS = {"true": True, "false": False}
#: Up to here every whole number is a float of its own.
EXACT = 2**53


class Cells:
    """One column of texts.

    Parameters
    ----------
    name : str
        Its name.
    texts : pyarrow.ChunkedArray
        Its cells, of type string.
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
        """Return the values, of the kind that the cells suggest."""
        if self.known.null_count == len(self.known):
            return self.known
        for values in (self._as_numbers(), self._as_truths()):
            if values is not None:
                return values
        if self._is_nearly_numbers():
            raise self._odd_cell(
                f"mend it, empty it, or say --category {self._option()} to take all "
                "cells of the column as categories"
            )
        return self.known

    def numbers(self) -> Any:
        """Return the values as numbers, or refuse."""
        values = self._as_numbers()
        if values is None:
            raise self._odd_cell("the model wants numbers here; mend it or empty it")
        return values

    def truths(self) -> Any:
        """Return the values as booleans, or refuse."""
        values = self._as_truths()
        if values is not None:
            return values
        values = self._as_numbers()
        if values is None:
            raise RefusalError(f"column {shown(self.name)} must hold true and false")
        return values

    def labels(self) -> Any:
        """Return the values as labels: whole numbers, booleans or texts."""
        if self.known.null_count:
            row = pc.index(pc.is_null(self.known), True).as_py() + 1
            raise RefusalError(
                f"column {shown(self.name)}, row {row} has no label; drop the rows "
                "without"
            )
        for kind in (pa.int64(), pa.float64()):
            try:
                labels = self.known.cast(kind)
            except pa.ArrowInvalid:
                continue
            if kind == pa.int64() or _are_told_apart(labels):
                return labels
        truths = self._as_truths()
        return self.known if truths is None else truths

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

    def _is_nearly_numbers(self) -> bool:
        counts = pc.value_counts(self.known.drop_null()).to_pylist()
        total = sum(int(e["counts"]) for e in counts)
        odd = sum(int(e["counts"]) for e in counts if not self._is_number(e["values"]))
        return odd < 0.1 * total or odd == 1 < total - 1

    def _is_number(self, text: str) -> bool:
        if "_" in text or not text.isascii():  # Python reads more than pyarrow
            return False
        try:
            float(text.replace(",", ".") if self._has_decimal_comma else text)
        except ValueError:
            return False
        return True

    def _option(self) -> str:
        """Return the name as one types it, unless nobody would."""
        return shlex.quote(self.name) if len(self.name) <= MOST_OF_A_NAME else "..."

    def _odd_cell(self, remedy: str) -> RefusalError:
        for row, text in enumerate(self.known.to_pylist(), start=1):
            if text is not None and not self._is_number(text):
                return RefusalError(
                    f"column {shown(self.name)}, row {row}: {shown(text)} is no "
                    f"number; {remedy}"
                )
        return RefusalError(f"column {shown(self.name)} holds numbers too odd to read")


def as_fitted(feature: Feature, cells: Cells) -> Any:
    """Return cells as values of the kind the model was fitted on."""
    if feature.kind == "number":
        return cells.numbers()
    if feature.kind == "boolean":
        return cells.truths()
    if feature.kind == "level" and not all(isinstance(x, str) for x in feature.levels):
        return _levels(feature.name, cells.known.to_pylist(), feature.levels)
    return cells.known


def _levels(name: str, texts: Iterable[str | None], levels: tuple[Any, ...]) -> Any:
    """Return the number that each text names; texts that name no level, another."""
    by_text = {str(level): level for level in levels}
    # No text may pass for a level that it does not name.
    unknown = next(number for number in count() if number not in levels)
    kept = [None if text is None else by_text.get(text, unknown) for text in texts]
    try:
        return pa.chunked_array([pa.array(kept)])
    except (pa.ArrowException, OverflowError):
        raise RefusalError(
            f"column {shown(name)} has levels of several types, which the cells of a "
            "CSV file cannot tell apart; use Parquet, or predict in Python"
        ) from None


def _are_told_apart(labels: Any) -> bool:
    """Return False for whole numbers so large that some share a float."""
    largest = pc.max(pc.abs(labels)).as_py()
    return not EXACT < largest < math.inf
