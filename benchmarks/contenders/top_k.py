"""Ostrya's Top-k search, one contender for each k of the paper's Figure 3."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from benchmarks.contenders.base import Answer
from benchmarks.contenders.ostrya import Ostrya
from benchmarks.task import Task


class TopK(Ostrya):
    """`ostrya.solve` with `top_k`; what it proves is about the trees that k lets in."""

    k: ClassVar[int]

    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Return the outcome."""
        return self.package.solve(
            X,
            y,
            leaf_penalty=task.problem.penalty,
            max_depth=task.problem.depth,
            time_limit=task.time_limit,
            memory_limit=task.memory_limit,
            top_k=self.package.top_k.TopKSplits(k=self.k),
            n_jobs=self.n_jobs,
        )

    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Read the outcome; its lower bound speaks of some trees only."""
        return replace(super().answer(result, X, task), lower=None)


class Top1(TopK):
    """The greedy tree."""

    name = "ostrya-top1"
    k = 1


class Top8(TopK):
    """Eight splits a node."""

    name = "ostrya-top8"
    k = 8


class Top16(TopK):
    """Sixteen splits a node."""

    name = "ostrya-top16"
    k = 16
