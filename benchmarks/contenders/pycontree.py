"""ConTree: search over intervals of thresholds on continuous columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders.base import Answer, Contender
from benchmarks.problem import Group
from benchmarks.task import Task


class PyConTree(Contender):
    """`pycontree.ConTree`; it charges the penalty per split and rounds to float32.

    It needs a depth limit, so problems without one are not for it.
    """

    name = "pycontree"
    requirements = ("pycontree==1.0.8", "scikit-learn==1.9.1", "pandas==3.1.1")
    groups = frozenset({Group.THRESHOLDS, Group.CONTINUOUS})

    def __init__(self) -> None:
        from pycontree import ConTree

        self.classifier = ConTree

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the fitted classifier."""
        model = self.classifier(
            max_depth=task.problem.depth,
            complexity_cost=task.problem.penalty,
            time_limit=task.time_limit,
        )
        return model.fit(X, y)

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Read the tree; within its time limit the package claims the optimum."""
        # The public name for it is a warning; the configuration holds the fact. It
        # asks the clock, so the predictions below must come after it.
        in_time = result._config.is_within_time_limit()
        return Answer(
            predictions=result.predict(X),
            leaves=result.get_num_leaf_nodes(),
            status="optimal" if in_time else "time_limit",
            claims_optimal=in_time,
        )
