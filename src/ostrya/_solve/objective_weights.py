"""Objectives that are sums over rows: what a row of each class weighs in the loss.

Such a loss is the weighted share of misclassified rows, and the objectives differ only
in the weight of a row, which depends on its class alone. All other objectives are
measures of two classes; see `ostrya._solve.measures`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import picture, show
from ostrya.objectives import FBeta, Objective, PartialAUC, WeightedAccuracy

Floats = npt.NDArray[np.float64]

#: Names of the sums over rows, and of the measures of two classes, without parameters.
SUMS = ("accuracy", "balanced_accuracy")
MEASURES = ("f1", "auc")
_CLASSES = (FBeta, PartialAUC, WeightedAccuracy)
_ALLOWED = (
    '"accuracy", "balanced_accuracy", "f1", "auc", an object of ostrya.objectives, or '
    "a callable f(fp, fn)"
)


def check_kind(objective: Any) -> None:
    """Raise unless this is an objective, with a parameter that is allowed."""
    if isinstance(objective, Objective):
        type(objective)(**objective.get_params())  # raises if it was changed by hand
        return
    if isinstance(objective, type) and issubclass(objective, Objective):
        name = objective.__name__
        raise TypeError(
            f"objective must be an object, not a class; got {name}. Use {name}()"
        )
    if callable(objective):
        return
    if isinstance(objective, str) and objective in (*SUMS, *MEASURES):
        return
    if not isinstance(objective, str):
        raise TypeError(f"objective must be {_ALLOWED}; got {show(objective)}")
    message = f"objective must be {_ALLOWED}; got {picture(objective)}"
    for kind in _CLASSES:
        if objective == kind.name:
            message += f". Use ostrya.objectives.{kind.__name__}()"
    raise ValueError(message)


def is_sum(objective: Any) -> bool:
    """Return whether a checked objective is a sum over rows."""
    if isinstance(objective, str):
        return objective in SUMS
    return isinstance(objective, WeightedAccuracy)


def check_sum(objective: Any, trees: str) -> None:
    """Raise unless an objective is a sum over rows, as `trees` require."""
    check_kind(objective)
    if not is_sum(objective):
        raise ValueError(
            'objective must be "accuracy", "balanced_accuracy" or a WeightedAccuracy '
            f"for {trees}; got {picture(objective)}. Use OptimalTreeClassifier for "
            "other objectives"
        )


def objective_name(objective: Any) -> str:
    """Return an objective for a message."""
    if isinstance(objective, (str, Objective)):
        return repr(objective)
    return "a callable"


def objective_factors(
    objective: Any, classes: npt.NDArray[Any], masses: Floats
) -> Floats | None:
    """Return the weight factor of each class under an objective; None: all one.

    `masses` is the total sample weight of each class.
    """
    check_kind(objective)
    if isinstance(objective, WeightedAccuracy):
        if len(classes) > 2:
            require_two(objective, classes)
        return np.array([1.0, float(objective.omega)])[: len(classes)]
    is_balanced = isinstance(objective, str) and objective == "balanced_accuracy"
    return balanced_factors(masses) if is_balanced else None


def balanced_factors(masses: Floats) -> Floats:
    """Return the factors that give all classes with rows the same total weight."""
    there = masses > 0
    with np.errstate(over="ignore"):  # what is infinite is turned away with its rows
        factors: Floats = np.ones(len(masses))
        factors[there] = masses.sum() / (np.count_nonzero(there) * masses[there])
    return factors


def require_two(objective: Any, classes: npt.NDArray[Any]) -> None:
    """Raise unless there are two classes."""
    if len(classes) != 2:
        raise ValueError(
            f"objective={objective_name(objective)} requires two classes, negative and "
            f"positive in sorted order; y has {len(classes)}: {classes.tolist()[:5]}. "
            "Use class_weight or cost_matrix, or one class against the rest"
        )
