"""Check tables the way scikit-learn does, and remember their layout."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from sklearn.utils.validation import validate_data

from ostrya.preprocessing.sparse import as_dense
from ostrya.preprocessing.table import as_frame, as_rows


def check_table(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return `X` ready for a `TableEncoder`, or raise.

    It is not changed, and copied only where it is sparse. With `reset` the estimator
    gets ``n_features_in_`` and ``feature_names_in_``, as in `fit`; else the table is
    compared with them.
    """
    checked = _check(estimator, X, reset=reset)
    return checked.to_native() if isinstance(checked, nw.DataFrame) else checked


def check_new_rows(estimator: Any, X: Any) -> Any:
    """Return rows to predict, ready for a `TableEncoder`, or raise.

    A dataframe is returned as a frame of narwhals. Making that frame compares all names
    of columns, which takes longer than predicting one row; so it is made only once.
    """
    return _check(estimator, X, reset=False)


def _check(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return the array, or the frame of narwhals, that `X` is, or raise."""
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
    """Raise if an array of floats has an infinite one; says where."""
    array = np.asarray(rows)
    if array.dtype.kind != "f" or array.ndim != 2 or not np.isinf(array).any():
        return
    row, column = np.argwhere(np.isinf(array))[0].tolist()
    raise ValueError(
        f"Input X contains infinity in column {column}, row {row}; use a large finite "
        "number, or NaN for a missing value"
    ) from None


def _check_layout(estimator: Any, X: Any, names: list[Any], *, reset: bool) -> None:
    """Remember the names of a frame, or compare them with those remembered.

    scikit-learn before 1.9 reads the names of some libraries only; so what it does not
    read is done here.
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
            f"input_features should have length equal to number of features "
            f"({transformer.n_features_in_}), got {len(input_features)}"
        )
    seen = feature_names(transformer)
    if seen is not None and list(input_features) != list(seen):
        raise ValueError("input_features is not equal to feature_names_in_")
