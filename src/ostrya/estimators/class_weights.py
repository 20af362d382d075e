"""The factors of the classes that the parameter ``class_weight`` asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import show
from ostrya._solve.objective_weights import balanced_factors
from ostrya._weights import check_weight

Floats = npt.NDArray[np.float64]


def class_factors(class_weight: Any, classes: Any, masses: Floats) -> Floats | None:
    """Return the factor of each class that ``class_weight`` asks for; None: all one.

    Labels left out weigh 1; a label that is not in `classes` is refused when one of
    `classes` is left out, for then it is misspelt.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        return balanced_factors(masses)
    if not isinstance(class_weight, Mapping):
        raise TypeError(
            'class_weight must be None, "balanced" or a dict {label: weight}; got '
            f"{show(class_weight)}"
        )
    labels = classes.tolist()
    unknown = [label for label in class_weight if label not in labels]
    if unknown and any(label not in class_weight for label in labels):
        raise ValueError(
            f"class_weight must only contain labels of y, {labels}; got {unknown[0]!r}"
        )
    return np.array(
        [
            check_weight(f"class_weight[{label!r}]", class_weight.get(label, 1.0))
            for label in labels
        ]
    )
