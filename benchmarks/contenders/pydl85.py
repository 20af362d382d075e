"""PyDL8.5: depth-first search over item sets, for the least error within a depth."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders.base import Answer, Contender
from benchmarks.data import thresholds
from benchmarks.problem import Group, Problem
from benchmarks.task import Task


class PyDl85(Contender):
    """`pydl85.DL85Classifier` on yes/no columns; it has no penalty."""

    name = "pydl8.5"
    requirements = ("pydl8.5==0.1.8", "scikit-learn==1.9.1")
    groups = frozenset({Group.BINARY, Group.THRESHOLDS})

    def __init__(self) -> None:
        from pydl85 import DL85Classifier

        self.classifier = DL85Classifier

    @classmethod
    def takes(cls, problem: Problem) -> bool:
        """Tell whether there is a depth limit and no penalty."""
        return super().takes(problem) and problem.penalty == 0.0

    def matrix(self, X: np.ndarray) -> np.ndarray:
        """Return zeros and ones."""
        return thresholds(X).astype(np.int64)

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the fitted classifier."""
        depth, limit = task.problem.depth, task.time_limit
        return self.classifier(max_depth=depth, time_limit=limit).fit(X, y)

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Count the leaves of the tree; a search that timed out claims nothing."""
        return Answer(
            predictions=np.asarray(result.predict(X)),
            leaves=count_leaves(result.tree_),
            status="time_limit" if result.timeout_ else "optimal",
            claims_optimal=not result.timeout_,
            claimed=float(result.error_) / len(X),
        )


def count_leaves(node: dict[str, Any]) -> int:
    """Return the leaves below a node of the package's tree."""
    if "feat" not in node:
        return 1
    return count_leaves(node["left"]) + count_leaves(node["right"])
