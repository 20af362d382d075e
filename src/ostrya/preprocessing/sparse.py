"""Sparse tables, made dense where there is memory for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ostrya._memory import memory_size

_BYTES = 8  # of a number


def as_dense(estimator: Any, X: Any) -> Any:
    """Return a sparse matrix of scipy as an array, and any other table as it is.

    Raises
    ------
    ValueError
        When the array, or a dataframe of pandas with sparse columns once they are
        dense, would take more than the estimator's ``memory_limit``, by default half
        of the memory.
    """
    if sparse.issparse(X):
        if X.ndim != 2:
            raise ValueError(
                f"X must have 2 dimensions; got a sparse array of shape {X.shape}"
            )
        _require_memory(estimator, X.shape, type(X).__name__)
        # Scipy has no way to make an array of objects dense with its zeros missing.
        return np.asarray(X.toarray())
    # The types of all columns are looked at only if the table is too large: asking
    # pandas for them takes longer than predicting a row.
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
    limit_said = (
        f"memory_limit={limit} allows; raise it"
        if is_limit
        else f"half of the memory, {_in_units(most)}; raise memory_limit"
    )
    raise ValueError(
        f"X is a {what} of {shape[0]:,} x {shape[1]:,} numbers, {_in_units(needed)} "
        f"once dense, more than {limit_said}, or keep fewer columns, for example with "
        "sklearn.feature_selection.SelectKBest"
    )


def _in_units(size: int) -> str:
    """Return a number of bytes for people."""
    for unit in ("GiB", "MiB"):
        amount = size / 2 ** (30 if unit == "GiB" else 20)
        if amount >= 1:
            return f"{amount:,.1f} {unit}"
    return f"{size:,} bytes"
