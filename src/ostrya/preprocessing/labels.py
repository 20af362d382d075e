"""Validate labels and convert them to an array."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from ostrya._arguments import as_array, picture
from ostrya._warn_caller import warn_caller
from ostrya.preprocessing.column import number_levels

# This many different numbers are more often measurements than classes.
MANY_NUMBERS = 100


def check_labels(y: Any, n_samples: int | None) -> npt.NDArray[Any]:
    """Return one label per row, all of one type, or raise.

    Labels are strings, booleans, integers, or floats that are whole numbers. If the
    number of rows is not known yet, call `require_as_many` later.
    """
    if not isinstance(y, np.ndarray):
        series = nw.from_native(y, pass_through=True, allow_series=True)
        if isinstance(series, nw.Series):
            y = _series_labels(series)
    if isinstance(y, (list, tuple, np.ndarray)):
        y = as_array("y", y, "Drop rows without a label")
    labels: npt.NDArray[Any] = column_or_1d(y, warn=True)
    if n_samples is not None:
        require_as_many(labels, n_samples)
    if labels.dtype.kind == "O":
        labels = _object_labels(labels)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError("Input y contains NaN or infinity. Drop rows without a label")
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
        odd = labels[labels != np.floor(labels)][0]
        raise ValueError(
            "Unknown label type: continuous. y must contain whole numbers, strings or "
            f"booleans; got {odd}. Divide y into classes, for example with pandas.cut, "
            "or use a regressor"
        )
    if labels.dtype.kind not in "biu":  # any whole numbers can be classes
        # Only distinct texts are checked: sorting all of them would be slow.
        is_text = labels.dtype.kind == "O"
        check_classification_targets(_distinct(labels) if is_text else labels)
    _hint_at_numbers(labels)
    return labels


def require_as_many(labels: npt.NDArray[Any], n_samples: int) -> None:
    """Raise unless there is one label per row."""
    if len(labels) != n_samples:
        raise ValueError(
            f"y must have one label per row of X ({n_samples}); got {len(labels)}"
        )


def _hint_at_numbers(labels: npt.NDArray[Any]) -> None:
    """Warn if labels look like measurements."""
    if labels.dtype.kind not in "iuf":
        return
    count = len(np.unique(labels))
    if count >= MANY_NUMBERS:
        warn_caller(
            f"y contains {count:,} different whole numbers, and each is treated as a "
            "class. If they are measurements, use a regressor, or divide y into "
            "classes, for example with pandas.cut"
        )


def _series_labels(series: Any) -> npt.NDArray[Any]:
    if series.is_null().any():
        raise ValueError("Input y contains NaN. Drop rows without a label")
    values: npt.NDArray[Any] = series.to_numpy()
    return values


def classes_of(
    labels: npt.NDArray[Any],
) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
    """Return the distinct labels, sorted, and the index of each row's label."""
    if labels.dtype.kind != "O":
        classes, codes = np.unique(labels, return_inverse=True)
        return classes, codes
    places, levels = number_levels(labels.tolist())
    order = sorted(range(len(levels)), key=levels.__getitem__)
    classes = np.empty(len(levels), dtype=object)
    classes[:] = [levels[at] for at in order]
    return classes, np.argsort(order)[places]


def _distinct(labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the distinct labels in order of first appearance."""
    try:
        items = list(dict.fromkeys(labels.tolist()))
    except TypeError:  # lists and other unhashable objects
        return labels
    distinct = np.empty(len(items), dtype=object)
    distinct[:] = items
    return distinct


def _object_labels(labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array of Python objects with their common dtype, if they have one."""
    items = _distinct(labels).tolist()
    for item in items:
        if item is None or item != item:
            raise ValueError("Input y contains NaN. Drop rows without a label")
    kinds = sorted({type(item).__name__ for item in items})
    n_texts = sum(isinstance(item, str) for item in items)
    if n_texts == len(items):
        return labels
    if n_texts > 0:
        raise TypeError(
            f"y must contain labels of one type; got a mixture of "
            f"{' and '.join(kinds)}. Convert all of them to strings, for example with "
            "[str(label) for label in y]"
        )
    values = labels
    if all(map(np.isscalar, items)):
        values = np.array(labels.tolist())
    if values.dtype.kind == "O":
        raise ValueError(
            f"Unknown label type: {' and '.join(kinds)}. y must contain strings, "
            f"booleans or 64-bit integers; got {picture(items[0])}. Convert them, for "
            "example with [str(label) for label in y]"
        )
    return values
