"""STreeD: dynamic programming over yes/no columns with a depth-two solver."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders.base import Answer, Contender
from benchmarks.data import thresholds
from benchmarks.problem import Group
from benchmarks.task import Task

#: The largest depth the package takes; it stands for no limit.
LARGEST_DEPTH = 20


class PyStreed(Contender):
    """`pystreed.STreeDClassifier`; it charges the penalty per split, not per leaf.

    Error + penalty * splits has the same best trees as ours, less one penalty.
    """

    name = "pystreed"
    requirements = ("pystreed==1.4.0", "scikit-learn==1.9.1", "pandas==3.1.1")
    groups = frozenset({Group.ANY_DEPTH, Group.BINARY, Group.THRESHOLDS})

    def __init__(self) -> None:
        from pystreed import STreeDClassifier

        self.classifier = STreeDClassifier

    def matrix(self, X: np.ndarray) -> np.ndarray:
        """Return yes/no columns as C integers, which the package wants."""
        return thresholds(X).astype(np.intc)

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the fitted classifier, with its own task for penalty 0."""
        problem = task.problem
        model = self.classifier(
            "cost-complex-accuracy" if problem.penalty else "accuracy",
            max_depth=LARGEST_DEPTH if problem.depth is None else problem.depth,
            cost_complexity=problem.penalty,
            time_limit=task.time_limit,
        )
        return model.fit(X, y)

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Add a leaf's penalty to the package's own count of the error."""
        leaves = result.get_n_leaves()
        optimal = result.fit_result.is_optimal()
        error = 1.0 - result.fit_result.score()
        return Answer(
            predictions=result.predict(X),
            leaves=leaves,
            status="optimal" if optimal else "time_limit",
            claims_optimal=optimal,
            claimed=error + task.problem.penalty * leaves,
        )
