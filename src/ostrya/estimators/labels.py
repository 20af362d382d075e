"""Labels, weights and costs as people have them, checked and made arrays."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from ostrya._arguments import as_array
from ostrya.preprocessing.labels import check_labels, check_sample_weight

__all__ = ["check_cost_matrix", "check_labels", "check_sample_weight"]


def check_cost_matrix(cost_matrix: Any, n_classes: int) -> npt.ArrayLike | None:
    """Return the costs if there is one a pair of classes, or raise."""
    if cost_matrix is None:
        return None
    shape = as_array("cost_matrix", cost_matrix).shape
    if shape != (n_classes, n_classes):
        raise ValueError(
            f"cost_matrix must have shape ({n_classes}, {n_classes}), true by "
            f"predicted class in the order of classes_; got {shape}"
        )
    costs: npt.ArrayLike = cost_matrix
    return costs
