"""The certificate of a fitted model, from its training rows once more."""

from __future__ import annotations

import time
from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np

from ostrya._ctrl_c import CtrlC
from ostrya._solve.certificate import CertifiedProblem, certify_bound
from ostrya._solve.grid import to_grid
from ostrya._solve.limits import Limits
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import check_rows
from ostrya.preprocessing.training_table import check_training
from ostrya.results.certificate import Certificate

#: Objectives that sum a loss over rows.
SUMS = ("accuracy", "balanced_accuracy", "weighted_accuracy")
#: What is proved of all trees over the thresholds of the table.
PROVED = ("optimal", "time_limit", "memory_limit", "interrupted", "optimal_to_depth")


def certified_problem(
    model: Any, X: Any, y: Any, sample_weight: Any = None
) -> CertifiedProblem:
    """Return the problem that a model was fitted for, or raise.

    Parameters
    ----------
    model : OptimalTreeClassifier
        Fitted, for an objective that sums a loss over rows.
    X, y, sample_weight
        Its training rows, as `fit` took them.
    """
    if getattr(model, "objective", None) not in SUMS or model.status_ not in PROVED:
        raise ValueError(
            f"the model must have an objective out of {', '.join(SUMS)} and a proof; "
            f"got objective={getattr(model, 'objective', None)!r} and status "
            f"{model.status_!r}"
        )
    for name in ("monotonic_cst", "interaction_cst"):
        if getattr(model, name, None) is not None:
            raise ValueError(
                f"the model must have {name}=None: certificates prove bounds of all "
                "trees"
            )
    probe = copy(model)
    X, labels, weights = check_training(probe, X, y, sample_weight)
    codes, weights, costs = probe._labelled(labels, weights)
    if not np.array_equal(probe.classes_, model.classes_):
        raise ValueError(
            f"y must have the labels {model.classes_.tolist()}; got "
            f"{probe.classes_.tolist()}"
        )
    data = TrainingData(
        X=check_rows(model.encoder_.encode(X)),
        codes=codes.astype(np.int32),
        n_classes=len(model.classes_),
        weights=weights,
        costs=costs,
        leaf_penalty=model.leaf_penalty_,
    )
    limits = Limits(
        max_depth=None if model.max_depth == "auto" else model.max_depth,
        max_leaf_nodes=model.max_leaf_nodes,
        min_samples_leaf=model.min_samples_leaf,
    )
    given = getattr(model, "time_limit", None)
    remaining = Limits(**{**vars(limits), "time_limit": given}).remaining(
        data.n_samples, time.perf_counter()
    )
    return CertifiedProblem(data, to_grid(data), limits, remaining)


def certify(
    model: Any, X: Any, y: Any, sample_weight: Any = None
) -> Certificate | None:
    """Return the certificate of a fitted model; see `certified_problem`."""
    problem = certified_problem(model, X, y, sample_weight)
    grid = problem.grid
    if model.status_ == "optimal":
        lower = problem.cost(model.tree_)
    else:
        # The bound was rounded down on its way here.
        above = (Fraction(model.lower_bound_) - grid.least) / grid.unit
        lower = round(above) if grid.is_exact else int(above)
    work = model.trace_[-1].work if model.trace_ else 0
    with CtrlC() as ctrl_c:
        return certify_bound(problem, model.tree_, lower, work, ctrl_c)
