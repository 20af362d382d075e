"""Exchange: what tasks have proved of row sets, handed on to the tasks that follow.

The same rows are come to by the same questions in another order, so what one worker has
searched below its first splits another comes to below its own. Bounds of the row sets
that took most work travel with the tasks: whoever has them need not search again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import NamedTuple

from ostrya._cluster.task import Path, Task

#: Bytes that are kept for those who have not heard of them.
MOST_KEPT = 2**27
#: Bytes that all tasks at a time are sent, and that they tell; and one at least.
MOST_SENT, LEAST_SENT = 2**26, 2**20
MOST_TOLD, LEAST_TOLD = 2**24, 2**17


class Told(NamedTuple):
    """What one task has proved, in the order that tasks came back."""

    number: int
    path: Path
    facts: bytes


class Exchange:
    """What tasks have told, and who has heard of it."""

    def __init__(self) -> None:
        self._news: deque[Told] = deque()
        self._n_bytes = 0
        self._n_told = 0
        self._heard: dict[tuple[int, Path], int] = {}

    def put(self, path: Path, facts: bytes) -> None:
        """Keep what a task has proved of a subproblem's row sets."""
        self._n_told += 1
        self._news.append(Told(self._n_told, path, facts))
        self._n_bytes += len(facts)
        while self._n_bytes > MOST_KEPT:
            self._n_bytes -= len(self._news.popleft().facts)

    def informed(self, task: Task, worker: int, n_threads: int) -> Task:
        """Return a task with all that its worker has not heard yet.

        The more workers there are, the less each is told, and tells: in the end all of
        it goes through this process.
        """
        if n_threads == 1:  # it remembers what it has proved itself
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
