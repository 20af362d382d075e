"""LicketySPLIT: a heuristic that rates each split by the greedy trees below it."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders.base import Answer, Contender
from benchmarks.data import thresholds
from benchmarks.problem import Group
from benchmarks.task import Task

#: It wants a depth; on problems without a limit it gets this one.
USUAL_DEPTH = 6


class LicketySplit(Contender):
    """`licketysplit.LicketySPLITClassifier`: no proof, no limit of time."""

    name = "licketysplit"
    requirements = ("licketysplit==0.2.1", "scikit-learn==1.9.1", "pandas==3.1.1")
    groups = frozenset({Group.ANY_DEPTH, Group.BINARY, Group.THRESHOLDS})

    def __init__(self) -> None:
        from licketysplit import LicketySPLITClassifier

        self.classifier = LicketySPLITClassifier

    def matrix(self, X: np.ndarray) -> np.ndarray:
        """Return yes/no columns in bytes, which the package wants."""
        return thresholds(X).astype(np.uint8)

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the fitted classifier."""
        depth = task.problem.depth
        model = self.classifier(
            lambda_leaf=task.problem.penalty,
            depth_budget=USUAL_DEPTH if depth is None else depth,
        )
        return model.fit(X, y)

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Count the paths; a heuristic claims nothing."""
        return Answer(
            predictions=result.predict(X),
            leaves=len(result.leaf_paths()),
            status="heuristic",
            claims_optimal=False,
        )
