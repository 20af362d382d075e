"""Workers: send tasks to all threads of a cluster, and collect their results."""

from __future__ import annotations

import queue
import threading
import time
import uuid
import warnings
from collections.abc import Callable
from typing import NamedTuple

from ostrya._cluster.agenda import Assignment
from ostrya._cluster.context import Client, Future
from ostrya._cluster.task import News, SharedProblem, TaskResult, run_task

#: Seconds between two checks for available workers.
ROLL_CALL = 1.0
#: How often Dask repeats a task whose worker has died, and how often a task is sent
#: again if Dask gives up.
RETRIES = 10


class Done(NamedTuple):
    """A finished task; without a result if it must be repeated."""

    assignment: Assignment
    result: TaskResult | None
    worker: int


class Workers:
    """The workers of a cluster during one search."""

    def __init__(self, client: Client, problem: SharedProblem, upper: int) -> None:
        from distributed import Variable

        self._client = client
        self._problem = problem
        self._shared: Future[object] | None = None  # sent once there is a worker
        self._name = problem.name
        self._board = Variable(self._name, client=client)
        self._upper = upper
        self._tell(is_over=False)
        self._done: queue.SimpleQueue[Future[TaskResult]] = queue.SimpleQueue()
        self._running: dict[str, tuple[Future[TaskResult], Assignment, str]] = {}
        self._numbers: dict[str, int] = {}
        self._n_done: dict[str, int] = {}
        self._threads: dict[str, int] = {}
        self._next_look = 0.0
        self._failures = 0
        self.n_tasks = 0

    @property
    def n_threads(self) -> int:
        """Number of threads of all workers."""
        return sum(self._threads.values())

    @property
    def n_running(self) -> int:
        """Number of running tasks."""
        return len(self._running)

    def send(self, next_task: Callable[[int], Assignment | None]) -> None:
        """Send a task to every idle thread, as long as there are tasks."""
        self._call_roll()
        if self._shared is None and self._threads:
            self._shared = self._client.scatter(self._problem, broadcast=True)
        at_work = [address for *_, address in self._running.values()]
        for address, n_threads in self._threads.items():
            for _ in range(n_threads - at_work.count(address)):
                assignment = next_task(self._number(address))
                if assignment is None:
                    return
                self._submit(assignment, address)

    def send_last(self, assignment: Assignment) -> bool:
        """Send one more task to the worker with the most finished tasks.

        All other tasks end. Return False if there is no worker.
        """
        self.tell(0)
        self._call_roll()
        if not self._threads or self._shared is None:
            return False
        most = max(self._threads, key=lambda each: self._n_done.get(each, 0))
        self._submit(assignment, most)
        return True

    def _submit(self, assignment: Assignment, address: str) -> None:
        self.n_tasks += 1
        key = f"{self._name}-{self.n_tasks}"
        with warnings.catch_warnings():
            # A task contains the bounds of all first splits, which may be many.
            warnings.filterwarnings("ignore", message="Sending large graph")
            future = self._client.submit(
                *(run_task, self._shared, assignment.task, self._name),
                key=key,
                pure=False,
                retries=RETRIES,
                workers=[address],
                allow_other_workers=True,
            )
        self._running[key] = future, assignment, address
        future.add_done_callback(self._done.put)

    def wait(self, seconds: float) -> list[Done]:
        """Return the finished tasks, after at most this time."""
        found = []
        try:
            found.append(self._done.get(timeout=seconds))
            while True:
                found.append(self._done.get_nowait())
        except queue.Empty:
            return [self._answer(future) for future in found]

    def _answer(self, future: Future[TaskResult]) -> Done:
        _, assignment, address = self._running.pop(future.key)
        self._next_look = 0.0  # a worker may be gone
        if future.status == "finished":
            result = future.result()
            self._n_done[result.worker] = self._n_done.get(result.worker, 0) + 1
            return Done(assignment, result, self._number(result.worker))
        self._failures += 1
        error = future.exception() if future.status == "error" else None
        if error is not None and not _is_loss_of_a_worker(error):
            raise error
        if self._failures > RETRIES:
            raise RuntimeError(
                f"{self._failures} tasks were lost because their workers died. See the "
                "logs of the cluster, and set a lower memory_limit if the workers ran "
                "out of memory"
            ) from error
        if error is None:  # what was shared may have gone with its worker
            self._shared = None
        return Done(assignment, None, self._number(address))

    def tell(self, upper: int) -> None:
        """Send the cost of a better tree to all workers."""
        if upper < self._upper:
            self._upper = upper
            self._tell(is_over=False)

    def _tell(self, *, is_over: bool) -> None:
        self._board.set(tuple(News(self._upper, is_over)))

    def _call_roll(self) -> None:
        now = time.perf_counter()
        if now >= self._next_look:
            self._next_look = now + ROLL_CALL
            self._threads = dict(self._client.nthreads())

    def _number(self, address: str) -> int:
        return self._numbers.setdefault(address, len(self._numbers))

    def end(self) -> None:
        """Stop all workers, and delete the variable when the last task has finished.

        For Dask, a cancelled task is done while its worker may still run it and read
        the variable. So tasks are cancelled only if no worker is left.
        """
        self._tell(is_over=True)
        running = {key: future for key, (future, *_) in self._running.items()}
        if not self._client.nthreads():
            self._client.cancel(list(running.values()))
            running.clear()
        if not running:
            self._board.delete()
            return
        lock = threading.Lock()

        def leave(future: Future[TaskResult]) -> None:
            with lock:
                running.pop(future.key, None)
                if not running:
                    self._board.delete()

        for future in list(running.values()):
            future.add_done_callback(leave)


def new_name() -> str:
    """Return a unique name for a search."""
    return f"ostrya-{uuid.uuid4().hex}"


def _is_loss_of_a_worker(error: BaseException) -> bool:
    from distributed import KilledWorker

    return isinstance(error, KilledWorker)
