"""Determine the layout of a CSV file that may not fit in memory.

Engines have rules of their own: they fill short rows, convert the rest of a numeric
column to text, or rename columns. To apply the same rules as for small files, the file
is first read once, block by block, with the same reader and the same checks. The result
is passed to the engine.
"""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from ostrya._whole_numbers import EXACT
from ostrya.cli.cells import (
    LEADING_ZEROS,
    TRUTHS,
    Cells,
    category_remedy,
    no_label,
    odd_cell,
)
from ostrya.cli.columns import kept_columns, require_classes, single_label
from ostrya.cli.contents import no_whole_gzip, opened_content
from ostrya.cli.csv_file import (
    RowTooLongError,
    larger_block,
    no_rows,
    read_header,
    reading_rows,
    without_empty_start,
)
from ostrya.cli.encoding import not_utf8_with_lazy
from ostrya.cli.messages import RefusalError
from ostrya.preprocessing.written import Reading, is_readable, read_texts

_CHUNK = 2**20
_BLOCK = 2**24
# Size of the first batch, which often suffices to recognise categories.
_FIRST_ROWS = 1000

#: The type that engines shall read; None leaves it to the engine.
CellType = Literal["whole", "number", "text"] | None


@dataclass(frozen=True)
class CsvLayout:
    """The layout of a file, to be passed to an engine."""

    separator: str
    names: list[str]
    types: dict[str, CellType]
    missing: list[str]  # texts, as in the file, that mark missing values
    has_decimal_comma: bool
    untrimmed: dict[str, CellType]  # columns with padded cells, and their inner types
    n_rows: int


def survey_csv(
    path: Path, target: str, drop: Iterable[str], category: Iterable[str]
) -> CsvLayout:
    """Read a file once and return its layout, or raise."""
    block = _BLOCK
    while True:
        with opened_content(path) as file:
            content = _Content(path, file)
            try:
                return _survey(path, content, block, target, set(drop), set(category))
            except RowTooLongError:
                block = larger_block(path, block, content.n_read)


class _Content(io.RawIOBase):
    """A stream of the text of a file, which ends at the first invalid byte."""

    def __init__(self, path: Path, file: Any) -> None:
        super().__init__()
        self._path, self._file = path, file
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._waiting = b""
        self.n_read = 0
        self.refusal: RefusalError | None = None

    def readable(self) -> bool:
        return True

    def head(self) -> bytes:
        """Return the first lines, without leading empty ones, or raise."""
        head = b""
        while part := self._next():
            head = without_empty_start(head + part)
            if b"\n" in head or b"\r" in head:
                break
        self.require_text()
        if not head.strip():
            raise RefusalError(f"{self._path} is empty")
        self._waiting = head
        # Only complete lines, because a part may end in the middle of a character.
        return head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1] or head

    def require_text(self) -> None:
        """Raise if the stream ended because of an invalid byte."""
        if self.refusal is not None:
            raise self.refusal

    def readinto(self, buffer: Any) -> int:
        if not self._waiting:
            self._waiting = self._next()
        count = min(len(buffer), len(self._waiting))
        buffer[:count] = self._waiting[:count]
        self._waiting = self._waiting[count:]
        return count

    def _next(self) -> bytes:
        """Return the next part of the file; empty at its end or if it is invalid."""
        if self.refusal is not None:
            return b""
        try:
            part: bytes = self._file.read(_CHUNK)
            self._decoder.decode(part, final=not part)
        except UnicodeDecodeError:
            self.refusal = not_utf8_with_lazy(self._path)
            return b""
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            self.refusal = no_whole_gzip(self._path, error)
            return b""
        if b"\0" in part:  # UTF-16 contains zeros
            self.refusal = not_utf8_with_lazy(self._path)
            return b""
        self.n_read += len(part)
        return part


