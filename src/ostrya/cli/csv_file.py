"""Read CSV: names from the first row, every cell a text.

pyarrow reads the rows: it is strict about the shape of a file, where others fill short
rows without a word.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from ostrya.cli.encoding import not_utf8
from ostrya.cli.messages import RefusalError, shown

SEPARATORS = ",;\t|"
#: A column takes thousands of bytes however few rows it has.
MOST_COLUMNS = 100_000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_QUOTED = re.compile('"[^"]*"')
# A row must fit a block; blocks grow until it does, up to what pyarrow takes.
_BLOCK, _LARGEST_BLOCK = 2**20, 2**31 - 1
# The csv module takes cells of 131,072 characters unless told otherwise.
_LONGEST_CELL = 2**31 - 1


def read_csv(path: Path, content: bytes) -> tuple[pa.Table, str]:
    """Return a table of texts, and what separates its cells; or refuse."""
    if b"\0" in content or not _is_utf8(content):  # UTF-16 has zeros
        raise not_utf8(path, content)
    content = without_empty_start(content)
    if not content:
        raise RefusalError(f"{path} is empty")
    separator, names = read_header(path, content)
    block = _BLOCK
    while True:
        try:
            return _read_rows(path, content, separator, names, block), separator
        except RowTooLongError:
            block = larger_block(path, block, len(content))


def without_empty_start(content: bytes) -> bytes:
    """Return a text without empty lines above the header: they would count as rows."""
    return content.removeprefix(_BYTE_ORDER_MARK).lstrip(b"\r\n")


def larger_block(path: Path, block: int, size: int) -> int:
    """Return a block for rows that do not fit this one; refuse where there is none.

    The file has `size` bytes.
    """
    if block > size:  # pyarrow says so too where no row ends
        raise RefusalError(
            f"{path} has a header but no rows; is a line end missing, or is a "
            "quote left open?"
        ) from None
    if block == _LARGEST_BLOCK:
        raise RefusalError(
            f"{path} has a row of more than 2 GiB; is a quote left open?"
        ) from None
    return min(16 * block, _LARGEST_BLOCK)


def refuse_odd_names(path: Path, names: list[str]) -> None:
    """Refuse names that are given twice, and tables of too many columns."""
    if len(names) > MOST_COLUMNS:
        raise RefusalError(
            f"{path} has {len(names):,} columns; at most {MOST_COLUMNS:,} are read, so "
            "leave some out"
        )
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        remedy = "rename one"
        if _is_number(name):
            remedy = "if its first row holds values, add a row of column names above it"
        raise RefusalError(f"{path} names the column {shown(name)} twice; {remedy}")


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _is_utf8(content: bytes) -> bool:
    """Say whether bytes are UTF-8, without a copy of them.

    pyarrow would say so of cells alone: of an odd row it decodes the text before it
    hands it over, and where that fails it prints a traceback.
    """
    ends = pa.array([0, len(content)], pa.int64()).buffers()[1]
    text = pa.LargeStringArray.from_buffers(1, ends, pa.py_buffer(content))
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


class RowTooLongError(Exception):
    """A row does not fit a block."""


def read_header(path: Path, content: bytes) -> tuple[str, list[str]]:
    """Return what separates the cells, and the names in the first row."""
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        # Line ends are left as they are: the reader of rows knows all three kinds.
        lines = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
        line = _QUOTED.sub("", lines.readline())
        separator = max(SEPARATORS, key=lambda char: (line.count(char), char == ","))
        lines.seek(0)
        names = next(csv.reader(lines, delimiter=separator))
    except csv.Error as error:
        raise RefusalError(f"{path} has no readable header: {error}") from None
    finally:
        csv.field_size_limit(limit)
    names = [name.strip() or f"column {i + 1}" for i, name in enumerate(names)]
    refuse_odd_names(path, names)
    return separator, names


def _read_rows(
    path: Path, content: bytes, separator: str, names: list[str], block: int
) -> pa.Table:
    with reading_rows(path, separator, names, block) as options:
        return pacsv.read_csv(pa.BufferReader(content), *options)


@contextlib.contextmanager
def reading_rows(
    path: Path, separator: str, names: list[str], block: int
) -> Iterator[tuple[Any, Any, Any]]:
    """Give pyarrow's options for a file whose cells are texts, or refuse what it says.

    Raises
    ------
    RowTooLongError
        When a row does not fit a block.
    """
    odd: list[Any] = []

    def keep(row: Any) -> str:
        odd.append(row)
        return "error"

    try:
        yield (
            # One thread, for threads do not know the number of an odd row.
            pacsv.ReadOptions(
                use_threads=False,
                column_names=names,
                skip_rows_after_names=1,
                block_size=block,
            ),
            pacsv.ParseOptions(
                delimiter=separator, newlines_in_values=True, invalid_row_handler=keep
            ),
            pacsv.ConvertOptions(
                column_types={name: pa.string() for name in names},
                strings_can_be_null=False,
                check_utf8=False,  # all of it was, see `_is_utf8`
            ),
        )
    except pa.ArrowInvalid as error:
        if odd:
            # Rows count from 1 below the header; pyarrow counts lines of the file.
            raise RefusalError(
                f"{path}, row {odd[0].number - 1} has {odd[0].actual_columns} cells; "
                f"the header has {odd[0].expected_columns}"
            ) from None
        if "block" in str(error):  # "straddling object straddles two block boundaries"
            raise RowTooLongError from None
        if "Empty CSV" in str(error):
            raise RefusalError(f"{path} has a header but no rows") from None
        raise RefusalError(f"{path} is no readable CSV: {error}") from None
