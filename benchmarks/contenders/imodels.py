"""imodels: a memoised branch and bound compiled by numba, without depth limit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from benchmarks.contenders.base import Answer, Contender
from benchmarks.problem import Group
from benchmarks.task import Task


class Imodels(Contender):
    """`imodels.FastSmallTreeClassifier`; it charges the penalty per leaf, as ours.

    It minimises the error rate plus `regularization` times the leaves, in doubles with
    1e-10 to spare, over all thresholds of the columns as given, which serves it better
    than yes/no columns: it carries bounds along them. There is no limit of depth.
    `optimal_` claims the optimum. Its numba code is compiled, or read from its cache,
    while it warms up.
    """

    name = "imodels"
    requirements = (
        "imodels==3.0.4",
        "numba==0.68.1",
        "six==1.17.0",  # it imports it without asking for it
        "scikit-learn==1.9.1",
        "pandas==3.1.1",
    )
    groups = frozenset({Group.ANY_DEPTH})

    def __init__(self) -> None:
        from imodels import FastSmallTreeClassifier

        self.classifier = FastSmallTreeClassifier

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the fitted classifier; it warns when its time is up."""
        model = self.classifier(
            regularization=task.problem.penalty, time_limit=task.time_limit
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return model.fit(X, y)

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Take leaves and bounds as reported; the time it counts is the search's."""
        optimal = bool(result.optimal_)
        return Answer(
            predictions=result.predict(X),
            leaves=result.n_leaves_,
            status="optimal" if optimal else f"{result.stop_reason_}_limit",
            claims_optimal=optimal,
            claimed=result.objective_,
            lower=result.lowerbound_,
            subproblems=result.iterations_,
            engine_seconds=result.time_,
        )
