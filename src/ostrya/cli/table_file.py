"""Read and write tables in files: CSV, plain or compressed, and Parquet.

Cells of a CSV file are texts here; `ostrya.cli.cells` says what they mean.
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
from ostrya.cli.csv_file import read_csv
from ostrya.cli.encoding import as_utf8
from ostrya.cli.messages import RefusalError
from ostrya.cli.parquet_file import MAGIC, read_parquet
from ostrya.cli.sizes import NO_LIMIT, bytes_of, most_bytes_of_a_table

#: What `fit` and `predict` are given.
Data = Annotated[
    Path, typer.Argument(help="CSV (also .gz) or Parquet; - is the standard input.")
]


def _max_size(text: Any) -> int:
    try:
        size = NO_LIMIT if text.strip().lower() == "none" else bytes_of(text)
    except (ValueError, OverflowError):
        size = 0
    if size < 1:
        raise typer.BadParameter(f"{text!r} is no size such as 500MiB or 2GiB, or none")
    return size


MaxSize = Annotated[
    Optional[int],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        parser=_max_size,
        metavar="SIZE",
        show_default="an eighth of the memory",
        help="Most bytes of the table once decompressed, such as 2GiB, or none.",
    ),
]


class TableFile:
    """A table from a file.

    Parameters
    ----------
    path : Path
        The file; ``-`` is the standard input.
    max_size : int, default=None
        Most bytes of the table. None: as many as suit the memory.
    encoding : str, default=None
        Encoding of a CSV file. None: UTF-8.

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
                f"--encoding is for CSV files, and {path} is a Parquet file; leave out "
                "--encoding"
            )
        else:
            self.table = read_parquet(path, content, most)
        if self.table.num_rows == 0:
            raise RefusalError(f"{path} has a header but no rows")

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
        """Return the column of this name."""
        return self.table.column(self._places[name])

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.table.num_rows)


def write_table(table: pa.Table, path: Path | None) -> str | None:
    """Write a table as Parquet or CSV, by suffix; return the CSV for no path."""
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
