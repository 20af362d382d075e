"""Ostrya itself, from the environment the benchmarks run in."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.contenders.base import EARLY, Answer, Contender
from benchmarks.task import Task


class Ostrya(Contender):
    """`ostrya.solve`, all included: validation, merging rows, search, the tree."""

    name = "ostrya"
    n_jobs = 1

    def __init__(self) -> None:
        import ostrya
        import ostrya._core

        self.package = ostrya
        self.files = (
            *sorted(Path(ostrya.__file__).parent.rglob("*.py")),
            Path(ostrya._core.__file__),
        )

    def version(self) -> str:
        """Return the version and a digest of the build, so a rebuild is run anew."""
        digest = hashlib.sha256()
        for file in self.files:
            digest.update(file.read_bytes())
        return f"{version('ostrya')}+{digest.hexdigest()[:8]}"

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the Outcome."""
        return self.package.solve(
            X,
            y,
            leaf_penalty=task.problem.penalty,
            max_depth=task.problem.depth,
            time_limit=task.time_limit,
            memory_limit=task.memory_limit,
            n_jobs=self.n_jobs,
        )

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Count the leaves in the arrays of the tree; take bounds as reported."""
        return Answer(
            predictions=result.tree.predict(X),
            leaves=int(np.count_nonzero(result.tree.feature < 0)),
            status=result.status,
            claims_optimal=result.status == "optimal",
            claimed=result.objective,
            lower=result.lower_bound,
            subproblems=result.statistics.subproblems,
            engine_seconds=result.statistics.seconds,
            early_gap=early_gap(result),
            trace=tuple(
                (point.seconds, point.lower_bound, point.objective)
                for point in result.trace
            ),
        )


def early_gap(result: Any) -> float | None:
    """Return the gap when `EARLY` seconds were over; None if there was no tree yet."""
    points = [point for point in result.trace if point.seconds <= EARLY]
    return points[-1].objective - points[-1].lower_bound if points else None
