"""Convert sparse tables to dense arrays, if they fit in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ostrya._memory import memory_size

_BYTES = 8  # per number


def as_dense(estimator: Any, X: Any) -> Any:
    """Return a scipy sparse matrix as an array, and any other table unchanged.

    Raises
    ------
    ValueError
        If the dense table (of a sparse matrix, or of a pandas dataframe with sparse
        columns) would exceed the estimator's ``memory_limit``, by default half of the
        machine's memory.
    """
    if sparse.issparse(X):
        if X.ndim != 2:
            raise ValueError(
                f"X must have 2 dimensions; got a sparse array with shape {X.shape}"
            )
        _require_memory(estimator, X.shape, type(X).__name__)
        # Scipy cannot convert an array of objects so that absent entries are missing.
        return np.asarray(X.toarray())
    # Column types are examined only if the table is too large: reading them from
    # pandas takes longer than predicting a row.
    is_pandas = hasattr(type(X), "sparse") and hasattr(type(X), "dtypes")
    if is_pandas and _is_large(estimator, X.shape) and _has_sparse_columns(X):
        _require_memory(estimator, X.shape, "dataframe with sparse columns")
    return X


def _has_sparse_columns(frame: Any) -> bool:
    return any(type(dtype).__name__ == "SparseDtype" for dtype in frame.dtypes)


def _most_bytes(estimator: Any) -> int | None:
    limit = getattr(estimator, "memory_limit", None)
    size = memory_size()
    return limit if isinstance(limit, int) else None if size is None else size // 2


def _is_large(estimator: Any, shape: tuple[int, ...]) -> bool:
    """Return whether a dense table of this shape would exceed the memory limit."""
    most = _most_bytes(estimator)
    return most is not None and shape[0] * shape[1] * _BYTES > most


def _require_memory(estimator: Any, shape: tuple[int, ...], what: str) -> None:
    most = _most_bytes(estimator)
    if most is None or not _is_large(estimator, shape):
        return
    limit = getattr(estimator, "memory_limit", None)
    is_limit = isinstance(limit, int)
    needed = shape[0] * shape[1] * _BYTES
    allowed = (
        f"memory_limit={limit} bytes"
        if is_limit
        else f"{_in_units(most)}, half of the memory,"
    )
    raise ValueError(
        f"X must require at most {allowed} as a dense array; got a {what} of "
        f"{shape[0]:,} x {shape[1]:,} numbers, which requires {_in_units(needed)}. "
        "Increase memory_limit, or keep fewer columns, for example with "
        "sklearn.feature_selection.SelectKBest"
    )


def _in_units(size: int) -> str:
    """Return a number of bytes in readable units."""
    for unit in ("GiB", "MiB"):
        amount = size / 2 ** (30 if unit == "GiB" else 20)
        if amount >= 1:
            return f"{amount:,.1f} {unit}"
    return f"{size:,} bytes"
