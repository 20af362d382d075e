"""Exchange: pass bounds of row sets from finished tasks to later tasks.

The same splits in another order lead to the same rows, so row sets that one worker has
searched occur again below the first splits of others. The bounds of the row sets with
the most work are sent along with tasks, so that they need not be searched again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import NamedTuple

from ostrya._cluster.task import Path, Task

#: Most bytes of bounds that are kept for workers that have not received them.
MOST_KEPT = 2**27
#: Most bytes that all running tasks together receive and return; and the minimum each.
MOST_SENT, LEAST_SENT = 2**26, 2**20
MOST_TOLD, LEAST_TOLD = 2**24, 2**17


class Told(NamedTuple):
    """The bounds that one task has proved, numbered in the order of arrival."""

    number: int
    path: Path
    facts: bytes


class Exchange:
    """The bounds that tasks returned, and which workers have received them."""

    def __init__(self) -> None:
        self._news: deque[Told] = deque()
        self._n_bytes = 0
        self._n_told = 0
        self._heard: dict[tuple[int, Path], int] = {}

    def put(self, path: Path, facts: bytes) -> None:
        """Store the bounds that a task has proved for row sets of a subproblem."""
        self._n_told += 1
        self._news.append(Told(self._n_told, path, facts))
        self._n_bytes += len(facts)
        while self._n_bytes > MOST_KEPT:
            self._n_bytes -= len(self._news.popleft().facts)

    def informed(self, task: Task, worker: int, n_threads: int) -> Task:
        """Return a task with the bounds that its worker has not received yet.

        The more workers there are, the less each receives and returns, because all
        bounds pass through this process.
        """
        if n_threads == 1:  # a single worker remembers its own bounds
            return task
        heard = self._heard.get((worker, task.path), 0)
        self._heard[worker, task.path] = self._n_told
        told: list[bytes] = []
        n_left = max(MOST_SENT // n_threads, LEAST_SENT)
        for news in reversed(self._news):
            if news.number <= heard:
                break
            if news.path == task.path and len(news.facts) <= n_left:
                n_left -= len(news.facts)
                told.append(news.facts)
        told.reverse()
        most_told = max(MOST_TOLD // n_threads, LEAST_TOLD)
        return replace(task, told=tuple(told), most_told_bytes=most_told)
