"""pytrees-rs: ConTree and DL8.5 in Rust, for the least error within a depth."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np

from benchmarks.contenders.base import Answer, Contender
from benchmarks.problem import Group, Problem
from benchmarks.task import Task


class PyTrees(Contender):
    """`pytrees.DL85Classifier` on yes/no columns, `ConTreeClassifier` on others.

    Neither has a penalty: they are given problems of penalty 0 alone. Settings are the
    package's own; orders by a heuristic change little.
    """

    name = "pytrees"
    requirements = ("pytrees-rs==2.0.0", "scikit-learn==1.9.1")
    groups = frozenset({Group.BINARY, Group.THRESHOLDS, Group.CONTINUOUS})

    def __init__(self) -> None:
        from pytrees import ConTreeClassifier, DL85Classifier

        self.continuous, self.binary = ConTreeClassifier, DL85Classifier

    @classmethod
    def environment(cls) -> str:
        """Return the environment of the package."""
        return "pytrees"

    @classmethod
    def takes(cls, problem: Problem) -> bool:
        """Tell whether there is a depth limit and no penalty."""
        return super().takes(problem) and problem.penalty == 0.0

    def version(self) -> str:
        """Return the version of the package, which has another name."""
        return version("pytrees-rs")

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the fitted classifier."""
        limits = {"max_depth": task.problem.depth, "max_time": task.time_limit}
        if task.problem.group is Group.BINARY:
            return self.binary(**limits, **self.binary_options()).fit(X, y)
        return self.continuous(**limits, **self.continuous_options()).fit(X, y)

    def binary_options(self) -> dict[str, Any]:
        """Return what DL8.5 is told beside its limits."""
        return {}

    def continuous_options(self) -> dict[str, Any]:
        """Return what ConTree is told beside its limits."""
        return {}

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Read the tree; its status claims the optimum."""
        return Answer(
            predictions=result.predict(X),
            leaves=int(np.count_nonzero(np.asarray(result.tree_.children_left) < 0)),
            status=result.status_,
            claims_optimal=result.status_ == "optimal",
            claimed=float(result.train_error_) / len(X),
        )


class PyTreesLds(PyTrees):
    """The same with limited discrepancy: good trees early, proofs later."""

    name = "pytrees-lds"

    def binary_options(self) -> dict[str, Any]:
        """Return the rule, and the order of features that it counts in."""
        from pytrees.rules import DiscrepancyRule

        return {"heuristic": "information_gain", "discrepancy": DiscrepancyRule()}

    def continuous_options(self) -> dict[str, Any]:
        """Return the switch."""
        return {"use_lds": True}
