"""Simulate many workers of a cluster by replaying recorded searches.

The recorded pieces are those of `benchmarks.scaling`: splits of the root, of their
children, and of the children of those, with the seconds that each took on one thread.
The replay assigns them by the rules of `ostrya._cluster.agenda`: a task is a range of
splits of one subproblem with a time budget; ranges that ran out of time are divided,
and a single split that takes too long becomes a subproblem. Each task costs a round
trip and a start, in which rows are prepared and the root is built again. Unfinished
work of a task is lost in the replay; real workers remember some of it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.problem import Problem
from benchmarks.scaling import WORKERS, Piece, Recording, record
from ostrya._cluster.agenda import LEAST_SECONDS, MOST_HALVINGS, MOST_SECONDS, SHARE
from ostrya._cluster.search import ALONE

#: Seconds from a worker to the scheduler and back.
DELAYS = (0.001, 0.02, 0.1)
#: Seconds in which a task is started, as `python -m benchmarks cluster` has them.
START = 0.05


@dataclass(eq=False)
class Item:
    """A split to explore."""

    piece: Piece
    tries: int = 0


@dataclass(eq=False)
class Work:
    """What a worker does: splits of one subproblem, or a subproblem to open."""

    items: list[Item]
    group: list[Item]  # the others of the subproblem
    budget: float
    opens: bool

    def done(self) -> tuple[float, list[Item]]:
        """Return the seconds that it takes, and what it gives to others then."""
        if self.opens:
            piece = self.items[0].piece
            return piece.own, [Item(part) for part in piece.parts]
        spent = 0.0
        for at, item in enumerate(self.items):
            if spent + item.piece.work > self.budget:
                left = self.items[at:]
                return self.budget, [Item(each.piece, each.tries + 1) for each in left]
            spent += item.piece.work
        return spent, []


class Pool:
    """Splits that nobody is at, by subproblem."""

    def __init__(self, n_workers: int, items: list[Item]) -> None:
        self.n_workers = n_workers
        self.groups = [items]

    def take(self, now: float) -> Work | None:
        """Return what the next idle worker does."""
        base = min(max(SHARE * now, LEAST_SECONDS), MOST_SECONDS)
        for group in self.groups:
            if group:
                return self._take_from(group, base)
        return None

    def _take_from(self, group: list[Item], base: float) -> Work:
        n, tries = len(group), min(group[0].tries, MOST_HALVINGS)
        budget = min(base * 2**tries, MOST_SECONDS)
        step = self.n_workers * 2**tries
        items = group[::step]
        del group[::step]
        has_parts = len(items) > 1 or bool(items[0].piece.parts)
        is_stuck = len(items) == 1 and tries > 0
        opens = (
            is_stuck and has_parts and (n <= self.n_workers or budget >= MOST_SECONDS)
        )
        # What cannot be cut up any further runs to its end.
        return Work(items, group, budget if has_parts else math.inf, opens)

    def put(self, work: Work, given: list[Item]) -> None:
        """Have what a worker gives handed out."""
        if work.opens:
            self.groups.append(given)
        else:
            work.group += given


def replay(recording: Recording, n_workers: int, delay: float, start: float) -> float:
    """Return the seconds that so many workers would take."""
    now = alone = max(recording.serial, ALONE)
    left, first = alone - recording.serial, 0
    for piece in recording.pieces:  # what is over before others join
        if piece.work > left:
            break
        left -= piece.work
        first += 1
    pool = Pool(n_workers, [Item(piece) for piece in recording.pieces[first:]])
    idle, count = n_workers, 0
    busy: list[tuple[float, int, Work, list[Item]]] = []
    while True:
        while idle and (work := pool.take(now)) is not None:
            idle, count = idle - 1, count + 1
            seconds, given = work.done()
            heapq.heappush(busy, (now + delay + start + seconds, count, work, given))
        if not busy:
            return now
        now, _, work, given = heapq.heappop(busy)
        idle += 1
        pool.put(work, given)


def report(
    problems: tuple[Problem, ...], time_limit: float, least: float
) -> Iterator[str]:
    """Yield the table of speed-ups over one search without a cluster."""
    middle = DELAYS[1]
    others = [each for each in DELAYS if each != middle]
    heads = [
        *(f"{n}" for n in WORKERS[1:]),
        *(f"{WORKERS[-1]}, {1000 * each:g} ms" for each in others),
    ]
    yield f"| problem | seconds | {' | '.join(heads)} |"
    yield f"|{' --- |' * (len(heads) + 2)}"
    rows = []
    for problem in problems:
        recording = record(problem, time_limit)
        if recording is None or recording.seconds < least:
            continue
        speeds = [
            *(replay(recording, n, middle, START) for n in WORKERS[1:]),
            *(replay(recording, WORKERS[-1], each, START) for each in others),
        ]
        speeds = [recording.seconds / each for each in speeds]
        rows.append(speeds)
        cells = [f"{speed:.1f}x" for speed in speeds]
        yield f"| {recording.name} | {recording.seconds:.1f} | {' | '.join(cells)} |"
    if rows:
        means = np.exp(np.log(rows).mean(axis=0))
        cells = [f"{speed:.1f}x" for speed in means]
        yield f"| geometric mean | | {' | '.join(cells)} |"
