"""``ostrya fit --lazy``: group the rows of files that do not fit in memory.

The files are read by polars, or by DuckDB if polars is not installed; both are extras.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Optional

import narwhals as nw
import numpy as np
import typer

from ostrya.cli.columns import kept_columns
from ostrya.cli.lazy_csv import CsvLayout, survey_csv
from ostrya.cli.messages import RefusalError, shown
from ostrya.preprocessing import CompressedTable, compress
from ostrya.preprocessing.compression.lazy_table import asking

PANEL = "Tables that do not fit in memory"
# Rows from which the types of CSV columns are inferred.
_ROWS_FOR_TYPES = 100_000

Lazy = Annotated[
    bool,
    typer.Option(
        "--lazy",
        rich_help_panel=PANEL,
        help="Group equal rows with polars or DuckDB, and search the groups. The file "
        "may be larger than the memory. It can be a folder of Parquet files.",
    ),
]


def _thresholds(text: Any) -> Any:
    if not isinstance(text, str) or text in ("auto", "all"):
        return text
    if not text.isdecimal() or int(text) < 1:
        raise typer.BadParameter(
            f"must be an integer >= 1, auto or all; got {shown(text)}."
        )
    return int(text)


Thresholds = Annotated[
    Optional[Any],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        "--thresholds",
        parser=_thresholds,
        metavar="NUMBER",
        rich_help_panel=PANEL,
        show_default="auto",
        help="With --lazy: maximum number of thresholds per column, at its quantiles. "
        "auto: as many as memory allows. all: every threshold.",
    ),
]


def read_groups(
    path: Path,
    target: str,
    drop: Iterable[str],
    category: Iterable[str],
    thresholds: Any,
) -> CompressedTable:
    """Return the groups of a file, or raise."""
    is_csv = _is_csv(path)
    layout = survey_csv(path, target, drop, category) if is_csv else None
    with _naming(path):
        frame = nw.from_native(_scan(path, layout))
        if layout is None:
            names = list(asking("read its columns", frame.collect_schema).names())
            kept_columns(path, names, target, set(drop), set(category))
        else:
            # After the survey, labels can only be missing in empty lines.
            frame = _trimmed(frame, layout).filter(~nw.col(target).is_null())
        frame = frame.drop(*drop).with_columns(
            nw.col(name).cast(nw.String) for name in category
        )
        groups = compress(frame.to_native(), target, thresholds=thresholds or "auto")
    if layout is not None and groups.n_rows != layout.n_rows:
        raise RefusalError(
            f"{path} has {layout.n_rows:,} rows, but the engine read "
            f"{groups.n_rows:,}. Save the file as Parquet, or omit --lazy"
        )
    return groups


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Add the file to error messages of an engine."""
    try:
        yield
    except ValueError as error:
        if error.__cause__ is None:
            raise
        cause = str(error.__cause__).strip() or type(error.__cause__).__name__
        raise RefusalError(f"{path} cannot be read: {cause.splitlines()[0]}") from None


def _trimmed(frame: Any, layout: CsvLayout) -> Any:
    """Remove the spaces around cells of a table."""
    types = {"whole": nw.Int64, "number": nw.Float64}
    columns = []
    for name, kind in layout.untrimmed.items():
        column = nw.col(name).str.strip_chars()
        if kind in types:
            column = column.cast(types[kind])
        columns.append(column)
    return frame.with_columns(columns)


def refuse_with_lazy(**options: Any) -> None:
    """Raise for options that need the rows in memory."""
    for name, value in options.items():
        if value is not None:
            flag = f"--{name.replace('_', '-')}"
            raise RefusalError(
                f"{flag} cannot be combined with --lazy, because it needs all rows in "
                "memory. Omit one of them"
            )


def accuracy_of(model: Any, groups: CompressedTable) -> float:
    """Return the accuracy of a model on the rows of all groups."""
    is_right = model.predict(groups.to_table()) == groups.labels
    return float(np.average(is_right, weights=groups.counts))


def _is_csv(path: Path) -> bool:
    """Return True for CSV and False for Parquet, by the file name, or raise."""
    if str(path) == "-":
        raise RefusalError("--lazy cannot read the standard input. Pass a file instead")
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    is_csv = ".csv" in path.suffixes
    if not is_csv and not path.is_dir() and path.suffix != ".parquet":
        raise RefusalError(
            "with --lazy, file names must end in .parquet, .csv or .csv.gz; got "
            f"{shown(path.name)}. Rename the file"
        )
    return is_csv


def _scan(path: Path, layout: CsvLayout | None) -> Any:
    """Return a file as a lazy table, without reading rows; CSV needs a layout."""
    place = str(path / "*.parquet") if path.is_dir() else str(path)
    try:
        import polars as pl
    except ImportError:
        return _scan_with_duckdb(place, layout)
    if layout is None:
        return pl.scan_parquet(place)
    types = {"whole": pl.Int64, "number": pl.Float64, "text": pl.String}
    return pl.scan_csv(
        place,
        separator=layout.separator,
        with_column_names=lambda _: layout.names,
        schema_overrides={
            name: types[kind] for name, kind in layout.types.items() if kind is not None
        },
        null_values=layout.missing or None,
        decimal_comma=layout.has_decimal_comma,
        infer_schema_length=_ROWS_FOR_TYPES,
        try_parse_dates=True,
    )


def _scan_with_duckdb(place: str, layout: CsvLayout | None) -> Any:
    try:
        import duckdb
    except ImportError:
        raise RefusalError(
            "--lazy requires polars or DuckDB. Install one of them, for example with: "
            "pip install 'ostrya[lazy]'"
        ) from None
    if layout is None:
        return duckdb.read_parquet(place)
    types = {"whole": "BIGINT", "number": "DOUBLE", "text": "VARCHAR"}
    return duckdb.read_csv(
        place,
        sep=layout.separator,
        header=True,
        names=layout.names,
        dtype={
            name: types[kind] for name, kind in layout.types.items() if kind is not None
        },
        na_values=layout.missing or [""],
        decimal="," if layout.has_decimal_comma else ".",
        sample_size=_ROWS_FOR_TYPES,
    )
