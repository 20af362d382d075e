"""Read and write tables in files: CSV, plain or compressed, and Parquet.

Cells of a CSV file are texts here; `ostrya.cli.cells` says what they mean. pyarrow
reads both kinds of file: it is strict about the shape of a CSV file, where others fill
short rows without a word, and its Parquet is the reference.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from ostrya.cli.messages import RefusalError

SEPARATORS = ",;\t|"
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"


class TableFile:
    """A table from a file.

    Attributes
    ----------
    path : Path
        The file.
    table : pyarrow.Table
        Its columns; texts, missing values included, when `is_text`.
    is_text : bool
        True for CSV, whose cells have no types.
    has_decimal_comma : bool
        True when cells may write one half as 0,5: commas do not separate them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        content = _content(path)
        self.is_text = not content.startswith(_PARQUET)
        self.has_decimal_comma = False
        if self.is_text:
            separator, names = _header(path, content)
            self.has_decimal_comma = separator != ","
            self.table = _read_csv(path, content, separator, names)
        else:
            self.table = _read_parquet(path, content)
        if self.table.num_rows == 0:
            raise RefusalError(f"{path} has a header but no rows")

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.table.column_names)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.table.num_rows)


def write_table(table: pa.Table, path: Path | None) -> str | None:
    """Write a table as Parquet or CSV, by suffix; return the CSV for no path."""
    if path is not None and path.suffix == ".parquet":
        pq.write_table(table, path)
        return None
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(table.column_names)
    columns = [column.to_pylist() for column in table.columns]
    writer.writerows(zip(*columns, strict=True))
    if path is None:
        return sink.getvalue()
    content = sink.getvalue().encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return None


def _content(path: Path) -> bytes:
    if not path.exists():
        raise RefusalError(f"{path}: no such file")
    if path.is_dir():
        raise RefusalError(f"{path} is a folder; name a CSV or Parquet file")
    content = path.read_bytes()
    if content.startswith(_GZIP):
        try:
            content = gzip.decompress(content)
        except (EOFError, OSError, zlib.error) as error:
            raise RefusalError(f"{path} is no whole gzip file: {error}") from None
    if not content.strip():
        raise RefusalError(f"{path} is empty")
    return content


def _header(path: Path, content: bytes) -> tuple[str, list[str]]:
    """Return what separates the cells, and the names in the first row."""
    try:
        line = content.split(b"\n", 1)[0].decode("utf-8-sig").rstrip("\r")
    except UnicodeDecodeError:
        raise _not_text(path) from None
    separator = max(SEPARATORS, key=lambda char: (line.count(char), char == ","))
    names = next(csv.reader([line], delimiter=separator), [])
    names = [name.strip() or f"column {i + 1}" for i, name in enumerate(names)]
    for name in names:
        if names.count(name) > 1:
            raise RefusalError(f"{path} names the column {name!r} twice; rename one")
    return separator, names


def _read_csv(path: Path, content: bytes, separator: str, names: list[str]) -> pa.Table:
    odd: list[Any] = []

    def keep(row: Any) -> str:
        odd.append(row)
        return "error"

    try:
        return pacsv.read_csv(
            io.BytesIO(content),
            # One thread, for threads do not know the number of an odd row.
            pacsv.ReadOptions(use_threads=False, column_names=names, skip_rows=1),
            pacsv.ParseOptions(
                delimiter=separator, newlines_in_values=True, invalid_row_handler=keep
            ),
            pacsv.ConvertOptions(
                column_types={name: pa.string() for name in names},
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as error:
        if odd:
            # Rows count from 1 below the header; pyarrow counts lines of the file.
            raise RefusalError(
                f"{path}, row {odd[0].number - 1} has {odd[0].actual_columns} cells; "
                f"the header has {odd[0].expected_columns}"
            ) from None
        if "Empty CSV" in str(error):
            raise RefusalError(f"{path} has a header but no rows") from None
        if "UTF8" in str(error):
            raise _not_text(path) from None
        raise RefusalError(f"{path} is no readable CSV: {error}") from None


def _read_parquet(path: Path, content: bytes) -> pa.Table:
    try:
        return pq.read_table(pa.BufferReader(content))
    except (pa.ArrowException, OSError) as error:
        raise RefusalError(f"{path} is no readable Parquet file: {error}") from None


def _not_text(path: Path) -> RefusalError:
    return RefusalError(f"{path} is not text in UTF-8; save it as UTF-8 or Parquet")
