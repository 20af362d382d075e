"""The child process: load the data, run one contender once, print one JSON line.

Called as `python -m benchmarks.worker run TASK` or `... version CONTENDER`, in the
environment of the contender.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import traces
from benchmarks.contenders import CONTENDERS
from benchmarks.contenders.base import Answer, Contender
from benchmarks.data import load
from benchmarks.task import Task

#: Seconds past its time limit after which a contender is killed.
GRACE = 5.0


def recount(answer: Answer, y: np.ndarray, penalty: float) -> dict[str, Any]:
    """Return error and objective, error + penalty * leaves, by our own count."""
    error = float(np.mean(answer.predictions != y))
    return {"error": error, "objective": error + penalty * answer.leaves}


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Let the default action of SIGALRM end this process, deep in C++ or not."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)


@contextmanager
def interrupt(after: float | None) -> Iterator[None]:
    """Send this process one Ctrl-C from outside, so that no lock can delay it."""
    if after is None:
        yield
        return
    sleeper = os.fork()
    if sleeper == 0:
        time.sleep(after)
        os.kill(os.getppid(), signal.SIGINT)
        os._exit(0)
    try:
        yield
    finally:
        os.kill(sleeper, signal.SIGKILL)
        os.waitpid(sleeper, 0)


def resident() -> int | None:
    """Return the resident memory of this process in bytes, where Linux tells."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return None
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def warm_up(contender: Contender, task: Task) -> None:
    """Solve eight rows: what a package imports on its first call is not timed."""
    X = np.array([[i & 1, i & 2] for i in range(8)], dtype=np.float64).clip(max=1.0)
    contender.solve(contender.matrix(X), X[:, 0].astype(np.int64), task)


def run(task: Task) -> dict[str, Any]:
    """Return what one run found; only `solve` is inside the clock."""
    contender = CONTENDERS[task.contender]()
    X, y = load(task.problem)
    X = contender.matrix(X)
    warm_up(contender, task)
    before = resident()
    with deadline(task.time_limit + GRACE), interrupt(task.interrupt_after):
        start, began = time.perf_counter(), time.process_time()
        result = contender.solve(X, y, task)
        seconds = time.perf_counter() - start
        processor_seconds = time.process_time() - began
    answer = contender.answer(result, X, task)
    return {
        "seconds": seconds,
        "processor_seconds": processor_seconds,
        "engine_seconds": answer.engine_seconds,
        "early_gap": answer.early_gap,
        **recount(answer, y, task.problem.penalty),
        "leaves": answer.leaves,
        "status": answer.status,
        "claims_optimal": bool(answer.claims_optimal),
        "claimed": answer.claimed,
        "lower": answer.lower,
        "subproblems": answer.subproblems,
        "memory_before": before,
        **({"trace": traces.thinned(answer.trace)} if task.keeps_trace else {}),
    }


def serve(arguments: list[str], work: Callable[[str], dict[str, Any]]) -> None:
    """Do what the arguments say; a failure is a result too."""
    # Ctrl-C must arrive even where the shell started us with it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Packages print. Their output goes to stderr, and stdout carries the result.
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    action, subject = arguments
    if action == "version":
        found: dict[str, Any] = {"version": CONTENDERS[subject]().version()}
    else:
        try:
            found = work(subject)
        except MemoryError:
            found = {"status": "out of memory"}
        except Exception as error:
            found = {"status": "error", "message": f"{type(error).__name__}: {error}"}
    channel.write(json.dumps(found))
    channel.close()


if __name__ == "__main__":
    serve(sys.argv[1:], lambda line: run(Task.from_json(line)))
