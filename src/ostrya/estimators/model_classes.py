"""The labels in a model file."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.estimators.model_format import FLOATS, INTEGERS, TEXTS
from ostrya.export.json_checks import (
    FlawError,
    check_keys,
    check_list,
    is_bool,
    is_int,
    is_number,
    is_text,
    short,
)


def read_classes(content: Any, are_sorted: bool = True) -> npt.NDArray[Any]:
    """Return the labels of a model, each of which its type can hold.

    The labels of a classifier are sorted; the actions of a policy are as they were.

    Raises
    ------
    FlawError
        When `content` has no such labels.
    """
    if not isinstance(content, dict):
        raise FlawError("classes must be an object")
    check_keys("classes.", content, {"dtype", "labels"}, set())
    dtype, labels = content["dtype"], content["labels"]
    is_right: Callable[[Any], bool]
    if dtype == "bool":
        is_right, things = is_bool, "true or false"
    elif isinstance(dtype, str) and dtype in INTEGERS:
        is_right, things = partial(_is_integer, np.iinfo(dtype)), f"{dtype} numbers"
    elif isinstance(dtype, str) and dtype in FLOATS:
        is_right, things = is_number, "numbers"
    elif isinstance(dtype, str) and dtype in TEXTS:
        is_right, things = is_text, "texts"
    else:
        raise FlawError(f"classes.dtype {short(dtype)} is not known")
    check_list("classes.labels", labels, is_right, things)
    if len(set(labels)) != len(labels) or not labels:
        raise FlawError(
            "classes.labels must contain at least one label, and none twice"
        )
    with np.errstate(over="ignore"):
        classes = np.array(labels, dtype=dtype)
    for place, (label, kept) in enumerate(zip(labels, classes.tolist(), strict=True)):
        if label != kept or kept in (math.inf, -math.inf):
            raise FlawError(
                f"classes.labels[{place}] must be exact as {dtype}; got "
                f"{short(label)}, which would become {short(kept)}"
            )
    for place in range(1, len(labels) if are_sorted else 0):
        if not labels[place - 1] < labels[place]:
            raise FlawError(
                f"classes.labels must be sorted; got {short(labels[place])} after "
                f"{short(labels[place - 1])}"
            )
    return classes


def _is_integer(limits: Any, item: Any) -> bool:
    return is_int(item) and limits.min <= item <= limits.max
