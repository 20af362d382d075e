"""Load a model, whichever estimator its file holds."""

from __future__ import annotations

import os
from typing import Any

from ostrya.estimators import model_read
from ostrya.estimators._base import TreeEstimator
from ostrya.estimators.optimal_policy_tree import OptimalPolicyTree
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.top_k_tree import TopKTreeClassifier

_BY_NAME: dict[str, type[TreeEstimator]] = {
    made.__name__: made
    for made in (OptimalPolicyTree, OptimalTreeClassifier, TopKTreeClassifier)
}


def load_model(path: str | os.PathLike[str]) -> TreeEstimator:
    """Return the fitted estimator in a file that its `save` wrote.

    Raises
    ------
    ValueError, OSError
        As the `load` of the estimators does.
    """
    try:
        return restore_model(model_read.read(path))
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None


def restore_model(content: Any) -> TreeEstimator:
    """Return the fitted estimator in what a model file holds.

    Raises
    ------
    ValueError
        When it holds none of a known version; says what is wrong.
    """
    name = content.get("estimator") if isinstance(content, dict) else None
    made = _BY_NAME.get(name, OptimalTreeClassifier) if isinstance(name, str) else None
    model: TreeEstimator
    model = model_read.restore(made or OptimalTreeClassifier, content)
    return model
