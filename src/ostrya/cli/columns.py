"""The columns of a file: those to learn from, the labels, those a model wants."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ostrya.cli.cells import Cells, as_fitted
from ostrya.cli.messages import RefusalError, missing_column
from ostrya.cli.table_file import TableFile


def training_columns(
    file: TableFile, target: str, drop: Iterable[str], category: Iterable[str]
) -> tuple[pa.Table, Any]:
    """Return the features and the labels of a file, or refuse.

    Parameters
    ----------
    file : TableFile
        The training rows.
    target : str
        The column of the labels.
    drop : iterable of str
        Columns to leave out.
    category : iterable of str
        Columns whose cells are categories even where they look like numbers.
    """
    drop, category = set(drop), set(category)
    for name in (target, *sorted(drop), *sorted(category)):
        if name not in file.names:
            raise missing_column(name, file.names, file.path)
    kept = [name for name in file.names if name != target and name not in drop]
    if not kept:
        raise RefusalError(f"{file.path} has no column but {target!r} to learn from")
    labels = _labels(file, target)
    distinct = pc.unique(labels)
    if len(distinct) == 1:
        raise RefusalError(
            f"column {target!r} has one value only, {distinct[0].as_py()!r}; there is "
            "nothing to learn"
        )
    _require_classes(target, distinct)
    columns = {}
    for name in kept:
        column = file.table.column(name)
        if name in category:
            column = column.cast(pa.string())
        if file.is_text:
            cells = Cells(name, column, file.has_decimal_comma)
            column = cells.known if name in category else cells.guessed()
        columns[name] = column
    return pa.table(columns), labels


def fitted_columns(file: TableFile, model: Any) -> Any:
    """Return the columns that a model was fitted on, in its order, or refuse."""
    features = model.encoder_.features
    if hasattr(model, "feature_names_in_"):
        names = [feature.name for feature in features]
        for name in names:
            if name not in file.names:
                raise missing_column(name, file.names, file.path)
    else:
        names = file.names
        if len(names) != len(features):
            raise RefusalError(
                f"{file.path} has {len(names)} columns; the model wants {len(features)}"
            )
    columns = []
    for feature, name in zip(features, names, strict=True):
        column = file.table.column(name)
        if file.is_text:
            column = as_fitted(feature, Cells(name, column, file.has_decimal_comma))
        columns.append(column)
    if hasattr(model, "feature_names_in_"):
        return pa.table(columns, names=names)
    # Fitted on an array, which has no names to compare.
    return np.array([column.to_pylist() for column in columns], dtype=object).T


def label_names(model: Any) -> list[str]:
    """Return the labels of a model as texts."""
    return [str(label) for label in model.classes_.tolist()]


def require_writable(path: Path | None) -> None:
    """Refuse, before any work is done, a file that could not be written after it."""
    if path is None:
        return
    if path.is_dir():
        raise RefusalError(f"{path} is a folder; name a file to write")
    if not path.absolute().parent.is_dir():
        raise RefusalError(f"{path}: its folder does not exist; make it first")
    was_there = path.exists()
    with path.open("ab"):  # leaves what is there as it is
        pass
    if not was_there:
        path.unlink()


def _labels(file: TableFile, target: str) -> Any:
    column = file.table.column(target)
    if file.is_text:
        return Cells(target, column, file.has_decimal_comma).labels()
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py() + 1
        raise RefusalError(
            f"column {target!r}, row {row} has no label; drop the rows without"
        )
    return column


def _require_classes(target: str, distinct: Any) -> None:
    """Refuse labels that are measurements."""
    if not pa.types.is_floating(distinct.type):
        return
    for value in distinct.to_pylist():
        if value != value or value != int(value):
            raise RefusalError(
                f"column {target!r} holds {value!r}; labels are names, booleans or "
                "whole numbers, so cut the column into classes first"
            )
