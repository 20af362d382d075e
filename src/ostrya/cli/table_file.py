"""Read and write tables in files: CSV, plain or compressed, and Parquet.

Here, cells of a CSV file are text; `ostrya.cli.cells` interprets them.
"""

from __future__ import annotations

import csv
import gzip
import io
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Optional

import pyarrow as pa
import pyarrow.parquet as pq
import typer

from ostrya._whole_file import write_whole
from ostrya.cli.contents import read_content
from ostrya.cli.csv_file import no_rows, read_csv
from ostrya.cli.encoding import as_utf8
from ostrya.cli.messages import RefusalError, shown
from ostrya.cli.parquet_file import MAGIC, read_parquet
from ostrya.cli.sizes import NO_LIMIT, bytes_of, most_bytes_of_a_table

#: The table argument of `fit` and `predict`.
Data = Annotated[
    Path,
    typer.Argument(help="Table: CSV (also .gz) or Parquet; - is the standard input."),
]


def _max_size(text: Any) -> int:
    try:
        size = NO_LIMIT if text.strip().lower() == "none" else bytes_of(text)
    except (ValueError, OverflowError):
        size = 0
    if size < 1:
        raise typer.BadParameter(
            f"must be a size such as 500MiB or 2GiB, or none; got {shown(text)}."
        )
    return size


MaxSize = Annotated[
    Optional[int],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        parser=_max_size,
        metavar="SIZE",
        show_default="an eighth of the memory",
        help="Maximum size of the decompressed table, such as 2GiB, or none.",
    ),
]


class TableFile:
    """A table in a file.

    Parameters
    ----------
    path : Path
        The file; ``-`` is the standard input.
    max_size : int, default=None
        Maximum size of the table in bytes. If None, an eighth of the memory.
    encoding : str, default=None
        Encoding of a CSV file. If None, UTF-8.

    Attributes
    ----------
    path : Path
        The file.
    table : pyarrow.Table
        The columns. If `is_text`, all cells are text, also missing ones.
    is_text : bool
        True for CSV, whose cells have no types.
    has_decimal_comma : bool
        True if 0,5 may be a number, because commas do not separate cells.
    """

    def __init__(
        self, path: Path, max_size: int | None = None, encoding: str | None = None
    ) -> None:
        most = most_bytes_of_a_table() if max_size is None else max_size
        self.path = path
        content = read_content(path, most)
        self.is_text = not content.startswith(MAGIC)
        self.has_decimal_comma = False
        if self.is_text:
            content = as_utf8(path, content, encoding)
            self.table, separator = read_csv(path, content)
            self.has_decimal_comma = separator != ","
        elif encoding is not None:
            raise RefusalError(
                f"--encoding can only be used for CSV files, but {path} is a Parquet "
                "file. Omit --encoding"
            )
        else:
            self.table = read_parquet(path, content, most)
        if self.table.num_rows == 0:
            raise no_rows(path)

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.table.column_names)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def column(self, name: str) -> Any:
        """Return the column with this name."""
        return self.table.column(self._places[name])

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.table.num_rows)


def write_table(table: pa.Table, path: Path | None) -> str | None:
    """Write a table as Parquet or CSV, by suffix; without a path, return the CSV."""
    if path is not None and path.suffix == ".parquet":
        parquet = io.BytesIO()
        pq.write_table(table, parquet)
        write_whole(path, parquet.getvalue())
        return None
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(table.column_names)
    columns = [column.to_pylist() for column in table.columns]
    writer.writerows(zip(*columns, strict=True))
    if path is None:
        return sink.getvalue()
    content = sink.getvalue().encode()
    write_whole(path, gzip.compress(content) if path.suffix == ".gz" else content)
    return None
