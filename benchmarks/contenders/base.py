"""The interface of a contender: what to install, how to run it, how to read results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from benchmarks.problem import Group, Problem
from benchmarks.task import Task

#: Seconds after which a search should know most of what a slow one ever will.
EARLY = 10.0


@dataclass(frozen=True)
class Answer:
    """What a contender found and what it says about it.

    Parameters
    ----------
    predictions : ndarray
        The label code of each training row; the error is recounted from these.
    leaves : int
        Leaves of the tree.
    status : str
        "optimal", "time_limit", "memory_limit", "interrupted" or "heuristic".
    claims_optimal : bool
        Whether the contender says that no tree is better.
    claimed : float or None, default None
        The objective by the contender's own count, charged per leaf.
    lower : float or None, default None
        The lower bound on the objective that it reports.
    subproblems : int or None, default None
        Subproblems it says it looked at.
    engine_seconds : float or None, default None
        The time it says its compiled search took, of the seconds measured.
    early_gap : float or None, default None
        Objective less lower bound after the first `EARLY` seconds.
    trace : tuple of (float, float, float), default ()
        Seconds, lower bound and objective whenever one of the bounds moved.
    """

    predictions: np.ndarray
    leaves: int
    status: str
    claims_optimal: bool
    claimed: float | None = None
    lower: float | None = None
    subproblems: int | None = None
    engine_seconds: float | None = None
    early_gap: float | None = None
    trace: tuple[tuple[float, float, float], ...] = ()


class Contender(ABC):
    """One package. The class says what it needs; an instance has it imported."""

    name: ClassVar[str]
    #: Pinned packages of its own virtual environment; none: the one we run in.
    requirements: ClassVar[tuple[str, ...]] = ()
    groups: ClassVar[frozenset[Group]] = frozenset(Group)

    @classmethod
    def environment(cls) -> str:
        """Return the name of its virtual environment, which variants can share."""
        return cls.name

    @classmethod
    def takes(cls, problem: Problem) -> bool:
        """Tell whether the package solves such problems."""
        return problem.group in cls.groups

    def version(self) -> str:
        """Return what tells this build of the package from any other."""
        return version(self.name)

    def matrix(self, X: np.ndarray) -> np.ndarray:
        """Return the columns in the form the package takes (not timed)."""
        return X

    @abstractmethod
    def solve(self, X: np.ndarray, y: np.ndarray, task: Task) -> Any:
        """Run the package (timed) and return its result as it comes."""

    @abstractmethod
    def answer(self, result: Any, X: np.ndarray, task: Task) -> Answer:
        """Read the result (not timed)."""
