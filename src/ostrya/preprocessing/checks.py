"""Validate tables as scikit-learn does, and remember their columns."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from sklearn.utils.validation import validate_data

from ostrya.preprocessing.sparse import as_dense
from ostrya.preprocessing.table import as_frame, as_rows


def check_table(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return `X` in a form that a `TableEncoder` reads, or raise.

    `X` is not modified, and copied only if it is sparse. With `reset=True`, as in
    `fit`, ``n_features_in_`` and ``feature_names_in_`` of the estimator are set;
    otherwise the table is compared with them.
    """
    checked = _check(estimator, X, reset=reset)
    return checked.to_native() if isinstance(checked, nw.DataFrame) else checked


def check_new_rows(estimator: Any, X: Any) -> Any:
    """Return rows to predict in a form that a `TableEncoder` reads, or raise.

    A dataframe is returned as a narwhals frame. Creating this frame compares all column
    names, which takes longer than predicting one row, so it is created only once.
    """
    return _check(estimator, X, reset=False)


def _check(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return `X` as an array or as a narwhals frame, or raise."""
    X = as_dense(estimator, X)
    frame = as_frame(X)
    if frame is None:
        rows = as_rows(X) if isinstance(X, (list, tuple, np.ndarray)) else X
        try:
            return validate_data(
                estimator, rows, reset=reset, dtype=None, ensure_all_finite="allow-nan"
            )
        except ValueError:
            _refuse_infinity(rows)
            raise
    n_rows, n_columns = frame.shape
    if n_rows == 0 or n_columns == 0:
        short = "sample" if n_rows == 0 else "feature"
        raise ValueError(
            f"Found array with 0 {short}(s) (shape={frame.shape}) while a minimum of 1 "
            f"is required by {type(estimator).__name__}."
        )
    _check_layout(estimator, frame.to_native(), list(frame.columns), reset=reset)
    return frame


def _refuse_infinity(rows: Any) -> None:
    """Raise if a float array contains infinity; the message gives the position."""
    array = np.asarray(rows)
    if array.dtype.kind != "f" or array.ndim != 2 or not np.isinf(array).any():
        return
    row, column = np.argwhere(np.isinf(array))[0].tolist()
    raise ValueError(
        f"Input X contains infinity in column {column}, row {row}. Replace it by a "
        "large finite number, or by NaN if the value is missing"
    ) from None


def _check_layout(estimator: Any, X: Any, names: list[Any], *, reset: bool) -> None:
    """Store the column names of a frame, or compare them with the stored ones.

    Before version 1.9, scikit-learn reads the column names of only some dataframe
    libraries; the names of all others are handled here.
    """
    has_names = all(isinstance(name, str) for name in names)
    fitted = feature_names(estimator)
    if not reset and fitted is not None and names == list(fitted):
        return
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    if reset and has_names:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    elif has_names and fitted is not None:
        raise ValueError(
            "The feature names should match those that were passed during fit: "
            f"{list(fitted)}; got {names}"
        )


def feature_names(estimator: Any) -> Any:
    """Return the names seen in `fit`, or None."""
    return getattr(estimator, "feature_names_in_", None)


def check_names_out(transformer: Any, input_features: Any) -> None:
    """Raise unless the names given to ``get_feature_names_out`` are those of `fit`."""
    if input_features is None:
        return
    if len(input_features) != transformer.n_features_in_:
        raise ValueError(
            "input_features should have length equal to number of features "
            f"({transformer.n_features_in_}), got {len(input_features)}"
        )
    seen = feature_names(transformer)
    if seen is not None and list(input_features) != list(seen):
        raise ValueError("input_features is not equal to feature_names_in_")
