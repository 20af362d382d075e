"""Read CSV files: names from the first row, all cells as text.

The rows are read by pyarrow, which rejects rows of unequal length; other readers fill
short rows silently.
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
#: Each column needs thousands of bytes, even if there are few rows.
MOST_COLUMNS = 100_000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_QUOTED = re.compile('"[^"]*"')
# A row must fit into a block; blocks grow until it does, up to the limit of pyarrow.
_BLOCK, _LARGEST_BLOCK = 2**20, 2**31 - 1
# The default limit of the csv module is 131,072 characters per cell.
_LONGEST_CELL = 2**31 - 1


def read_csv(path: Path, content: bytes) -> tuple[pa.Table, str]:
    """Return a table of texts, and the separator of its cells; or raise."""
    if b"\0" in content or not _is_utf8(content):  # UTF-16 contains zeros
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
    """Remove empty lines above the header, which would count as rows."""
    return content.removeprefix(_BYTE_ORDER_MARK).lstrip(b"\r\n")


def larger_block(path: Path, block: int, size: int) -> int:
    """Return the next larger block, or raise if rows of a file cannot be that long.

    The file has `size` bytes.
    """
    if block > size:  # pyarrow raises the same error if there is no end of a row
        raise RefusalError(
            f"{path} must have at least one row below the header; got none. Check for "
            "a missing line end or an unclosed quote"
        ) from None
    if block == _LARGEST_BLOCK:
        raise RefusalError(
            f"{path} has a row of more than 2 GiB. Check for an unclosed quote"
        ) from None
    return min(16 * block, _LARGEST_BLOCK)


def refuse_odd_names(path: Path, names: list[str]) -> None:
    """Raise if a name occurs twice, or if there are too many columns."""
    if len(names) > MOST_COLUMNS:
        raise RefusalError(
            f"{path} must have at most {MOST_COLUMNS:,} columns; got {len(names):,}. "
            "Remove some of them"
        )
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        remedy = "Rename one of them"
        if _is_number(name):
            remedy = "If the first row contains values, add a row with column names"
        raise RefusalError(
            f"{path} must have distinct column names; got {shown(name)} twice. {remedy}"
        )


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _is_utf8(content: bytes) -> bool:
    """Return True if bytes are valid UTF-8, without copying them.

    The check of pyarrow covers only cells. It decodes the text of an invalid row before
    it reports the row, and prints a traceback if that fails.
    """
    ends = pa.array([0, len(content)], pa.int64()).buffers()[1]
    text = pa.LargeStringArray.from_buffers(1, ends, pa.py_buffer(content))
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


class RowTooLongError(Exception):
    """A row does not fit into a block."""


def read_header(path: Path, content: bytes) -> tuple[str, list[str]]:
    """Return the separator of the cells, and the names in the first row."""
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        # Line ends are not converted, because the reader of rows accepts all kinds.
        lines = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
        line = _QUOTED.sub("", lines.readline())
        separator = max(SEPARATORS, key=lambda char: (line.count(char), char == ","))
        lines.seek(0)
        names = next(csv.reader(lines, delimiter=separator))
    except csv.Error as error:
        raise RefusalError(f"{path}: the header cannot be read: {error}") from None
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
    """Enter a context with pyarrow's options for text cells; translate its errors.

    Raises
    ------
    RowTooLongError
        If a row does not fit into a block.
    """
    odd: list[Any] = []

    def keep(row: Any) -> str:
        odd.append(row)
        return "error"

    try:
        yield (
            # With several threads, pyarrow does not know the number of an invalid row.
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
                check_utf8=False,  # checked by `_is_utf8`
            ),
        )
    except pa.ArrowInvalid as error:
        if odd:
            # Rows are counted from 1 below the header; pyarrow counts lines.
            raise RefusalError(
                f"{path} must have {odd[0].expected_columns} cells in every row, as in "
                f"the header; got {odd[0].actual_columns} in row {odd[0].number - 1}"
            ) from None
        if "block" in str(error):  # "straddling object straddles two block boundaries"
            raise RowTooLongError from None
        if "Empty CSV" in str(error):
            raise no_rows(path) from None
        raise RefusalError(f"{path} cannot be read as CSV: {error}") from None


def no_rows(path: Path) -> RefusalError:
    """Return the error for a table without rows."""
    return RefusalError(f"{path} must have at least one row below the header; got none")