def _survey(
    path: Path,
    content: _Content,
    block: int,
    target: str,
    drop: set[str],
    category: set[str],
) -> CsvLayout:
    separator, names = read_header(path, content.head())
    kept = kept_columns(path, names, target, drop, category)
    has_comma = separator != ","
    watched = [_Column(name, has_comma, name in category) for name in kept]
    labels = _Labels(target, has_comma)
    missing: set[str] = set()
    n_rows = 0
    try:
        with reading_rows(path, separator, names, block) as options:
            for batch in _batches(pacsv.open_csv(content, *options)):
                for column in (labels, *watched):
                    texts = batch.column(names.index(column.name))
                    missing |= column.see(texts, n_rows)
                n_rows += batch.num_rows
    finally:
        content.require_text()  # the reader only sees an early end
    if n_rows == 0:
        raise no_rows(path)
    columns = [labels, *watched]
    for column in columns:
        column.refuse_odd()
    has_decimal_comma = any(column.has_comma for column in watched)
    types: dict[str, CellType] = dict.fromkeys(drop, "text")
    for column in columns:
        # Engines support one decimal separator for all columns.
        is_other = has_decimal_comma and column.has_point
        types[column.name] = "text" if is_other else column.type
    return CsvLayout(
        separator=separator,
        names=names,
        types=types,
        missing=sorted(missing),
        has_decimal_comma=has_decimal_comma,
        untrimmed={
            column.name: column.inner_type for column in columns if column.is_untrimmed
        },
        n_rows=n_rows,
    )


