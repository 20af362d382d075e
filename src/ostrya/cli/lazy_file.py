"""``ostrya fit --lazy``: files that do not fit in memory, grouped where they lie.

polars reads them, or DuckDB where there is no polars; both are extras.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Optional

import narwhals as nw
import numpy as np
import typer

from ostrya.cli.messages import RefusalError, missing_column, shown
from ostrya.preprocessing import CompressedTable, compress
from ostrya.preprocessing.compression.lazy_table import asking
from ostrya.preprocessing.written import MISSING

PANEL = "Tables that do not fit in memory"
# Rows from which the type of a column of CSV is told.
_ROWS_FOR_TYPES = 100_000

Lazy = Annotated[
    bool,
    typer.Option(
        "--lazy",
        rich_help_panel=PANEL,
        help="Let polars or DuckDB count equal rows, and search these groups. The file "
        "may be larger than the memory; a folder of Parquet files will do.",
    ),
]


def _thresholds(text: Any) -> Any:
    if not isinstance(text, str) or text in ("auto", "all"):
        return text
    if not text.isdecimal() or int(text) < 1:
        raise typer.BadParameter(f"{text!r} is no number >= 1, nor auto or all")
    return int(text)


Thresholds = Annotated[
    Optional[Any],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        "--thresholds",
        parser=_thresholds,
        metavar="NUMBER",
        rich_help_panel=PANEL,
        show_default="auto",
        help="With --lazy: most thresholds of a column, at its quantiles; auto: as "
        "many as memory allows; all: every one.",
    ),
]


def read_groups(
    path: Path,
    target: str,
    drop: Iterable[str],
    category: Iterable[str],
    thresholds: Any,
) -> CompressedTable:
    """Return the groups of a file, or refuse."""
    frame = nw.from_native(_scan(path))
    names = list(asking("read its columns", frame.collect_schema).names())
    for name in (target, *drop, *category):
        if name not in names:
            raise missing_column(name, names, path)
    frame = frame.drop(*drop).with_columns(
        nw.col(name).cast(nw.String) for name in category
    )
    return compress(frame.to_native(), target, thresholds=thresholds or "auto")


def refuse_with_lazy(**options: Any) -> None:
    """Refuse options that need the rows themselves."""
    for name, value in options.items():
        if value is not None:
            flag = f"--{name.replace('_', '-')}"
            raise RefusalError(f"{flag} needs all rows in memory; leave out --lazy")


def accuracy_of(model: Any, groups: CompressedTable) -> float:
    """Return the share of the rows of all groups that a model gets right."""
    is_right = model.predict(groups.to_table()) == groups.labels
    return float(np.average(is_right, weights=groups.counts))


def _scan(path: Path) -> Any:
    """Return a file as a lazy table, with nothing read yet."""
    if str(path) == "-":
        raise RefusalError("--lazy reads files, not the standard input; name a file")
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    is_csv = ".csv" in path.suffixes
    if not is_csv and not path.is_dir() and path.suffix != ".parquet":
        raise RefusalError(
            f"{shown(path.name)}: --lazy tells files by their names, which must end in "
            ".parquet, .csv or .csv.gz; rename it"
        )
    place = str(path / "*.parquet") if path.is_dir() else str(path)
    missing = sorted({*MISSING, "NA", "N/A", "NaN", "NULL", "Null", "None"})
    try:
        import polars as pl
    except ImportError:
        return _scan_with_duckdb(place, missing, is_csv=is_csv)
    if not is_csv:
        return pl.scan_parquet(place)
    return pl.scan_csv(
        place,
        null_values=missing,
        infer_schema_length=_ROWS_FOR_TYPES,
        try_parse_dates=True,
    )


def _scan_with_duckdb(place: str, missing: list[str], *, is_csv: bool) -> Any:
    try:
        import duckdb
    except ImportError:
        raise RefusalError(
            "--lazy needs polars or DuckDB; install one, as in pip install "
            "'ostrya[lazy]'"
        ) from None
    if is_csv:
        return duckdb.read_csv(place, na_values=missing, sample_size=_ROWS_FOR_TYPES)
    return duckdb.read_parquet(place)
