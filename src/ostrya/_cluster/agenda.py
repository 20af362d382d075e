"""Agenda: choose the next task of a distributed search.

The open splits of a subproblem that no task works on are divided into stretches.
Consecutive thresholds of one column stay together, because a bound of one of them often
settles its neighbours. A stretch that ran out of time is divided further. If a single
split runs out of time and there are not enough other tasks, its children become
subproblems of their own, which are opened and divided in the same way.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ostrya._cluster.subproblem import Places, Splits, Subproblem
from ostrya._cluster.task import Task

#: Seconds of a task: minimum, maximum, and as a share of the elapsed time.
LEAST_SECONDS, MOST_SECONDS, SHARE = 0.5, 30.0, 1 / 8
#: How often stretches are halved, and their time is doubled, at most.
MOST_HALVINGS = 20


class Assignment(NamedTuple):
    """A task, its subproblem, and its splits; None if it opens the subproblem."""

    task: Task
    subproblem: Subproblem
    places: Places | None


class Agenda:
    """The remaining tasks of a search."""

    def __init__(self, root: Subproblem, upper: int | None) -> None:
        self.root = root
        self._upper = upper  # the upper bound of the caller

    @property
    def goal(self) -> int:
        """The cost that a better tree must stay below."""
        upper = self.root.upper
        return upper if self._upper is None else min(upper, self._upper)

    @property
    def is_done(self) -> bool:
        """Whether the search is complete."""
        return self.root.is_settled(self.goal)

    def next(self, worker: int, n_threads: int, elapsed: float) -> Assignment | None:
        """Return the next task for a worker, and mark it as running."""
        seconds = min(max(SHARE * elapsed, LEAST_SECONDS), MOST_SECONDS)
        order = _Order(worker, n_threads, seconds, self.goal)
        found = next(order.tasks(self.root, self.goal), None)
        if found is None:
            return None
        if found.places is None:
            found.subproblem.is_busy = True
        elif (splits := found.subproblem.splits) is not None:
            splits.is_busy[found.places] = True
        return found

    def last_task(self) -> Assignment:
        """Return the task that chooses the tree, after its cost is proved."""
        root = self.root
        task = Task(
            *((), root.limits, self.goal, 0, MOST_SECONDS),
            stretch=root.stretch(np.empty(0, dtype=np.intp)),
            optimum=root.upper,
        )
        return Assignment(task, root, None)

    def put_back(self, assignment: Assignment) -> None:
        """Mark a task as no longer running."""
        if assignment.places is None:
            assignment.subproblem.is_busy = False
        elif (splits := assignment.subproblem.splits) is not None:
            splits.is_busy[assignment.places] = False

    def ran_out_of_time(self, assignment: Assignment, worker: int) -> None:
        """Divide splits further if a task did not settle them in its time."""
        places, splits = assignment.places, assignment.subproblem.splits
        if splits is None:
            assignment.subproblem.tries += 1
        if places is None or splits is None:
            return
        left = places[splits.lowers[places] < assignment.task.upper]
        splits.tries[left] += 1
        splits.last[left] = worker

    def had_time_left(self, assignment: Assignment, seconds: float) -> None:
        """Divide splits less finely if a task finished long before its time."""
        splits = assignment.subproblem.splits
        if splits is not None and seconds < assignment.task.seconds / 4:
            np.maximum(splits.tries - 1, 0, out=splits.tries)


class _Order(NamedTuple):
    """The current order of tasks for one worker."""

    worker: int
    n_threads: int
    seconds: float
    goal: int

    def tasks(self, at: Subproblem, cap: int) -> Iterator[Assignment]:
        """Yield tasks that look for trees of a subproblem cheaper than `cap`."""
        cap = min(cap, at.upper)
        if at.is_settled(cap) or at.is_busy:
            return
        if at.splits is None:
            seconds = self.seconds * 2 ** min(at.tries, MOST_HALVINGS)
            yield Assignment(self._task(at, cap, seconds), at, None)
            return
        is_open = at.splits.lowers < cap
        free = np.flatnonzero(is_open & ~at.splits.is_busy & ~at.splits.is_parted)
        for places in self._stretches(at.splits, free):
            tries = int(at.splits.tries[places[0]])
            seconds = self.seconds * 2 ** min(tries, MOST_HALVINGS)
            if at.limits.max_leaf_nodes is None:
                seconds = min(seconds, MOST_SECONDS)
            if len(places) == 1 and tries > 0 and self._is_to_part(at, free, seconds):
                at.part(int(places[0]))
                continue
            task = self._task(at, cap, seconds)
            task = replace(task, stretch=at.stretch(np.sort(places)))
            yield Assignment(task, at, places)
        parted = np.flatnonzero(is_open & at.splits.is_parted)
        for split in parted[np.argsort(at.splits.lowers[parted], kind="stable")]:
            yield from self._below(at, int(split), cap)

    def _is_to_part(self, at: Subproblem, free: Places, seconds: float) -> bool:
        """Return True if the children of a slow split shall be searched separately."""
        # With a limit on leaves, every division of them among the children is needed.
        if at.limits.max_leaf_nodes is not None:
            return False
        return seconds >= MOST_SECONDS or len(free) <= self.n_threads

    def _below(self, at: Subproblem, split: int, cap: int) -> Iterator[Assignment]:
        """Yield tasks below a split, those of the smaller child first."""
        first, second = sorted(at.children[split], key=lambda each: each.n_rows)
        yield from self.tasks(first, cap - second.lower)
        yield from self.tasks(second, cap - first.lower)

    def _task(self, at: Subproblem, cap: int, seconds: float) -> Task:
        return Task(at.path, at.limits, cap, self.goal - cap, seconds)

    def _stretches(self, splits: Splits, free: Places) -> Iterator[Places]:
        """Yield stretches of free splits, the most promising first."""
        if not len(free):
            return
        lowers = splits.lowers
        runs = np.split(free, np.flatnonzero(np.diff(splits.table.feature[free])) + 1)
        first = min(runs, key=lambda run: self._key(splits, lowers, run))
        tries = int(splits.tries[first].max())
        n_wanted = self.n_threads * 2 ** min(tries, MOST_HALVINGS)
        runs = _halved(runs, n_wanted)
        runs.sort(key=lambda run: self._key(splits, lowers, run))
        yield np.concatenate(runs[::n_wanted])
        yield from (run for run in runs if len(run) == 1)

    def _key(
        self, splits: Splits, lowers: np.ndarray, run: Places
    ) -> tuple[bool, int, int]:
        """Return a sort key; runs that other workers remember come last."""
        last = int(splits.last[run[0]])
        return last not in (-1, self.worker), int(lowers[run].min()), int(run[0])


def _halved(runs: list[Places], n_wanted: int) -> list[Places]:
    """Halve runs until there are `n_wanted`, if there are enough splits."""
    longest_first = [(-len(run), int(run[0]), run) for run in runs]
    heapq.heapify(longest_first)
    while len(longest_first) < n_wanted and longest_first[0][0] < -1:
        *_, run = heapq.heappop(longest_first)
        for half in (run[: len(run) // 2], run[len(run) // 2 :]):
            heapq.heappush(longest_first, (-len(half), int(half[0]), half))
    return [run for *_, run in longest_first]
