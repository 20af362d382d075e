"""Agenda: which task comes next.

At a subproblem, splits that are open and that nobody is at are cut into stretches: cuts
of one column that follow each other stay together, for what is proved of one settles
its neighbours. A stretch that ran out of time is cut into smaller ones; a split that
ran out of time on its own, where there is not enough else to do, is parted: its
children become subproblems that are opened and cut up in the same way.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ostrya._cluster.subproblem import Places, Splits, Subproblem
from ostrya._cluster.task import Task

#: Seconds of a task: at least, at most, and as a share of what has gone by.
LEAST_SECONDS, MOST_SECONDS, SHARE = 0.5, 30.0, 1 / 8
#: How often stretches are halved, and their time doubled, at most.
MOST_HALVINGS = 20


class Assignment(NamedTuple):
    """A task, the subproblem it is of, and the splits it is at; None: it opens it."""

    task: Task
    subproblem: Subproblem
    places: Places | None


class Agenda:
    """What is left to do of a search below its root."""

    def __init__(self, root: Subproblem, upper: int | None) -> None:
        self.root = root
        self._upper = upper  # only cheaper trees are wanted

    @property
    def goal(self) -> int:
        """What a tree has to cost less than."""
        upper = self.root.upper
        return upper if self._upper is None else min(upper, self._upper)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return self.root.is_settled(self.goal)

    def next(self, worker: int, n_threads: int, elapsed: float) -> Assignment | None:
        """Return the next task for a worker, and note that somebody is at it."""
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
        """Return the task that chooses the tree, once it is known what it costs."""
        root = self.root
        task = Task(
            *((), root.limits, self.goal, 0, MOST_SECONDS),
            stretch=root.stretch(np.empty(0, dtype=np.intp)),
            optimum=root.upper,
        )
        return Assignment(task, root, None)

    def put_back(self, assignment: Assignment) -> None:
        """Note that nobody is at a task any more."""
        if assignment.places is None:
            assignment.subproblem.is_busy = False
        elif (splits := assignment.subproblem.splits) is not None:
            splits.is_busy[assignment.places] = False

    def ran_out_of_time(self, assignment: Assignment, worker: int) -> None:
        """Have splits that a task did not settle in its time cut finer."""
        places, splits = assignment.places, assignment.subproblem.splits
        if splits is None:
            assignment.subproblem.tries += 1
        if places is None or splits is None:
            return
        left = places[splits.lowers[places] < assignment.task.upper]
        splits.tries[left] += 1
        splits.last[left] = worker

    def had_time_left(self, assignment: Assignment, seconds: float) -> None:
        """Have splits cut less fine where a task was over long before its time."""
        splits = assignment.subproblem.splits
        if splits is not None and seconds < assignment.task.seconds / 4:
            np.maximum(splits.tries - 1, 0, out=splits.tries)


class _Order(NamedTuple):
    """The order of tasks, for one worker at one moment."""

    worker: int
    n_threads: int
    seconds: float
    goal: int

    def tasks(self, at: Subproblem, cap: int) -> Iterator[Assignment]:
        """Yield what can be done for trees of a subproblem cheaper than `cap`."""
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
            if at.limits.max_leaves is None:
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
        """Whether a split that takes long is better done in pieces."""
        # Its children would have to share the leaves in every way.
        if at.limits.max_leaves is not None:
            return False
        return seconds >= MOST_SECONDS or len(free) <= self.n_threads

    def _below(self, at: Subproblem, split: int, cap: int) -> Iterator[Assignment]:
        """Yield what can be done below a split: the smaller child first."""
        first, second = sorted(at.children[split], key=lambda each: each.n_rows)
        yield from self.tasks(first, cap - second.lower)
        yield from self.tasks(second, cap - first.lower)

    def _task(self, at: Subproblem, cap: int, seconds: float) -> Task:
        return Task(at.path, at.limits, cap, self.goal - cap, seconds)

    def _stretches(self, splits: Splits, free: Places) -> Iterator[Places]:
        """Yield stretches of free splits, most promising first."""
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
        """Return where a run comes; those of others last, who remember some of it."""
        last = int(splits.last[run[0]])
        return last not in (-1, self.worker), int(lowers[run].min()), int(run[0])


def _halved(runs: list[Places], n_wanted: int) -> list[Places]:
    """Return at least so many runs, if the splits are enough for that."""
    longest_first = [(-len(run), int(run[0]), run) for run in runs]
    heapq.heapify(longest_first)
    while len(longest_first) < n_wanted and longest_first[0][0] < -1:
        *_, run = heapq.heappop(longest_first)
        for half in (run[: len(run) // 2], run[len(run) // 2 :]):
            heapq.heappush(longest_first, (-len(half), int(half[0]), half))
    return [run for *_, run in longest_first]
