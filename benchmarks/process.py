"""Run a task in a separate process and watch its time and memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from benchmarks.data import ROOT

#: One thread for everything that would take more.
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)
#: Seconds between two looks at a child.
PAUSE = 0.02


class Told(Protocol):
    """What a child process is told, as one line."""

    def to_json(self) -> str: ...


def environment() -> dict[str, str]:
    """Return the environment of a child: one thread, and our modules in reach."""
    return {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": str(ROOT)}


def version_of(contender: str, python: Path) -> str:
    """Return the version of a contender in its environment."""
    done = subprocess.run(
        [python, "-m", "benchmarks.worker", "version", contender],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{contender} does not start:\n{done.stderr.strip()}")
    return json.loads(done.stdout)["version"]


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes; 0 where it is not told."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def peak(usage: Any) -> int:
    """Return the largest resident memory in bytes; Linux counts in kB, others not."""
    return usage.ru_maxrss * (1024 if sys.platform.startswith("linux") else 1)


def measure(
    task: Told,
    python: Path,
    memory_cap: int,
    tick: Callable[[], None],
    worker: str = "benchmarks.worker",
) -> dict[str, Any]:
    """Return what the child found, with its peak memory and how it ended.

    A child above `memory_cap` bytes is killed. `tick` is called while waiting.
    `worker` is the module that the child runs.
    """
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen(
            [python, "-m", worker, "run", task.to_json()],
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
        too_large = False
        ended = 0
        try:
            while not ended:
                time.sleep(PAUSE)
                ended, status, usage = os.wait4(child.pid, os.WNOHANG)
                if not ended and resident(child.pid) > memory_cap:
                    too_large = True
                    child.kill()
                tick()
            child.returncode = os.waitstatus_to_exitcode(status)
        finally:
            if not ended:
                child.kill()
        output = child.communicate()[0]
        log.seek(0)
        found = json.loads(output) if output else how_it_died(child.returncode, log)
    if too_large:
        found = {"status": "out of memory"}
    return {**found, "peak_memory": peak(usage)}


def how_it_died(code: int, log: Any) -> dict[str, Any]:
    """Return the status of a child that ended without a word of its own."""
    if code == -signal.SIGALRM:
        return {"status": "killed"}
    return {"status": "crashed", "message": f"exit {code}: {log.read()[-500:].strip()}"}
