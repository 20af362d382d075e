"""What a CSV file that may not fit in memory holds, by the rules for files that do.

Engines have rules of their own: they fill short rows, take what is left of a column of
numbers as texts, rename columns. So the file is read once before them, block by block
and by the same reader, which refuses what it always refuses; and the engine is told
what was found.
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
from ostrya.cli.columns import kept_columns, lone_label, require_classes
from ostrya.cli.contents import no_whole_gzip, opened_content
from ostrya.cli.csv_file import (
    RowTooLongError,
    larger_block,
    read_header,
    reading_rows,
    without_empty_start,
)
from ostrya.cli.encoding import not_utf8_with_lazy
from ostrya.cli.messages import RefusalError
from ostrya.preprocessing.written import Reading, is_readable, read_texts

_CHUNK = 2**20
_BLOCK = 2**24
# Rows by which it is first seen that a column is one of categories.
_FIRST_ROWS = 1000

#: What engines are to read; None: what they find.
CellType = Literal["whole", "number", "text"] | None


@dataclass(frozen=True)
class CsvLayout:
    """What an engine is to be told of a file."""

    separator: str
    names: list[str]
    types: dict[str, CellType]
    missing: list[str]  # texts, as they are in the file, that say there is no value
    has_decimal_comma: bool
    untrimmed: dict[str, CellType]  # columns with spaces, and what is between these
    n_rows: int


def survey_csv(
    path: Path, target: str, drop: Iterable[str], category: Iterable[str]
) -> CsvLayout:
    """Return the layout of a file, read once from end to end, or refuse."""
    block = _BLOCK
    while True:
        with opened_content(path) as file:
            content = _Content(path, file)
            try:
                return _survey(path, content, block, target, set(drop), set(category))
            except RowTooLongError:
                block = larger_block(path, block, content.n_read)


class _Content(io.RawIOBase):
    """The text of a file, as far as it is one; what is not ends it."""

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
        """Return the first lines, without those that are empty, or refuse."""
        head = b""
        while part := self._next():
            head = without_empty_start(head + part)
            if b"\n" in head or b"\r" in head:
                break
        self.require_text()
        if not head.strip():
            raise RefusalError(f"{self._path} is empty")
        self._waiting = head
        # What ends in the middle of a letter does so below the first line.
        return head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1] or head

    def require_text(self) -> None:
        """Raise if the file ended because it is no text."""
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
        """Return a part of the file; nothing at its end, or where it is no text."""
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
        if b"\0" in part:  # as UTF-16 has
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
        content.require_text()  # which is why the rows ended there
    if n_rows == 0:
        raise RefusalError(f"{path} has a header but no rows")
    columns = [labels, *watched]
    for column in columns:
        column.refuse_odd()
    has_decimal_comma = any(column.has_comma for column in watched)
    types: dict[str, CellType] = dict.fromkeys(drop, "text")
    for column in columns:
        # Engines take either commas or points, in all columns.
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
    """Yield batches, a short one first."""
    for place, batch in enumerate(batches):
        if place == 0 and batch.num_rows > _FIRST_ROWS:
            yield batch.slice(0, _FIRST_ROWS)
            yield batch.slice(_FIRST_ROWS)
        else:
            yield batch


def _as_numbers(texts: Any) -> Any | None:
    """Return cells as numbers, if they are such with nothing to trim."""
    try:
        return texts.cast(pa.float64())
    except pa.ArrowInvalid:
        return None


def _any_code(texts: Any) -> bool:
    """Return whether a cell is digits with a leading zero, as postcodes are."""
    return bool(pc.any(pc.match_substring_regex(texts, LEADING_ZEROS)).as_py())


def _is_known_to_engines(texts: Iterable[str], reading: Reading | None) -> bool:
    """Return whether all engines read some texts alike."""
    if reading is None:
        return {text.lower() for text in texts} <= TRUTHS.keys()
    return reading.kind == "time" and not reading.date_format


def _are_large(numbers: Any) -> bool:
    """Say whether some number is so large that floats may not tell it from others."""
    largest = None if numbers is None else pc.max(pc.abs(numbers)).as_py()
    return largest is not None and largest >= EXACT


def _row(texts: Any, text: str, n_rows_above: int) -> int:
    """Return the row of the first cell that says so; the first one has number 1."""
    return int(n_rows_above + pc.index(texts, text).as_py() + 1)


class _Column:
    """A column to learn from, seen batch by batch."""

    def __init__(self, name: str, may_have_comma: bool, is_category: bool) -> None:
        self.name = name
        self.has_comma = self.has_point = self.is_untrimmed = False  # some cell
        self._may_have_comma = may_have_comma
        self._is_category = self._is_mixed = is_category
        self._is_number = not is_category
        self._has_large = False  # a number beyond those that floats tell apart
        self._is_left_to_engine = True  # truths, or dates of ISO 8601
        self._n_known = self._n_odd = 0
        self._first: tuple[int, str] | None = None  # row and text of an odd cell
        self._kind = "number"  # of those that are not odd

    def see(self, texts: Any, n_rows_above: int) -> set[str]:
        """Take more cells; return those texts that say that there is no value."""
        may_be_bare = self._is_number and not self._may_have_comma
        numbers = _as_numbers(texts) if may_be_bare else None
        # One that is none says that there is no value.
        is_plain = numbers is not None and not pc.any(pc.is_nan(numbers)).as_py()
        if is_plain and not _any_code(texts):
            self._n_known += len(texts)
            self._has_large |= _are_large(numbers)
            return set()
        # Texts are looked at once each, and most columns have few.
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
        """Learn what the column is from texts, of which it has so many."""
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
        """Refuse a few cells that are not like the others, as `first_odd` has it."""
        is_few = self._n_odd < 0.1 * self._n_known or self._n_odd == 1 < (
            self._n_known - 1
        )
        if self._first is not None and is_few and not self._is_mixed:
            remedy = category_remedy(self.name)
            raise odd_cell(self.name, *self._first, self._kind, remedy)

    @property
    def type(self) -> CellType:
        """What the engine is to read, which does not trim cells."""
        return "text" if self.is_untrimmed else self.inner_type

    @property
    def inner_type(self) -> CellType:
        """What the cells are without spaces around them."""
        if self._is_category:
            return "text"
        if self.is_untrimmed and self.has_comma:
            return None  # left to `fit`, which reads texts
        if self._has_large:
            return None  # whole numbers are to stay whole, so that `fit` warns of them
        if self._is_number:
            return "number" if self._n_known else None
        # Engines guess whether 03/02/2023 is in March; `fit` reads texts, and warns.
        return None if self._is_left_to_engine else "text"


class _Labels(_Column):
    """The column of the labels, seen batch by batch."""

    def __init__(self, name: str, may_have_comma: bool) -> None:
        super().__init__(name, may_have_comma, is_category=True)
        self._some: set[Any] = set()  # two labels at most
        self._are_truths = self._are_numbers = self._are_whole = True
        self._fraction: RefusalError | None = None

    def look_at(
        self, cells: Cells, distinct: Any, counts: Any, row: Callable[[str], int]
    ) -> None:
        """Learn what the labels are."""
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
        """Refuse labels that are all the same, or measurements."""
        if len(self._some) == 1:
            raise lone_label(self.name, *self._some)
        if self._are_numbers and self._fraction is not None:
            raise self._fraction

    @property
    def inner_type(self) -> CellType:
        """What the cells are without spaces around them."""
        if self._are_truths:
            return None  # engines know them
        if self._are_numbers:
            return "whole" if self._are_whole else "number"
        return "text"
