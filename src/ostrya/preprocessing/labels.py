"""Labels as people have them, checked and made an array."""

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

# So many different numbers are measurements more often than classes.
MANY_NUMBERS = 100


def check_labels(y: Any, n_samples: int | None) -> npt.NDArray[Any]:
    """Return one label per row, of any one type, or raise.

    Labels are strings, booleans, integers, or floats that are whole numbers. If the
    number of rows is not known yet, `require_as_many` compares it later.
    """
    if not isinstance(y, np.ndarray):
        series = nw.from_native(y, pass_through=True, allow_series=True)
        if isinstance(series, nw.Series):
            y = _series_labels(series)
    if isinstance(y, (list, tuple, np.ndarray)):
        y = as_array("y", y, "Drop the rows without a label")
    labels: npt.NDArray[Any] = column_or_1d(y, warn=True)
    if n_samples is not None:
        require_as_many(labels, n_samples)
    if labels.dtype.kind == "O":
        labels = _object_labels(labels)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError(
            "Input y contains NaN or infinity; drop the rows without a label"
        )
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
        odd = labels[labels != np.floor(labels)][0]
        raise ValueError(
            f"Unknown label type: continuous. y holds numbers that are not whole, such "
            f"as {odd}, and this is a classifier; cut y into classes, for example with "
            "pandas.cut, or use a regressor"
        )
    if labels.dtype.kind not in "biu":  # whole numbers are classes, whichever
        # Sorting a million texts takes longer than reading most tables.
        is_text = labels.dtype.kind == "O"
        check_classification_targets(_distinct(labels) if is_text else labels)
    _hint_at_numbers(labels)
    return labels


def require_as_many(labels: npt.NDArray[Any], n_samples: int) -> None:
    """Raise unless there is one label per row."""
    if len(labels) != n_samples:
        raise ValueError(
            f"y must have one label per row of X: {n_samples}; got {len(labels)}"
        )


def _hint_at_numbers(labels: npt.NDArray[Any]) -> None:
    """Warn of labels that look like measurements."""
    if labels.dtype.kind not in "iuf":
        return
    count = len(np.unique(labels))
    if count >= MANY_NUMBERS:
        warn_caller(
            f"y holds {count:,} different whole numbers, each a class of its own here; "
            "if they are measurements, use a regressor, or cut y into classes, for "
            "example with pandas.cut"
        )


def _series_labels(series: Any) -> npt.NDArray[Any]:
    if series.is_null().any():
        raise ValueError("Input y contains NaN; drop the rows without a label")
    values: npt.NDArray[Any] = series.to_numpy()
    return values


def classes_of(
    labels: npt.NDArray[Any],
) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
    """Return the different labels, sorted, and the place of each row's among them."""
    if labels.dtype.kind != "O":
        classes, codes = np.unique(labels, return_inverse=True)
        return classes, codes
    places, levels = number_levels(labels.tolist())
    order = sorted(range(len(levels)), key=levels.__getitem__)
    classes = np.empty(len(levels), dtype=object)
    classes[:] = [levels[at] for at in order]
    return classes, np.argsort(order)[places]


def _distinct(labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the different objects among some labels, in the order they are met."""
    try:
        items = list(dict.fromkeys(labels.tolist()))
    except TypeError:  # lists, and others that have no hash
        return labels
    distinct = np.empty(len(items), dtype=object)
    distinct[:] = items
    return distinct


def _object_labels(labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array of Python objects as one of their own type, where there is."""
    items = _distinct(labels).tolist()
    for item in items:
        if item is None or item != item:
            raise ValueError("Input y contains NaN; drop the rows without a label")
    kinds = sorted({type(item).__name__ for item in items})
    n_texts = sum(isinstance(item, str) for item in items)
    if n_texts == len(items):
        return labels
    if n_texts > 0:
        raise TypeError(
            f"y must hold labels of one kind; got a mixture of {' and '.join(kinds)}. "
            "Make all of them texts, for example with [str(label) for label in y]"
        )
    values = labels
    if all(map(np.isscalar, items)):
        values = np.array(labels.tolist())
    if values.dtype.kind == "O":
        raise ValueError(
            f"Unknown label type: {' and '.join(kinds)}. y must hold strings, booleans "
            f"or whole numbers of 64 bits; got {picture(items[0])}. Convert them, for "
            "example with [str(label) for label in y]"
        )
    return values
