"""Ostrya's second engine, the search over sets of leaves that OSDT describes."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders.ostrya import Ostrya
from benchmarks.problem import Group
from benchmarks.task import Task


class LeafSets(Ostrya):
    """`ostrya.solve` with `engine="leaf_sets"` and curiosity, without a depth limit."""

    name = "ostrya-leaf-sets"
    groups = frozenset({Group.ANY_DEPTH, Group.BINARY})

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the outcome."""
        return self.package.solve(
            X,
            y,
            leaf_penalty=task.problem.penalty,
            max_depth=task.problem.depth,
            engine="leaf_sets",
            policy="curiosity",
            time_limit=task.time_limit,
            memory_limit=task.memory_limit or 4 << 30,
        )
