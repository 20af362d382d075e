"""Validation: the data, limits and helpers that `solve` is given, checked once.

What to do with them, objective, engine and bounds, is checked in
`ostrya._solve.objective_validation`; both use the checks of `ostrya._arguments`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import (
    INTEGERS,
    NUMBERS,
    as_array,
    as_numbers,
    check_word,
    is_number,
    picture,
    require_finite,
    require_ndim,
    show,
    to_float,
)
from ostrya._coded_matrix import Matrix
from ostrya._solve.impurity import check_criterion
from ostrya._solve.limits import Limits
from ostrya._solve.objective_weights import objective_factors
from ostrya._solve.options import OPTIONS, auto_penalty
from ostrya._solve.training_data import TrainingData
from ostrya._warn_caller import warn_caller
from ostrya._weights import (
    MOST_CLASSES,
    check_cost_matrix,
    check_sample_weight,
    check_weight,
    multiply_weights,
    require_few_classes,
)
from ostrya._whole_numbers import MERGED_AS_FLOATS, merged_columns
from ostrya.top_k import CANDIDATES, TopKSplits
from ostrya.tree import Tree

#: More threads than this get in each other's way.
MOST_JOBS = 256
#: Sums and differences of costs of this size are far from overflow.
LARGEST_COST = 1e100


def check_data(
    X: Any,
    y: Any,
    sample_weight: Any,
    class_weight: Any,
    cost_matrix: Any,
    leaf_penalty: Any,
    objective: Any = "accuracy",
    costs: Any = None,
) -> TrainingData:
    """Return the training data, or raise."""
    if costs is not None:
        _refuse_with_costs(
            y=y,
            class_weight=class_weight,
            cost_matrix=cost_matrix,
            objective=None if objective == "accuracy" else objective,
        )
        matrix = check_rows(X)
        row_costs = check_row_costs("costs", costs, len(matrix))
        weights = check_sample_weight(sample_weight, len(matrix))
        penalty = check_option("leaf_penalty", leaf_penalty)
        return data_of_costs(matrix, row_costs, weights, penalty)
    if y is None:
        raise TypeError(
            "y must contain integer class codes, one per row of X; got NoneType. "
            "Without labels, pass costs"
        )
    matrix = check_rows(X)
    matrix_of_costs = check_cost_matrix(cost_matrix)
    n_classes = None if matrix_of_costs is None else len(matrix_of_costs)
    codes = check_codes(y, len(matrix), n_classes)
    n_classes = int(codes.max()) + 1 if n_classes is None else n_classes
    weights = check_sample_weight(sample_weight, len(matrix))
    n_rows = len(matrix) if weights is None else int(np.count_nonzero(weights))
    penalty = check_leaf_penalty(leaf_penalty, n_rows, weights)
    masses = np.bincount(codes, weights, minlength=n_classes).astype(np.float64)
    weighed = objective_factors(objective, np.arange(n_classes), masses)
    factors = _check_class_weight(class_weight, codes, n_classes)
    if weighed is not None:
        weights = multiply_weights("objective", weights, weighed[codes])
    if factors is not None:
        weights = multiply_weights("class_weight", weights, factors[codes])
    return TrainingData(
        X=matrix,
        codes=codes,
        n_classes=n_classes,
        weights=weights,
        costs=matrix_of_costs,
        leaf_penalty=penalty,
    )


def data_of_costs(
    matrix: Matrix,
    row_costs: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64] | None,
    leaf_penalty: float | str,
) -> TrainingData:
    """Return training data in which each row has a cost of its own for each class.

    "auto" is the penalty of a classifier, times the mean difference between the highest
    and the lowest cost of a row, which is 1 if each row has one class without a cost
    and the others cost 1.
    """
    if isinstance(leaf_penalty, str):
        n_rows = len(row_costs) if weights is None else int(np.count_nonzero(weights))
        ranges = row_costs.max(axis=1) - row_costs.min(axis=1)
        shares = None if weights is None else weights / math.fsum(weights.tolist())
        spread = ranges / len(ranges) if shares is None else ranges * shares
        leaf_penalty = auto_penalty(n_rows, weights) * math.fsum(spread.tolist())
    return TrainingData(
        X=matrix,
        codes=row_costs.argmin(axis=1).astype(np.int32),
        n_classes=row_costs.shape[1],
        weights=weights,
        costs=None,
        leaf_penalty=leaf_penalty,
        row_costs=row_costs,
    )


def check_row_costs(name: str, costs: Any, n_rows: int) -> npt.NDArray[np.float64]:
    """Return costs or rewards, one row per row of X and one column per label, or raise.

    They may be negative.
    """
    array = as_numbers(name, costs)
    require_ndim(name, array, 2)
    if len(array) != n_rows:
        raise ValueError(
            f"{name} must have one row per row of X ({n_rows}); got {len(array)}"
        )
    if array.shape[1] < 1:
        raise ValueError(f"{name} must have at least one column; got none")
    if array.shape[1] > MOST_CLASSES:
        raise ValueError(
            f"{name} must have at most {MOST_CLASSES:,} columns; got {array.shape[1]:,}"
        )
    values = np.array(array, dtype=np.float64, order="C")
    require_finite(name, values)
    largest = float(np.abs(values).max())
    if largest > LARGEST_COST:
        raise ValueError(
            f"{name} must contain numbers of size at most {LARGEST_COST:g}; got "
            f"{largest:g}. Rescale them"
        )
    return values + 0.0  # no negative zeros


def _refuse_with_costs(**others: Any) -> None:
    """Raise for arguments that say something else about what errors cost."""
    for name, value in others.items():
        if value is not None:
            raise ValueError(
                f"{name} cannot be combined with costs, which state what each class "
                "costs on each row. Omit one of them"
            )


def check_leaf_penalty(value: Any, n_rows: int, sample_weight: Any) -> float:
    """Return the leaf penalty as a number, or raise; the rest as in `auto_penalty`."""
    penalty: float | str = check_option("leaf_penalty", value)
    if isinstance(penalty, str):
        return auto_penalty(n_rows, sample_weight)
    return penalty


def check_option(name: str, value: Any) -> Any:
    """Return an option of the table as an int, a float, None or "auto", or raise."""
    option = OPTIONS[name]
    if option.auto_means is not None and isinstance(value, str) and value == "auto":
        return value
    if value is None and option.none_means is not None:
        return None
    kinds = INTEGERS if option.kind is int else NUMBERS
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise TypeError(f"{name} must be {option.allowed}; got {show(value)}")
    number = int(value) if option.kind is int else to_float(value)
    too_small = option.least is not None and (
        number <= option.least if option.least_is_excluded else number < option.least
    )
    if too_small or (option.kind is float and not np.isfinite(number)):
        raise ValueError(f"{name} must be {option.allowed}; got {picture(value)}")
    return number


def check_n_jobs(value: Any) -> int:
    """Return how many threads `n_jobs` means, as scikit-learn reads it, or raise."""
    allowed = (
        "an integer >= 1, a negative one (-1: all processors, -2: all but one, ...), "
        "or None (1, unless in a joblib context)"
    )
    if value is None:
        # Without joblib there is no context of it.
        if "joblib" not in sys.modules:
            return 1
    elif not isinstance(value, INTEGERS) or isinstance(value, bool):
        raise TypeError(f"n_jobs must be {allowed}; got {show(value)}")
    elif value == 0:
        raise ValueError(f"n_jobs must be {allowed}; got 0")
    from joblib import effective_n_jobs

    n_jobs: int = effective_n_jobs(None if value is None else int(value))
    return min(n_jobs, MOST_JOBS)


def check_warm_start(tree: Any, data: TrainingData, limits: Limits) -> None:
    """Raise unless `tree` is None or a tree that the limits allow."""
    if tree is None:
        return
    if not isinstance(tree, Tree):
        raise TypeError(f"warm_start must be an ostrya.Tree or None; got {show(tree)}")
    n_features = data.X.shape[1]
    if tree.n_features != n_features:
        raise ValueError(
            f"warm_start must have {n_features} features, as X has; got "
            f"{tree.n_features}"
        )
    max_depth, max_leaf_nodes = limits.max_depth, limits.max_leaf_nodes
    if max_depth is not None and tree.depth > max_depth:
        raise ValueError(
            f"warm_start must have at most depth max_depth={max_depth}; got "
            f"{tree.depth}. Prune it, or increase max_depth"
        )
    if max_leaf_nodes is not None and tree.n_leaves > max_leaf_nodes:
        raise ValueError(
            f"warm_start must have at most max_leaf_nodes={max_leaf_nodes} leaves; "
            f"got {tree.n_leaves}. Prune it, or increase max_leaf_nodes"
        )
    leaves = np.flatnonzero(tree.feature < 0)
    rows = np.bincount(tree.apply(data.X), minlength=tree.n_nodes)[leaves]
    if len(leaves) > 1 and rows.min() < limits.min_samples_leaf:
        raise ValueError(
            f"warm_start must have min_samples_leaf={limits.min_samples_leaf} rows of "
            f"X in every leaf; got {rows.min()}. Prune it, or decrease min_samples_leaf"
        )


def check_reference(labels: Any, data: TrainingData) -> npt.NDArray[np.int32] | None:
    """Return the reference labels as class codes, or None, or raise."""
    if labels is None:
        return None
    return _check_codes(
        "reference_labels",
        labels,
        data.n_samples,
        data.n_classes,
        "Use the codes that y has for the same classes",
    )


def refuse_auto(max_depth: Any) -> None:
    """Raise where a depth is a word: not every search knows what "auto" means."""
    if isinstance(max_depth, str):
        allowed = replace(OPTIONS["max_depth"], auto_means=None).allowed
        raise ValueError(f"max_depth must be {allowed}; got {picture(max_depth)}")


def check_callback(on_progress: Any) -> Callable[..., Any] | None:
    """Return the callback, or raise."""
    if on_progress is None or callable(on_progress):
        return on_progress  # type: ignore[no-any-return]
    raise TypeError(f"on_progress must be a callable or None; got {show(on_progress)}")


def check_top_k(
    top_k: Any, *, n_classes: int | None = None, **others: Any
) -> TopKSplits | None:
    """Return the choice of splits with plain numbers, or None, or raise.

    Without the number of classes, a function that ranks splits is not checked.
    `others` are the arguments that a search of some trees only cannot honour.
    """
    if top_k is None:
        return None
    if not isinstance(top_k, TopKSplits):
        raise TypeError(
            f"top_k must be an ostrya.top_k.TopKSplits or None; got {show(top_k)}"
        )
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"{name} cannot be combined with top_k. Omit one of them")
    check_criterion(top_k.criterion, n_classes)
    check_word("candidates", top_k.candidates, CANDIDATES)
    return replace(top_k, k=check_widths(top_k.k))


def check_widths(k: Any, more: str = "") -> Any:
    """Return k as a number, "all" or a tuple of these, one per level, or raise.

    `more` is what the caller allows besides, in the words of the message.
    """
    if isinstance(k, np.ndarray) and k.ndim == 1:
        k = k.tolist()
    if isinstance(k, (list, tuple, range)):
        if len(k) == 0:
            raise ValueError("k must have at least one entry, for the root; got none")
        allowed = 'an integer >= 1, a share in (0, 1] or "all"'
        return tuple(_check_width(f"k[{i}]", w, allowed) for i, w in enumerate(k))
    allowed = (
        'an integer >= 1, a share in (0, 1], "all", or a list of these, one for each '
        f"level{more}"
    )
    return _check_width("k", k, allowed)


def _check_width(name: str, value: Any, allowed: str) -> Any:
    """Return k of one level as an int >= 1, a float in (0, 1] or "all"."""
    if isinstance(value, str) and value == "all":
        return value
    if not is_number(value):
        raise TypeError(f"{name} must be {allowed}; got {show(value)}")
    if isinstance(value, INTEGERS):
        if value < 1:
            raise ValueError(f"{name} must be {allowed}; got {picture(value)}")
        return int(value)
    if not 0 < value <= 1:
        raise ValueError(f"{name} must be {allowed}; got {value!r}")
    return float(value)


def check_rows(X: Any) -> npt.NDArray[np.float64]:
    """Return the rows as a matrix that the engine reads in place, or raise."""
    array = as_numbers("X", X)
    is_column = array.ndim == 1 and array.size
    hint = ". Use X.reshape(-1, 1) for one feature" if is_column else ""
    require_ndim("X", array, 2, hint)
    if len(array) == 0:
        raise ValueError(f"X must have at least one row; got shape {array.shape}")
    merged = merged_columns(X, array)
    if merged:
        word = "column" if len(merged) == 1 else "columns"
        places = ", ".join(map(str, merged[:5])) + ", ..." * (len(merged) > 5)
        warn_caller(f"X contains, in {word} {places}, {MERGED_AS_FLOATS}")
    matrix = np.asarray(array, dtype=np.float64)
    if not (matrix.flags.forc and matrix.flags.aligned):
        matrix = np.array(matrix, order="F")
    if array.dtype.kind == "f":
        require_finite("X", matrix)
    return matrix


def check_codes(y: Any, n_samples: int, n_classes: int | None) -> npt.NDArray[np.int32]:
    """Return one class code per row, below `n_classes` if that is known, or raise."""
    remedy = "Encode it with numpy.unique(y, return_inverse=True)[1]"
    return _check_codes("y", y, n_samples, n_classes, remedy)


def _check_codes(
    name: str, value: Any, n_samples: int, n_classes: int | None, remedy: str
) -> npt.NDArray[np.int32]:
    array = as_array(name, value)
    if array.size and array.dtype.kind not in "biu":  # an empty list is of floats
        raise TypeError(
            f"{name} must contain integer class codes 0, 1, ...; got "
            f"{type(value).__name__} with dtype {array.dtype}. {remedy}"
        )
    require_ndim(name, array, 1)
    if len(array) != n_samples:
        raise ValueError(
            f"{name} must have one code per row of X ({n_samples}); got {len(array)}"
        )
    most = MOST_CLASSES if n_classes is None else n_classes
    least, largest = array.min(), array.max()
    if largest >= MOST_CLASSES:
        require_few_classes(name, len(np.unique(array)))
    for code in (least, largest):
        if not 0 <= code < most:
            raise ValueError(
                f"{name} must contain class codes from 0 to {most - 1}; got {code}. "
                f"{remedy}"
            )
    return np.ascontiguousarray(array, dtype=np.int32)


def _check_class_weight(
    class_weight: Any, codes: npt.NDArray[np.int32], n_classes: int
) -> npt.NDArray[np.float64] | None:
    """Return one factor per class, or None when all are one."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        counts = np.bincount(codes, minlength=n_classes)
        present = np.count_nonzero(counts)
        balanced: npt.NDArray[np.float64] = len(codes) / (
            present * np.maximum(counts, 1)
        )
        return balanced
    if not isinstance(class_weight, Mapping):
        raise TypeError(
            'class_weight must be None, "balanced" or a dict {class code: weight}; got '
            f"{show(class_weight)}"
        )
    factors = np.ones(n_classes)
    allowed = f"class_weight must have class codes in 0..{n_classes - 1} as keys"
    for code, weight in class_weight.items():
        if not isinstance(code, INTEGERS) or isinstance(code, bool):
            raise TypeError(f"{allowed}; got {show(code)}")
        if not 0 <= code < n_classes:
            raise ValueError(f"{allowed}; got {picture(code)}")
        factors[code] = check_weight(f"class_weight[{code}]", weight)
    return factors
