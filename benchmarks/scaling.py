"""Simulate many threads by replaying recorded searches.

One thread searches a problem and records its pieces: splits of the root, splits of
their children, and of the children of those, with the work that each took. The replay
assigns them to W workers by the rules of the engine. A worker takes the first split of
the root that no other worker has. If all remaining splits are taken, it joins the one
with the most remaining work, scans its rows again, takes the first free split there,
and so on. Everything else stays with the first worker: scans of the root, first trees,
dual prices. Workers exchange bounds of the root one at a time.

The replay does not account for two effects: a split that is explored before a better
tree is known has a larger budget, and two workers may search the same rows in different
places. Two real threads show how much this costs (`python -m benchmarks threads`).
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.data import load
from benchmarks.problem import Problem

WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
#: Nanoseconds in which a worker exchanges what it knows of one split of the root.
EXCHANGE = 2.0


class Piece:
    """A split that was explored, and the splits explored below it.

    Parameters
    ----------
    work : float
        Seconds that it took, those of its parts included.
    parts : list of Piece
    """

    def __init__(self, work: float, parts: list[Piece]) -> None:
        self.work = work
        self.parts = parts
        self.next_part = 0
        #: Seconds of the parts that nobody has taken.
        self.left = sum(part.work for part in parts)
        #: Seconds of the piece itself, before its parts: whoever joins repeats them.
        self.own = max(0.0, work - self.left)

    def copy(self) -> Piece:
        """Return the piece as it was before anybody took a part."""
        return Piece(self.work, [part.copy() for part in self.parts])

    @property
    def has_parts(self) -> bool:
        """Whether there are parts that nobody has taken."""
        return self.next_part < len(self.parts)

    def take(self) -> Piece | None:
        """Return the earliest part that nobody is at."""
        if not self.has_parts:
            return None
        part = self.parts[self.next_part]
        self.next_part += 1
        self.left -= part.work
        return part


@dataclass(frozen=True)
class Recording:
    """A search by one thread: its seconds, what is no piece of it, and the pieces."""

    name: str
    seconds: float
    serial: float
    exchange: float
    pieces: list[Piece]


def record(problem: Problem, time_limit: float) -> Recording | None:
    """Search a problem and return its pieces in seconds; None without a proof."""
    from ostrya import _core
    from ostrya._solve.grid import to_grid
    from ostrya._solve.validation import check_data

    X, y = load(problem)
    data = check_data(X, y, None, None, None, problem.penalty)
    grid = to_grid(data)
    limits = _core.Limits(max_depth=problem.depth, time_limit=time_limit)
    # Of the processor: another program may have it for a while.
    started = time.process_time()
    found = _core.solve(
        *(data.X, data.codes, grid.weights),
        *(grid.costs, grid.scale, grid.penalty),
        _core.Options(limits, logs_tasks=True),
    )
    if found.status != "optimal":
        return None
    seconds = time.process_time() - started
    per_word = seconds / max(1, found.statistics.work)
    pieces = _nested(
        [(task.level, (task.end - task.begin) * per_word) for task in found.tasks]
    )
    return Recording(
        problem.name,
        seconds,
        serial=seconds - sum(piece.work for piece in pieces),
        exchange=EXCHANGE * 1e-9 * found.statistics.n_thresholds,
        pieces=pieces,
    )


def _nested(tasks: list[tuple[int, float]], level: int = 0) -> list[Piece]:
    """Return the pieces of a level, with those of the levels below as their parts."""
    starts = [at for at, (its_level, _) in enumerate(tasks) if its_level == level]
    ends = [*starts[1:], len(tasks)]
    return [
        Piece(tasks[start][1], _nested(tasks[start + 1 : end], level + 1))
        for start, end in zip(starts, ends, strict=False)
    ]


def replay(recording: Recording, n_workers: int) -> float:
    """Return the seconds that so many workers would take."""
    pieces = [piece.copy() for piece in recording.pieces]
    root = Piece(sum(piece.work for piece in pieces), pieces)
    crew = Crew(root)
    end = board_is_free = recording.serial
    ready: list[tuple[float, int, list[Piece]]] = [
        (recording.serial, worker, [root]) for worker in range(n_workers)
    ]
    while ready:
        now, worker, stack = heapq.heappop(ready)
        duration = crew.next_work(stack)
        if duration is None:
            continue
        if n_workers > 1 and len(stack) <= 2:  # one at a time
            now = board_is_free = max(now, board_is_free) + recording.exchange
        end = max(end, now + duration)
        heapq.heappush(ready, (now + duration, worker, stack))
    return end


class Crew:
    """The workers of a replay, and where they can join each other."""

    def __init__(self, root: Piece) -> None:
        self.root = root
        self.begun: list[list[Piece]] = []  # pieces with parts, each with its path

    def next_work(self, stack: list[Piece]) -> float | None:
        """Return the seconds of what a worker does next, and have it go there."""
        while stack:
            part = stack[-1].take()
            if part is None:
                stack.pop()
                continue
            if not part.parts:
                return part.work
            stack.append(part)
            self.begun.append(list(stack))
            return part.own
        self.begun = [path for path in self.begun if path[-1].has_parts]
        stack.append(self.root)
        if not self.begun:
            return None
        stack[:] = max(self.begun, key=lambda path: path[-1].left)
        return sum(piece.own for piece in stack[1:])


def report(
    problems: tuple[Problem, ...], time_limit: float, least: float, picture: Path
) -> Iterator[str]:
    """Yield the table of speed-ups as it is made, and draw the picture of it."""
    yield f"| problem | seconds | {' | '.join(map(str, WORKERS[1:]))} |"
    yield f"|{' --- |' * (len(WORKERS) + 1)}"
    curves = {}
    for problem in problems:
        recording = record(problem, time_limit)
        if recording is None or recording.seconds < least:
            continue
        alone = replay(recording, 1)
        speeds = [alone / replay(recording, workers) for workers in WORKERS]
        curves[recording.name] = speeds
        cells = [f"{speed:.1f}x" for speed in speeds[1:]]
        yield f"| {recording.name} | {recording.seconds:.2f} | {' | '.join(cells)} |"
    if curves:
        means = np.exp(np.log(list(curves.values())).mean(axis=0))
        cells = [f"{speed:.1f}x" for speed in means[1:]]
        yield f"| geometric mean | | {' | '.join(cells)} |"
        draw(curves, means, picture)


def draw(curves: dict[str, list[float]], means: np.ndarray, picture: Path) -> None:
    """Draw speed-up against workers, one thin line per problem."""
    # It needs matplotlib, which the other commands do without.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    for speeds in curves.values():
        axes.plot(WORKERS, speeds, color="0.75", linewidth=0.8)
    axes.plot(WORKERS, means, color="C0", linewidth=2, label="geometric mean")
    axes.plot(WORKERS, WORKERS, color="0.3", linestyle=":", label="perfect")
    axes.set(xlabel="threads", ylabel="speed-up, simulated", xscale="log", yscale="log")
    axes.set_xticks(WORKERS, [str(workers) for workers in WORKERS])
    axes.minorticks_off()
    axes.set_yticks(WORKERS, [str(workers) for workers in WORKERS])
    axes.legend(frameon=False)
    figure.savefig(picture)
