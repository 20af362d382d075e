"""Ostrya without dual prices (B10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders.ostrya import Ostrya
from benchmarks.problem import Group
from benchmarks.task import Task


class Unpriced(Ostrya):
    """`ostrya.solve` with `Bounds(dual_prices=False)`, on problems that have prices."""

    name = "ostrya-unpriced"
    groups = frozenset({Group.ANY_DEPTH})

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the outcome."""
        return self.package.solve(
            X,
            y,
            leaf_penalty=task.problem.penalty,
            max_depth=task.problem.depth,
            time_limit=task.time_limit,
            memory_limit=task.memory_limit,
            bounds=self.package.bounds.Bounds(dual_prices=False),
        )
