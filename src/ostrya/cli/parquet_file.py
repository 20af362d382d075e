"""Read Parquet files, whose tables may be much larger than the files.

A column that repeats one value uses a few bytes in the file, but any amount of memory.
So rows are read a few thousand at a time, strings as codes of the dictionary in the
file, and their size in memory is added up before they are decoded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ostrya.cli.contents import too_large
from ostrya.cli.csv_file import refuse_odd_names
from ostrya.cli.messages import RefusalError

MAGIC = b"PAR1"
_ROWS_AT_ONCE = 8192
_WIDTHS = {
    "BOOLEAN": 1 / 8,
    "INT32": 4,
    "INT64": 8,
    "INT96": 8,
    "FLOAT": 4,
    "DOUBLE": 8,
}


def read_parquet(path: Path, content: bytes, most: int) -> pa.Table:
    """Return the table in a Parquet file, or raise.

    Parameters
    ----------
    path : Path
        The file, for messages.
    content : bytes
        The content of the file.
    most : int
        Maximum size of the table in memory, in bytes.
    """
    try:
        # Without pre-buffering and threads: the threads of pyarrow's scanner, which
        # `pq.read_table` starts, may still run when Python exits, which aborts the
        # program (apache/arrow issue 34314).
        file = pq.ParquetFile(pa.BufferReader(content), pre_buffer=False)
        refuse_odd_names(path, file.schema_arrow.names or [""])
        _refuse_bomb(path, file.metadata, most)
        texts = [field.name for field in file.schema_arrow if _is_text(field.type)]
        file = pq.ParquetFile(
            pa.BufferReader(content), pre_buffer=False, read_dictionary=texts
        )
        return _spelled_out(_read(path, file, most), set(texts))
    except (pa.ArrowException, OSError) as error:
        raise RefusalError(f"{path} cannot be read as Parquet: {error}") from None


def _refuse_bomb(path: Path, metadata: Any, most: int) -> None:
    """Raise if a table is too large according to the metadata of its file.

    The metadata of single chunks is not read, because pyarrow aborts the program if it
    is damaged.
    """
    # A code uses four bytes; its text is at least once in the file.
    schema = metadata.schema
    width = sum(
        _WIDTHS.get(schema.column(place).physical_type, 4)
        for place in range(metadata.num_columns)
    )
    size = 0.0
    for group in range(metadata.num_row_groups):
        part = metadata.row_group(group)
        size += max(width * part.num_rows, part.total_byte_size)
    if size > most:
        raise too_large(path, int(size), most)


def _read(path: Path, file: Any, most: int) -> pa.Table:
    batches: list[Any] = []
    size = 0
    for batch in file.iter_batches(_ROWS_AT_ONCE, use_threads=False):
        size += sum(_bytes_in_memory(column) for column in batch.columns)
        if size > most:
            n_rows = sum(len(kept) for kept in batches) + len(batch)
            whole = int(size / n_rows * max(file.metadata.num_rows, n_rows))
            raise too_large(path, whole, most)
        batches.append(batch)
    return pa.Table.from_batches(batches, file.schema_arrow)


def _is_text(kind: Any) -> bool:
    return any(
        is_kind(kind)
        for is_kind in (
            *(pa.types.is_string, pa.types.is_large_string),
            *(pa.types.is_binary, pa.types.is_large_binary),
            *(pa.types.is_string_view, pa.types.is_binary_view),
        )
    )


def _bytes_in_memory(column: Any) -> int:
    """Return the bytes of a column after its strings are decoded."""
    kind = column.type
    if not (pa.types.is_dictionary(kind) and _is_text(kind.value_type)):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary).take(column.indices)
    return 4 * len(column) + (pc.sum(lengths).as_py() or 0)


def _spelled_out(table: pa.Table, names: set[str]) -> pa.Table:
    """Decode the strings in the columns with these names."""
    columns = [
        column.cast(column.type.value_type) if name in names else column
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    return pa.table(columns, names=table.column_names)
