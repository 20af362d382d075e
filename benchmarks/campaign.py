"""Run contenders on problems, skip what is done, and record every run."""

from __future__ import annotations

import platform
from collections.abc import Callable, Hashable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

from benchmarks import guessed, ledger, traces
from benchmarks.contenders import CONTENDERS
from benchmarks.data import load
from benchmarks.environments import interpreter
from benchmarks.machine import machine
from benchmarks.problem import Problem
from benchmarks.process import measure, version_of
from benchmarks.progress import Progress
from benchmarks.task import Task


@dataclass(frozen=True)
class Campaign:
    """What to run, how often, within which limits, and where the records go.

    Parameters
    ----------
    problems : tuple of Problem
    contenders : tuple of str
        Names; a contender is run on the problems of its groups.
    output : Path
        File of JSON lines; runs found in it are not made again, unless `fresh`.
    time_limit : float, default 60.0
        Seconds a run.
    memory_cap : int, default 8 GiB
        Bytes of resident memory above which a run is killed.
    repeats : int, default 3
        Runs of each pair of problem and contender, unless the first is long.
    fresh : bool, default False
        Make every run anew.
    traces : Path or None, default None
        Folder for the bounds over time, a file per run of who tells them.
    series : callable, default the problem itself
        Names the series a problem belongs to, sizes growing; a contender that leaves
        a problem unfinished is not given the rest of its series.
    """

    problems: tuple[Problem, ...]
    contenders: tuple[str, ...]
    output: Path
    time_limit: float = 60.0
    memory_cap: int = 8 << 30
    repeats: int = 3
    fresh: bool = False
    traces: Path | None = None
    series: Callable[[Problem], Hashable] = lambda problem: problem

    def tasks(self) -> Iterator[Task]:
        """Yield every pair, the contenders of a problem one after the other."""
        for problem in self.problems:
            for name in self.contenders:
                if CONTENDERS[name].takes(problem):
                    yield Task(
                        problem,
                        name,
                        self.time_limit,
                        keeps_trace=self.traces is not None,
                    )

    def run(self) -> None:
        """Make the runs that are missing in the output file."""
        pythons = {name: interpreter(CONTENDERS[name]) for name in self.contenders}
        versions = {name: version_of(name, pythons[name]) for name in self.contenders}
        done = {} if self.fresh else ledger.current(ledger.read(self.output))
        tasks = tuple(self.tasks())
        progress = Progress(len(tasks))
        given_up = set()
        for task in tasks:
            series = (task.contender, self.series(task.problem))
            if series in given_up:
                progress.step()
                continue
            settings = self._settings(task, versions[task.contender])
            runs = done.get(ledger.key(settings), [])
            if task.problem.encoding == guessed.ENCODING:
                load(task.problem)  # guessed here, where ostrya is
            while ledger.missing(runs, self.repeats):
                number = len(runs) + 1
                progress.begin(task, number)
                found = measure(
                    task, pythons[task.contender], self.memory_cap, progress.tick
                )
                runs.append({**settings, "run": number, "date": now(), **found})
                if self.traces is not None:
                    traces.keep(self.traces, runs[-1])
                ledger.append(self.output, runs[-1])
                progress.end(found)
            if not ledger.ended(runs[-1]):
                given_up.add(series)
            progress.step()

    def _settings(self, task: Task, version: str) -> ledger.Record:
        """Return the part of a record that is known before the run."""
        return {
            "problem": task.problem.name,
            **asdict(task.problem),
            "contender": task.contender,
            "version": version,
            "python": platform.python_version(),
            "machine": machine(),
            "time_limit": task.time_limit,
            "memory_cap": self.memory_cap,
        }


def now() -> str:
    """Return the date and time to the second, in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
