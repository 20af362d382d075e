"""The objectives: what each class's rows weigh in the loss.

A loss that is a sum over rows is a weighted share of rows got wrong; these objectives
differ in the weight of a row, which depends on its class alone. The others are measures
of two classes, which `solve` takes by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import check_number, check_word, show
from ostrya._weights import check_weight

Floats = npt.NDArray[np.float64]


def solve_objective(objective: Any) -> Any:
    """Return what `solve` calls an objective: those of weighted rows are additive."""
    is_weighted = isinstance(objective, str) and objective in OBJECTIVES
    return "additive" if is_weighted else objective


def check_weighted(objective: Any, trees: str) -> None:
    """Raise unless an objective is one of weighted rows, which any search takes."""
    check_word("objective", objective, tuple(OBJECTIVES), f" for {trees}")


def objective_factors(
    objective: Any, omega: Any, classes: npt.NDArray[Any], masses: Floats
) -> Floats | None:
    """Return the weight factor of each class under an objective; None: all one.

    `masses` is the total sample weight of each class, all positive.
    """
    weight = check_number(
        "omega", omega, "a finite number > 0", lambda number: 0 < number < np.inf
    )
    if callable(objective) or (isinstance(objective, str) and objective in MEASURES):
        _require_two(objective, classes)
        return None
    names = (*OBJECTIVES, *MEASURES)
    check_word("objective", objective, names, ", or a callable f(fp, fn)")
    return OBJECTIVES[objective](masses, weight)


def class_factors(class_weight: Any, classes: Any, masses: Floats) -> Floats | None:
    """Return the factor of each class that ``class_weight`` asks for; None: all one.

    Labels left out weigh 1; a label that is not in `classes` is refused when one of
    `classes` is left out, for then it is misspelt.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        return _balanced(masses, 1.0)
    if not isinstance(class_weight, Mapping):
        raise TypeError(
            'class_weight must be None, "balanced" or a dict {label: weight}; got '
            f"{show(class_weight)}"
        )
    labels = classes.tolist()
    unknown = [label for label in class_weight if label not in labels]
    if unknown and any(label not in class_weight for label in labels):
        raise ValueError(
            f"class_weight has {unknown[0]!r}, which is no label; labels are {labels}"
        )
    return np.array(
        [
            check_weight(f"class_weight[{label!r}]", class_weight.get(label, 1.0))
            for label in labels
        ]
    )


def _require_two(objective: Any, classes: npt.NDArray[Any]) -> None:
    if len(classes) != 2:
        name = objective if isinstance(objective, str) else "callable"
        raise ValueError(
            f"objective={name!r} takes two classes, negative and positive in sorted "
            f"order; y has {len(classes)}: {classes.tolist()[:5]}"
        )


def _plain(masses: Floats, omega: float) -> None:
    """Share of the rows got wrong."""


def _balanced(masses: Floats, omega: float) -> Floats:
    """Mean over the classes of the share of each got wrong."""
    with np.errstate(over="ignore"):  # what is infinite is turned away with its rows
        factors: Floats = masses.sum() / (len(masses) * masses)
    return factors


def _weighted(masses: Floats, omega: float) -> Floats:
    """``(FP + omega FN) / (omega N+ + N-)``; positive is the last label.

    Lin et al. 2020 (ICML), section 2.
    """
    if len(masses) > 2:
        raise ValueError(
            'objective="weighted_accuracy" takes two classes, negative and positive in '
            f"sorted order; y has {len(masses)}. Use class_weight or cost_matrix"
        )
    return np.array([1.0, omega])[: len(masses)]


OBJECTIVES: dict[str, Callable[[Floats, float], Floats | None]] = {
    "accuracy": _plain,
    "balanced_accuracy": _balanced,
    "weighted_accuracy": _weighted,
}

# Objectives that no weight of the rows gives; `solve` knows them by these names.
MEASURES = ("auc", "partial_auc", "f1", "f_beta")