def _batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield batches, with the first one divided so that it starts with few rows."""
    for place, batch in enumerate(batches):
        if place == 0 and batch.num_rows > _FIRST_ROWS:
            yield batch.slice(0, _FIRST_ROWS)
            yield batch.slice(_FIRST_ROWS)
        else:
            yield batch


def _as_numbers(texts: Any) -> Any | None:
    """Return cells as numbers, or None if one is not a number or is padded."""
    try:
        return texts.cast(pa.float64())
    except pa.ArrowInvalid:
        return None


def _any_code(texts: Any) -> bool:
    """Return True if a cell has a leading zero, like a postcode."""
    return bool(pc.any(pc.match_substring_regex(texts, LEADING_ZEROS)).as_py())


def _is_known_to_engines(texts: Iterable[str], reading: Reading | None) -> bool:
    """Return True if all engines read some texts in the same way."""
    if reading is None:
        return {text.lower() for text in texts} <= TRUTHS.keys()
    return reading.kind == "time" and not reading.date_format


def _are_large(numbers: Any) -> bool:
    """Return True if a number is so large that floats may merge it with others."""
    largest = None if numbers is None else pc.max(pc.abs(numbers)).as_py()
    return largest is not None and largest >= EXACT


def _row(texts: Any, text: str, n_rows_above: int) -> int:
    """Return the row number, from 1, of the first cell with this text."""
    return int(n_rows_above + pc.index(texts, text).as_py() + 1)


class _Column:
    """A feature column, analysed batch by batch."""

    def __init__(self, name: str, may_have_comma: bool, is_category: bool) -> None:
        self.name = name
        self.has_comma = self.has_point = self.is_untrimmed = False  # some cell
        self._may_have_comma = may_have_comma
        self._is_category = self._is_mixed = is_category
        self._is_number = not is_category
        self._has_large = False  # a number above 2**53
        self._is_left_to_engine = True  # booleans, or ISO 8601 dates
        self._n_known = self._n_odd = 0
        self._first: tuple[int, str] | None = None  # row and text of an odd cell
        self._kind = "number"  # the kind of all other cells

    def see(self, texts: Any, n_rows_above: int) -> set[str]:
        """Analyse more cells; return the texts that mark missing values."""
        may_be_bare = self._is_number and not self._may_have_comma
        numbers = _as_numbers(texts) if may_be_bare else None
        # NaN marks a missing value.
        is_plain = numbers is not None and not pc.any(pc.is_nan(numbers)).as_py()
        if is_plain and not _any_code(texts):
            self._n_known += len(texts)
            self._has_large |= _are_large(numbers)
            return set()
        # Each distinct text is analysed once; most columns have few.
        distinct, counts = pc.value_counts(texts).flatten()
        cells = Cells(self.name, distinct, self._may_have_comma)
        is_missing = pc.is_null(cells.known)
        self.look_at(
            cells, distinct, counts, lambda text: _row(texts, text, n_rows_above)
        )
        return set(distinct.filter(is_missing).to_pylist())

    def look_at(
        self, cells: Cells, distinct: Any, counts: Any, row: Callable[[str], int]
    ) -> None:
        """Update the type of the column from distinct texts and their counts."""
        known = cells.known
        self.is_untrimmed |= pc.all(pc.equal(known, distinct)).as_py() is False
        here = pc.is_valid(known)
        n_known = pc.sum(counts.filter(here)).as_py() or 0
        self._n_known += n_known
        if n_known == 0 or self._is_mixed:
            return
        if cells.are_numbers():
            self._has_large |= _are_large(_as_numbers(known))
            if self._may_have_comma:
                self.has_comma |= bool(pc.any(pc.match_substring(known, ",")).as_py())
                self.has_point |= bool(pc.any(pc.match_substring(known, ".")).as_py())
            return
        self._is_number = False
        if cells.have_leading_zeros():
            self._is_mixed, self._is_left_to_engine = True, False
            return
        by_text: dict[str, tuple[int, str]] = {}
        triples = (known.filter(here), counts.filter(here), distinct.filter(here))
        for text, count, raw in zip(
            *(each.to_pylist() for each in triples), strict=True
        ):
            n_before, first = by_text.get(text, (0, raw))
            by_text[text] = n_before + count, first
        self._seek_odd(by_text, row)
        self._is_mixed = self._n_odd > 1 and self._n_odd >= 0.1 * self._n_known

    def _seek_odd(
        self, by_text: dict[str, tuple[int, str]], row: Callable[[str], int]
    ) -> None:
        reading = read_texts(by_text)
        self._is_left_to_engine &= _is_known_to_engines(by_text, reading)
        if reading is not None:
            self._kind = reading.kind
            return
        odd = [text for text in by_text if not is_readable(text)]
        self._n_odd += sum(by_text[text][0] for text in odd)
        if odd and self._first is None:
            self._first = row(by_text[odd[0]][1]), odd[0]
        others = read_texts(by_text.keys() - set(odd))
        if others is not None:
            self._kind = others.kind

    def refuse_odd(self) -> None:
        """Raise if a few cells are of another kind, by the rule of `first_odd`."""
        is_few = self._n_odd < 0.1 * self._n_known or self._n_odd == 1 < (
            self._n_known - 1
        )
        if self._first is not None and is_few and not self._is_mixed:
            remedy = category_remedy(self.name)
            raise odd_cell(self.name, *self._first, self._kind, remedy)

    @property
    def type(self) -> CellType:
        """The type that the engine shall read; engines do not trim cells."""
        return "text" if self.is_untrimmed else self.inner_type

    @property
    def inner_type(self) -> CellType:
        """The type of the cells without spaces around them."""
        if self._is_category:
            return "text"
        if self.is_untrimmed and self.has_comma:
            return None  # left to `fit`, which reads text
        if self._has_large:
            return None  # integers are not converted, so that `fit` can warn
        if self._is_number:
            return "number" if self._n_known else None
        # Engines guess the format of dates such as 03/02/2023; `fit` warns instead.
        return None if self._is_left_to_engine else "text"


class _Labels(_Column):
    """The label column, analysed batch by batch."""

    def __init__(self, name: str, may_have_comma: bool) -> None:
        super().__init__(name, may_have_comma, is_category=True)
        self._some: set[Any] = set()  # at most two labels
        self._are_truths = self._are_numbers = self._are_whole = True
        self._fraction: RefusalError | None = None

    def look_at(
        self, cells: Cells, distinct: Any, counts: Any, row: Callable[[str], int]
    ) -> None:
        """Update the type of the labels."""
        if cells.known.null_count:
            gone = distinct.filter(pc.is_null(cells.known)).to_pylist()
            raise no_label(self.name, min(row(text) for text in gone))
        super().look_at(cells, distinct, counts, row)
        labels = cells.labels()
        if len(self._some) < 2:
            self._some |= set(pc.unique(labels)[:2].to_pylist())
        self._are_truths &= pa.types.is_boolean(labels.type)
        self._are_whole &= pa.types.is_integer(labels.type)
        self._are_numbers &= labels.type in (pa.int64(), pa.float64())
        if self._are_numbers and self._fraction is None:
            try:
                require_classes(self.name, labels)
            except RefusalError as error:
                self._fraction = error

    def refuse_odd(self) -> None:
        """Raise if all labels are equal, or if they are measurements."""
        if len(self._some) == 1:
            raise single_label(self.name, *self._some)
        if self._are_numbers and self._fraction is not None:
            raise self._fraction

    @property
    def inner_type(self) -> CellType:
        """The type of the cells without spaces around them."""
        if self._are_truths:
            return None  # all engines recognise booleans
        if self._are_numbers:
            return "whole" if self._are_whole else "number"
        return "text"
