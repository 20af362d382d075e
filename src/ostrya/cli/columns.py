"""Select the columns of a file: features, labels, and the columns of a model."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Optional

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import typer

from ostrya.cli.cells import Cells, as_fitted
from ostrya.cli.contents import is_stream, refuse_odd_file
from ostrya.cli.messages import RefusalError, missing_column, shown, warned_plainly
from ostrya.cli.table_file import TableFile
from ostrya.preprocessing.hints import TableHints

Target = Annotated[
    str, typer.Option(metavar="COLUMN", help="The column with the labels.")
]
Dropped = Annotated[
    Optional[list[str]],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        metavar="COLUMN", help="Ignore this column. The option can be repeated."
    ),
]
Categories = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        metavar="COLUMN",
        help="Treat this column as categories. The option can be repeated.",
    ),
]


def training_columns(
    file: TableFile, target: str, drop: Iterable[str], category: Iterable[str]
) -> tuple[pa.Table, Any]:
    """Return the features and the labels of a file, or raise.

    Parameters
    ----------
    file : TableFile
        The training rows.
    target : str
        The column with the labels.
    drop : iterable of str
        Columns to ignore.
    category : iterable of str
        Columns to treat as categories even if they look like numbers.
    """
    drop, category = set(drop), set(category)
    kept = kept_columns(file.path, file.names, target, drop, category)
    labels = _labels(file, target)
    distinct = pc.unique(labels)
    if len(distinct) == 1:
        raise single_label(target, distinct[0].as_py())
    require_classes(target, distinct)
    columns, hints = {}, TableHints()
    for name in kept:
        column = file.column(name)
        if name in category:
            column = _as_texts(name, column)
        if file.is_text:
            cells = Cells(name, column, file.has_decimal_comma)
            column = cells.categories() if name in category else cells.guessed()
            if cells.are_merged(column):
                hints.note_merged(name)
        elif name in category:
            column = column.dictionary_encode()
        columns[name] = column
    with warned_plainly():
        hints.warn()
    return pa.table(columns), labels


def kept_columns(
    path: Path, names: list[str], target: str, drop: set[str], category: set[str]
) -> list[str]:
    """Return the feature columns, or raise if the options contradict the table."""
    known = set(names)
    for name in (target, *sorted(drop), *sorted(category)):
        if name not in known:
            raise missing_column(name, names, path)
    _refuse_contradictions(target, drop, category)
    kept = [name for name in names if name != target and name not in drop]
    if not kept:
        raise RefusalError(
            f"{path} must have at least one feature column in addition to "
            f"{shown(target)}"
        )
    return kept


def single_label(target: str, label: Any) -> RefusalError:
    """Return the error for a target that is the same in all rows."""
    return RefusalError(
        f"column {shown(target)} must contain at least two different labels; got only "
        f"{shown(label)}"
    )


def fitted_columns(file: TableFile, model: Any) -> Any:
    """Return the columns on which a model was fitted, in its order, or raise."""
    features = model.encoder_.features
    if hasattr(model, "feature_names_in_"):
        names = [feature.name for feature in features]
        for name in names:
            if name not in file:
                raise missing_column(name, file.names, file.path)
    else:
        names = file.names
        if len(names) != len(features):
            raise RefusalError(
                f"{file.path} must have {len(features)} columns, as in fit; got "
                f"{len(names)}"
            )
    columns = []
    for feature, name in zip(features, names, strict=True):
        column = file.column(name)
        if file.is_text:
            column = as_fitted(feature, Cells(name, column, file.has_decimal_comma))
        columns.append(column)
    if hasattr(model, "feature_names_in_"):
        return pa.table(columns, names=names)
    # The model was fitted on an array, which has no names to compare.
    return np.array([column.to_pylist() for column in columns], dtype=object).T


def known_labels(file: TableFile, target: str, model: Any) -> list[Any]:
    """Return the labels in a column as labels of the model; None for missing ones.

    Labels that the model does not know are returned unchanged.
    """
    column = file.column(target)
    if not file.is_text:
        return list(column.to_pylist())
    texts = Cells(target, column, file.has_decimal_comma).known.to_pylist()
    # Each text separately: the type inferred from these rows may differ from training.
    labels = model.classes_.tolist()
    meant = {text: _meant(text, labels) for text in set(texts) if text is not None}
    return [None if text is None else meant[text] for text in texts]


def labelled_rows(
    model: Any, file: TableFile, rows: Any, target: str | None
) -> tuple[Any, list[Any]]:
    """Return the rows whose label is known, and these labels, or raise.

    Without `target` the result may be empty. `rows` is the result of `fitted_columns`.
    """
    name = target or getattr(model, "target_name_", None)
    if name is None or name not in file:
        if target is not None:
            raise missing_column(target, file.names, file.path)
        return rows[:0], []
    labels = known_labels(file, name, model)
    known = np.array([label is not None for label in labels], dtype=bool)
    if target is not None and not known.any():
        raise RefusalError(
            f"column {shown(target)} must contain at least one label; all its cells "
            "are missing"
        )
    kept = rows.filter(pa.array(known)) if isinstance(rows, pa.Table) else rows[known]
    return kept, [label for label in labels if label is not None]


def _meant(text: str, labels: list[Any]) -> Any:
    """Return the label that a text represents, or the text itself."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    for label in labels:
        if isinstance(label, bool):
            is_same = text.lower() == str(label).lower()
        else:
            is_same = text == str(label)
            is_same |= not isinstance(label, str) and label == number
        if is_same:
            return label
    return text


