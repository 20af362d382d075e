"""Validate sample weights and misclassification costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import (
    as_array,
    as_numbers,
    check_number,
    require_ndim,
    require_nonnegative,
)

Floats = npt.NDArray[np.float64]
# A cost matrix of this many classes takes 8 MiB.
MOST_CLASSES = 1024


def check_weight(name: str, value: Any) -> float:
    """Return a single weight as a float, or raise."""
    return check_number(
        name, value, "a finite number >= 0", lambda weight: 0 <= weight < np.inf
    )


def check_smoothing(value: Any) -> float:
    """Return the pseudo-rows of each class as a float, or raise."""
    return check_weight("smoothing", value)


def check_sample_weight(sample_weight: Any, n_samples: int) -> Floats | None:
    """Return one weight >= 0 per row, not all 0; None for None; or raise."""
    if sample_weight is None:
        return None
    array = as_array("sample_weight", sample_weight)
    if array.dtype.kind not in "biufO":
        raise TypeError(
            "sample_weight must contain numbers >= 0; got "
            f"{type(sample_weight).__name__} with dtype {array.dtype}"
        )
    if array.shape != (n_samples,):
        raise ValueError(
            f"sample_weight must have shape ({n_samples},), one weight per row of X; "
            f"got shape {array.shape}"
        )
    if array.dtype.kind == "O":
        weighed = enumerate(array.tolist())
        array = np.array([check_weight(f"sample_weight[{i}]", w) for i, w in weighed])
    weights = array.astype(np.float64)
    require_nonnegative("sample_weight", weights)
    if not weights.any():
        raise ValueError(
            "sample_weight must be positive for at least one row; got only zeros"
        )
    return require_mass("sample_weight", weights)


def check_cost_matrix(cost_matrix: Any, n_classes: int | None = None) -> Floats | None:
    """Return the costs of each ``[true, predicted]`` pair of classes, or raise.

    None, which means a cost of 1 per error, is returned unchanged. If `n_classes` is
    None, the matrix determines the number of classes.
    """
    if cost_matrix is None:
        return None
    array = as_numbers("cost_matrix", cost_matrix)
    if n_classes is not None and array.shape != (n_classes, n_classes):
        raise ValueError(
            f"cost_matrix must have shape ({n_classes}, {n_classes}), with a row per "
            "true class and a column per predicted class in the order of classes_; got "
            f"shape {array.shape}"
        )
    require_ndim("cost_matrix", array, 2)
    costs = np.asarray(array, dtype=np.float64, order="C")
    if costs.shape[0] != costs.shape[1] or not 1 <= len(costs) <= MOST_CLASSES:
        raise ValueError(
            "cost_matrix must be a square matrix [true class, predicted class] for 1 "
            f"to {MOST_CLASSES} classes; got shape {costs.shape}"
        )
    require_nonnegative("cost_matrix", costs)
    return costs


def require_few_classes(name: str, n_classes: int) -> None:
    """Raise if there are more classes than the engines support."""
    if n_classes > MOST_CLASSES:
        raise ValueError(
            f"{name} must contain at most {MOST_CLASSES:,} different classes; got "
            f"{n_classes:,}. Merge rare classes, or divide numbers into classes, for "
            "example with pandas.cut"
        )


def require_mass(name: str, weights: Floats) -> Floats:
    """Return `weights` if their sum is positive and finite, or raise."""
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not 0 < total < np.inf:
        raise ValueError(
            f"{name} must give the rows a positive, finite total weight; got {total}"
        )
    return weights


def multiply_weights(name: str, weights: Floats | None, factors: Floats) -> Floats:
    """Return weights times the factors of argument `name`, or raise."""
    with np.errstate(over="ignore"):
        product = factors if weights is None else weights * factors
    return require_mass(name, product)
