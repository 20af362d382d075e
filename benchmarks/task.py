"""A task: one contender on one problem with given limits, sent to a child process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from benchmarks.problem import Group, Problem


@dataclass(frozen=True)
class Task:
    """What one child process is asked to do.

    Parameters
    ----------
    problem : Problem
    contender : str
        Name of a contender.
    time_limit : float
        Seconds the contender is told to keep to.
    memory_limit : int or None, default None
        Bytes the contender is told to keep to, where it knows such a limit.
    interrupt_after : float or None, default None
        Seconds after which the child sends itself one Ctrl-C.
    keeps_trace : bool, default False
        Whether the bounds over time are wanted, from contenders that tell them.
    """

    problem: Problem
    contender: str
    time_limit: float
    memory_limit: int | None = None
    interrupt_after: float | None = None
    keeps_trace: bool = False

    def to_json(self) -> str:
        """Return the task as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Task:
        """Return the task that `to_json` wrote."""
        fields = json.loads(line)
        problem = fields.pop("problem")
        problem["group"] = Group(problem["group"])
        problem["tags"] = tuple(problem["tags"])
        return cls(Problem(**problem), **fields)
