"""ClusterSearch: run the parts of one search on the workers of a cluster.

The search starts on this machine, because most searches finish before a cluster is of
use, and to find first trees and the bounds of all first splits. Then tasks are sent to
the workers and their results are combined, so that lower bound, tree and progress are
those of a single search. At the end, the tree is chosen by the usual rule.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

import ostrya._core as _core
from ostrya._cluster.agenda import Agenda, Assignment
from ostrya._cluster.context import Client
from ostrya._cluster.exchange import Exchange
from ostrya._cluster.subproblem import Subproblem
from ostrya._cluster.task import Facts, SharedProblem
from ostrya._cluster.workers import Workers, new_name
from ostrya._solve.engine import search_columns
from ostrya._solve.grid import Grid
from ostrya._solve.limits import LEAST_SECONDS, Limits
from ostrya._solve.search import Report, SearchOptions, SearchPoint, SearchResult
from ostrya._solve.training_data import TrainingData, engine_rows
from ostrya.bounds import Bounds
from ostrya.exceptions import InternalError
from ostrya.results.outcome import Status, has_hit_limit

#: Seconds that a search runs on this machine before it is distributed.
ALONE = 1.0
#: Seconds between two checks for finished tasks, and between two reports.
PAUSE = 0.1


class ClusterSearch:
    """A search of all trees for an additive loss.

    Parameters
    ----------
    data, grid : TrainingData, Grid
    options : SearchOptions
        Its limits apply to the whole search, except the memory limit, which applies to
        each process.
    given : Limits
        The limits of the caller; workers have their own memory.
    report : Report, optional
    client : Client
    """

    def __init__(
        self,
        data: TrainingData,
        grid: Grid,
        options: SearchOptions,
        given: Limits,
        report: Report | None,
        client: Client,
    ) -> None:
        self._started = time.perf_counter()
        self._data, self._grid = data, grid
        self._options = options
        self._given = given
        self._report = report
        self._client = client
        self._trace: list[SearchPoint] = []
        self._next_report = 0.0
        self.n_tasks = 0
        self.engine_seconds = 0.0  # of all tasks together

    def run(self) -> SearchResult:
        """Search on this machine first, then on all workers."""
        kept = Facts(None)
        options = replace(self._options, checkpoint=kept, hand_over=ALONE)
        begun = search_columns(self._data, self._grid, options, self._report)
        is_handed_over = begun.status == "time_limit" and self._left() > 0
        if begun.splits is None or not is_handed_over:
            return begun
        assert isinstance(self._options.bounds, Bounds)
        problem = SharedProblem(
            *(new_name(), *merged(self._data, self._grid, self._options.limits)),
            *(self._options.bounds, self._options.upper, kept.facts or b""),
        )
        limits = replace(self._options.limits, memory_limit=self._given.memory_limit)
        self._root = Subproblem(problem, (), limits)
        self._root.ceiling = self._options.upper
        self._root.learn(begun)
        self._begun, self._took = begun, begun.statistics
        self._trace += begun.trace
        self._agenda = Agenda(self._root, self._options.upper)
        self._exchange = Exchange()
        workers = Workers(self._client, problem, self._agenda.goal)
        self._options.ctrl_c.keep()
        try:
            status = self._search(workers)
            if status == "optimal":
                self._choose_tree(workers)
        finally:
            workers.end()
        self.n_tasks = workers.n_tasks
        was_interrupted = status == "interrupted"
        self._options.ctrl_c.has_searched(was_interrupted=was_interrupted)
        return self._result(status)

    def _left(self) -> float:
        limit = self._options.limits.time_limit
        spent = time.perf_counter() - self._started
        return float("inf") if limit is None else limit - spent

    def _search(self, workers: Workers) -> Status:
        """Send tasks until the search is complete or has to end."""
        agenda = self._agenda
        while not agenda.is_done:
            if (reason := self._has_to_end()) is not None:
                return reason
            workers.send(lambda worker: self._next_task(worker, workers.n_threads))
            if workers.n_threads and not workers.n_running:
                raise InternalError(
                    "the distributed search has no tasks left but is not complete. "
                    "This is a bug in Ostrya; please report it with the data and the "
                    "arguments of the call"
                )
            for done in workers.wait(min(PAUSE, max(self._left(), 0.0))):
                agenda.put_back(done.assignment)
                if done.result is None:
                    continue
                if done.result.news is not None:
                    self._exchange.put(done.assignment.task.path, done.result.news)
                status = self._learn(done.assignment, done.result.found, done.worker)
                if status is not None:
                    return status
            workers.tell(agenda.goal)
            self._note()
        return "optimal" if self._root.lower >= self._root.upper else "upper_bound"

    def _has_to_end(self) -> Status | None:
        """Report the progress, and return the reason if the search has to end."""
        if self._options.ctrl_c.is_pressed():
            return "interrupted"
        if self._left() <= 0:
            return "time_limit"
        now = time.perf_counter()
        if self._report is not None and now >= self._next_report:
            self._next_report = now + PAUSE
            if self._report(self._point()):
                return "interrupted"
        return None

    def _next_task(self, worker: int, n_threads: int) -> Assignment | None:
        elapsed = time.perf_counter() - self._started
        found = self._agenda.next(worker, n_threads, elapsed)
        if found is None:
            return None
        task = self._exchange.informed(found.task, worker, n_threads)
        return self._within_time(found._replace(task=task))

    def _within_time(self, assignment: Assignment) -> Assignment:
        """Limit the time of a task to the remaining time of the search."""
        task, left = assignment.task, self._left()
        if left == float("inf"):
            return assignment
        limits = replace(task.limits, time_limit=max(left, LEAST_SECONDS))
        return assignment._replace(task=replace(task, limits=limits))

    def _learn(
        self, assignment: Assignment, found: SearchResult, worker: int
    ) -> Status | None:
        """Add the result of a task; return the reason if the search has to end."""
        at = assignment.subproblem
        self._took = self._took + found.statistics
        self.engine_seconds += found.statistics.seconds
        if assignment.places is None and at.ceiling is None:
            at.ceiling = assignment.task.upper
        at.learn(found)
        if not has_hit_limit(found.status):
            self._agenda.had_time_left(assignment, found.statistics.seconds)
            return None
        is_open = not at.is_settled(assignment.task.upper)
        if found.status == "memory_limit" and assignment.places is None and is_open:
            return "memory_limit"
        # Smaller tasks may still fit into memory.
        self._agenda.ran_out_of_time(assignment, worker)
        return None

    def _point(self) -> SearchPoint:
        root = self._root
        return SearchPoint(
            time.perf_counter() - self._started,
            *(min(root.lower, root.upper), root.upper, self._took.subproblems),
            *(self._took.peak_memory, root.shape.n_leaves),
            proved_depth=self._begun.proved_depth,
            work=self._took.work,
        )

    def _note(self) -> None:
        point, last = self._point(), self._trace[-1]
        if (point.lower, point.upper) != (last.lower, last.upper):
            self._trace.append(point)

    def _choose_tree(self, workers: Workers) -> None:
        """Choose the same tree as a search on one machine, if there is time."""
        is_sent = workers.send_last(self._within_time(self._agenda.last_task()))
        while is_sent and not self._has_to_end():
            for done in workers.wait(PAUSE):
                if done.assignment.task.optimum is None:
                    continue  # its result is not needed any more
                if done.result is None:
                    is_sent = workers.send_last(self._within_time(done.assignment))
                    continue
                found = done.result.found
                self._took = self._took + found.statistics
                if found.upper == self._root.upper:
                    self._root.shape = found.shape
                return

    def _result(self, status: Status) -> SearchResult:
        root = self._root
        took = replace(self._took, seconds=time.perf_counter() - self._started)
        return SearchResult(
            shape=root.shape,
            lower=min(root.lower, root.upper),
            upper=root.upper,
            status=status,
            trace=tuple(self._trace),
            statistics=took,
            proved_depth=self._begun.proved_depth,
        )


def merged(data: TrainingData, grid: Grid, limits: Limits) -> tuple[TrainingData, Grid]:
    """Merge equal rows of a class, so that less data is sent.

    The weights are the integers of the grid.
    """
    if limits.min_samples_leaf > 1:  # rows are counted
        return data.part(slice(None)), grid
    number = _core.number_rows(engine_rows(data.X))
    assert number is not None  # there was no time limit
    kinds, first, kind = np.unique(
        number.astype(np.int64) * data.n_classes + data.codes,
        return_index=True,
        return_inverse=True,
    )
    if len(kinds) == data.n_samples:
        return data.part(slice(None)), grid
    weights = np.zeros(len(kinds), dtype=np.int64)
    np.add.at(weights, kind, grid.weights)
    order = np.argsort(first)  # the order of first occurrence, as in the engine
    kept = first[order]
    return data.part(kept), replace(grid, weights=weights[order])
