"""Tasks: the input, work and result of a worker.

A task depends only on its arguments, so if its worker dies, it is run again elsewhere.
What a worker remembers from earlier tasks saves time, and never makes a bound invalid.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import ostrya._core as _core
from ostrya._solve.checkpoint import Checkpoint
from ostrya._solve.engine import search_columns
from ostrya._solve.grid import Grid
from ostrya._solve.limits import Limits
from ostrya._solve.root_part import RootPart, SplitBounds
from ostrya._solve.search import SearchOptions, SearchPoint, SearchResult
from ostrya._solve.training_data import TrainingData
from ostrya.bounds import Bounds

#: Seconds between two checks for better trees found by others.
LOOK = 0.25
#: Most subproblems whose facts a worker remembers, and their maximum size in bytes.
MOST_REMEMBERED = 8
MOST_BYTES = 2**28


class Step(NamedTuple):
    """One split on the path from the root to a subproblem, with its answer."""

    feature: int
    cut: float  # values <= cut answer yes
    is_yes: bool


Path = tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class SharedProblem:
    """The data that all tasks of a search share; sent once to each worker."""

    name: str  # of the search
    data: TrainingData
    grid: Grid
    bounds: Bounds
    upper: int | None  # the upper bound of the caller
    facts: bytes  # what was proved for the root before the search was distributed

    def below(self, path: Path) -> tuple[TrainingData, Grid]:
        """Return the problem of the rows below a path."""
        if not path:
            return self.data, self.grid
        rows = rows_below(self.data, path)
        grid = replace(self.grid, weights=self.grid.weights[rows])
        return self.data.part(rows), grid


def rows_below(data: TrainingData, path: Path) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows below a path."""
    rows = np.ones(data.n_samples, dtype=bool)
    for step in path:
        rows &= (data.X[:, step.feature] <= step.cut) == step.is_yes
    return rows


@dataclass(frozen=True, eq=False)
class Stretch:
    """Some first splits of a subproblem, and the bounds of all of them."""

    places: npt.NDArray[np.intp]
    bounds: SplitBounds


@dataclass(frozen=True, eq=False)
class Task:
    """A subproblem to open, splits of it to explore, or a tree to choose."""

    path: Path
    limits: Limits
    upper: int  # only trees of the subproblem that cost less are of interest
    beside: int  # a lower bound for the rest of a tree with this subproblem
    seconds: float
    stretch: Stretch | None = None  # None to open the subproblem
    optimum: int | None = None  # if proved, only the tree has to be chosen
    told: tuple[bytes, ...] = ()  # bounds of row sets proved by other tasks
    most_told_bytes: int = 0  # maximum size of the bounds it returns for others


@dataclass(frozen=True, eq=False)
class TaskResult:
    """The result of a task."""

    found: SearchResult
    worker: str
    seconds: float
    news: bytes | None  # bounds of row sets for other tasks


class News(NamedTuple):
    """The shared state that workers check while they search."""

    upper: int  # the cost of the best tree so far
    is_over: bool


class Facts(Checkpoint):
    """A checkpoint in memory, which also collects bounds for other tasks."""

    def __init__(self, facts: bytes | None, task: Task | None = None) -> None:
        super().__init__("", facts)
        self.news: bytes | None = None
        if task is not None and task.most_told_bytes > 0:
            self.told = list(task.told)
            self.tell = self._note
            self.most_told_bytes = task.most_told_bytes

    def write(self, facts: Any) -> None:  # a view that is valid only during the call
        """Store a copy."""
        self.facts = bytes(facts)

    def _note(self, facts: Any) -> None:
        self.news = bytes(facts)


class Remembered:
    """The facts of the subproblems on which a worker worked most recently.

    There is one instance per process, shared by its threads.
    """

    def __init__(self) -> None:
        self._facts: OrderedDict[tuple[str, Path], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str, path: Path) -> bytes | None:
        """Remove and return the facts of a subproblem."""
        with self._lock:
            return self._facts.pop((name, path), None)

    def put(self, name: str, path: Path, facts: bytes) -> None:
        """Store facts; the least recently used ones are dropped."""
        with self._lock:
            for other in [key for key in self._facts if key[0] != name]:
                del self._facts[other]
            self._facts[name, path] = facts
            while len(self._facts) > 1 and (
                len(self._facts) > MOST_REMEMBERED
                or sum(map(len, self._facts.values())) > MOST_BYTES
            ):
                self._facts.popitem(last=False)


_REMEMBERED = Remembered()


def run_task(problem: SharedProblem, task: Task, board: str | None) -> TaskResult:
    """Run a task on a worker; `board` is the name of the Dask variable with `News`."""
    started = time.perf_counter()
    upper = _core.SharedUpper(task.upper)
    data, grid = problem.below(task.path)
    known = _REMEMBERED.take(problem.name, task.path)
    if known is None and not task.path:
        known = problem.facts
    kept = Facts(known, task)
    options = SearchOptions(
        limits=_worker_limits(task.limits).remaining(data.n_samples, started),
        upper=task.upper if task.optimum is None else problem.upper,
        bounds=problem.bounds,
        checkpoint=kept,
        hand_over=task.seconds if task.optimum is None else None,
        optimum=task.optimum,
        part=None if task.stretch is None else _part_of(task.stretch, upper),
    )
    found = search_columns(data, grid, options, _listen(board, task, upper))
    if task.stretch is not None and found.splits is not None:
        found = replace(found, splits=found.splits.bounds_alone())
    if kept.facts is not None:
        _REMEMBERED.put(problem.name, task.path, kept.facts)
    seconds = time.perf_counter() - started
    return TaskResult(found, _own_address(), seconds, kept.news)


def _part_of(stretch: Stretch, upper: _core.SharedUpper) -> RootPart:
    is_mine = np.zeros(len(stretch.bounds.rest), dtype=bool)
    is_mine[stretch.places] = True
    return RootPart(is_mine, stretch.bounds, upper)


def _listen(
    board: str | None, task: Task, upper: _core.SharedUpper
) -> Callable[[SearchPoint], bool] | None:
    """Return a callback that checks for better trees and the end of the search."""
    if board is None:
        return None
    from distributed import Variable, get_client

    variable = Variable(board, client=get_client())
    next_look = time.perf_counter() + LOOK

    def listen(point: SearchPoint) -> bool:
        nonlocal next_look
        if time.perf_counter() < next_look:
            return False
        try:
            news = News(*variable.get(timeout="5s"))
        except (OSError, asyncio.TimeoutError):  # try again later
            return False
        finally:
            next_look = time.perf_counter() + LOOK
        cap = news.upper - task.beside
        upper.lower_to(cap)
        return news.is_over or (cap <= 0 and task.optimum is None)

    return listen


def _worker_limits(limits: Limits) -> Limits:
    """Return the limits with the memory that each thread of this worker may use."""
    from distributed import get_worker

    try:
        worker = get_worker()
    except ValueError:
        return limits
    allowed = worker.memory_manager.memory_limit
    given = limits.memory_limit
    if not allowed:
        return limits
    # Dask ends workers that come close to their limit.
    own = int(0.6 * allowed / worker.state.nthreads)
    return replace(limits, memory_limit=own if given is None else min(own, given))


def _own_address() -> str:
    from distributed import get_worker

    try:
        address: str = get_worker().address
    except ValueError:
        return ""
    return address