def label_names(model: Any) -> list[str]:
    """Return the labels of a model as texts."""
    return [str(label) for label in model.classes_.tolist()]


def require_writable(path: Path | None) -> None:
    """Raise if a file cannot be written, before any work is done."""
    if path is None:
        return
    if not path.absolute().parent.is_dir():
        raise RefusalError(f"{path}: the folder does not exist. Create it first")
    was_there = path.exists()
    if was_there and not (path.is_char_device() or is_stream(path)):
        refuse_odd_file(path, path.stat().st_mode, "a file to write")
    with path.open("ab"):  # does not change an existing file
        pass
    if not was_there:
        path.unlink()


def _refuse_contradictions(target: str, drop: set[str], category: set[str]) -> None:
    for flag, names in (("--drop", drop), ("--category", category)):
        if target in names:
            raise RefusalError(
                f"{flag} must not name the target; got {shown(target)}. Remove {flag}, "
                "or use another --target"
            )
    for name in sorted(drop & category):
        raise RefusalError(
            f"--drop and --category must not name the same column; got {shown(name)} "
            "for both"
        )


def _as_texts(name: str, column: Any) -> Any:
    try:
        return column.cast(pa.string())
    except pa.ArrowException:
        raise RefusalError(
            f"column {shown(name)} must have a type that can be converted to text for "
            f"--category; got {column.type}. Convert it, or drop it with --drop"
        ) from None


def _labels(file: TableFile, target: str) -> Any:
    column = file.column(target)
    if file.is_text:
        return Cells(target, column, file.has_decimal_comma).labels()
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py() + 1
        raise RefusalError(
            f"column {shown(target)} must contain a label in every row; got none in "
            f"row {row}. Drop rows without a label"
        )
    if not any(is_kind(column.type) for is_kind in _LABEL_KINDS):
        raise RefusalError(
            f"column {shown(target)} must contain strings, booleans or whole numbers "
            f"as labels; got type {column.type}. Convert the column first"
        )
    return column


_LABEL_KINDS = (
    *(pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating),
    *(pa.types.is_string, pa.types.is_large_string),
)


def require_classes(target: str, distinct: Any) -> None:
    """Raise if labels are numbers with fractions, that is, measurements."""
    if not pa.types.is_floating(distinct.type):
        return
    for value in distinct.to_pylist():
        if not math.isfinite(value) or value != int(value):
            raise RefusalError(
                f"column {shown(target)} must contain strings, booleans or whole "
                f"numbers as labels; got {value!r}. Divide the column into classes "
                "first"
            )
