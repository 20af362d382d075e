"""GOSDT: best-first search over a graph of subproblems, yes/no columns."""

from __future__ import annotations

from importlib.metadata import version
from math import ceil
from typing import Any

import numpy as np

from benchmarks.contenders.base import Answer, Contender
from benchmarks.data import thresholds
from benchmarks.problem import Group
from benchmarks.task import Task


class Gosdt(Contender):
    """`gosdt.GOSDTClassifier`; it charges the penalty per leaf, in float32."""

    name = "gosdt"
    n_workers = 1
    # From 1.8 on scikit-learn lacks a keyword that predict passes to it.
    requirements = ("gosdt==1.0.4", "scikit-learn==1.7.2", "pandas==3.1.1")
    groups = frozenset({Group.ANY_DEPTH, Group.BINARY, Group.THRESHOLDS})

    def __init__(self) -> None:
        from gosdt import GOSDTClassifier
        from gosdt._libgosdt import Status

        self.classifier, self.converged = GOSDTClassifier, Status.CONVERGED

    def version(self) -> str:
        """Return the version of the package, whatever the number of workers."""
        return version("gosdt")

    def matrix(self, X: np.ndarray) -> np.ndarray:
        """Return truth values."""
        return thresholds(X).astype(bool)

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the fitted classifier; its time limit is in whole seconds."""
        model = self.classifier(
            regularization=task.problem.penalty,
            allow_small_reg=True,
            depth_budget=task.problem.depth,
            time_limit=ceil(task.time_limit),
            worker_limit=self.n_workers,
        )
        return model.fit(X, y)

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Count the leaves of the first tree; take bounds as reported."""
        found = result.get_result()
        optimal = found["status"] == self.converged
        leaves = count_leaves(result.trees_[0].tree)
        return Answer(
            predictions=result.predict(X),
            leaves=leaves,
            status="optimal" if optimal else "time_limit",
            claims_optimal=optimal,
            claimed=found["model_loss"] + task.problem.penalty * leaves,
            lower=found["lower_bound"],
            subproblems=found["graph_size"],
        )


def count_leaves(node: Any) -> int:
    """Return the leaves below a node of the package's tree."""
    if hasattr(node, "prediction"):
        return 1
    return count_leaves(node.left_child) + count_leaves(node.right_child)
