"""A live line on stderr: progress, the current run, and its time."""

from __future__ import annotations

import sys
import time
from typing import Any

from benchmarks.guesses.cases import CaseTask
from benchmarks.task import Task


class Progress:
    """Count pairs of problem and contender; draw the one at work.

    On a terminal the line is redrawn while a run lasts; elsewhere only what ended is
    printed, a line each.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._start = 0.0
        self._label = ""
        self._live = sys.stderr.isatty()

    def begin(self, task: Task | CaseTask, run: int) -> None:
        """Show that a run starts."""
        self._start = time.monotonic()
        self._label = (
            f"[{self._done + 1}/{self._total}] {task.problem.name}  "
            f"{task.contender}  run {run}"
        )
        self.tick()

    def tick(self) -> None:
        """Redraw the line, on a terminal."""
        if self._live:
            elapsed = time.monotonic() - self._start
            sys.stderr.write(f"\r\x1b[K{self._label}  {elapsed:.1f} s")
            sys.stderr.flush()

    def end(self, found: dict[str, Any]) -> None:
        """Print what a run found."""
        seconds, objective = found.get("seconds"), found.get("objective")
        told = [found["status"]]
        if seconds is not None:
            told.append(f"{seconds:.4g} s")
        if objective is not None:
            told.append(f"objective {objective:.6f}")
        clear = "\r\x1b[K" if self._live else ""
        print(f"{clear}{self._label}: {', '.join(told)}", file=sys.stderr, flush=True)

    def step(self) -> None:
        """Count one pair as done."""
        self._done += 1
