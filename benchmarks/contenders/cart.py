"""scikit-learn's CART, pruned for our objective: the result of a greedy method."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders.base import Answer, Contender
from benchmarks.task import Task

#: Prunings tried, each one more greedy fit; denser towards the small trees.
PRUNINGS = 20


class Cart(Contender):
    """`sklearn.tree.DecisionTreeClassifier`, the best of its pruning path."""

    name = "cart"
    requirements = ("scikit-learn==1.9.1",)

    def __init__(self) -> None:
        from sklearn.tree import DecisionTreeClassifier

        self.classifier = DecisionTreeClassifier

    def version(self) -> str:
        """Return the version of scikit-learn."""
        import sklearn

        return sklearn.__version__

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the pruned tree of least error + penalty * leaves."""
        penalty, depth = task.problem.penalty, task.problem.depth

        def objective(model: Any) -> float:
            return 1.0 - model.score(X, y) + penalty * model.get_n_leaves()

        full = self.classifier(max_depth=depth, random_state=0)
        alphas = full.cost_complexity_pruning_path(X, y).ccp_alphas.clip(min=0.0)
        chosen = np.unique(np.geomspace(1, alphas.size, PRUNINGS).astype(int))
        return min(
            (
                self.classifier(
                    max_depth=depth, ccp_alpha=alphas[-from_end], random_state=0
                ).fit(X, y)
                for from_end in chosen
            ),
            key=objective,
        )

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Read the tree; greed claims nothing."""
        return Answer(
            predictions=result.predict(X),
            leaves=int(result.get_n_leaves()),
            status="heuristic",
            claims_optimal=False,
        )
