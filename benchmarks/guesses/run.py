"""Run the missing cases, and record each of them when it ends."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks import ledger
from benchmarks.campaign import now
from benchmarks.contenders import CONTENDERS
from benchmarks.environments import interpreter
from benchmarks.guesses.cases import Case, CaseTask
from benchmarks.guesses.folds import prepare, seconds_of_guess
from benchmarks.machine import machine
from benchmarks.process import measure, version_of
from benchmarks.progress import Progress

WORKER = "benchmarks.guesses.worker"


@dataclass(frozen=True)
class Reproduction:
    """What to run, within which limits, and where the records go.

    A run found in `output` is not made again, unless it was stopped by a smaller time
    limit than the one now given, or `fresh`. A contender that is stopped on one fold is
    not given the others.
    """

    cases: tuple[Case, ...]
    contenders: tuple[str, ...]
    output: Path
    time_limit: float
    memory_cap: int
    fresh: bool = False

    def run(self) -> None:
        """Make the runs that are missing in the output file."""
        pythons = {name: interpreter(CONTENDERS[name]) for name in self.contenders}
        versions = {name: version_of(name, pythons[name]) for name in self.contenders}
        records = [] if self.fresh else ledger.read(self.output)
        done = {key(record): record for record in records if self._stands(record)}
        tasks = [
            CaseTask(case, name, self.time_limit)
            for case in self.cases
            for name in self.contenders  # side by side, so under the same load
            if name == "ostrya" or case.method != "published"
        ]
        progress = Progress(len(tasks))
        given_up = set()
        for task in tasks:
            row = (replace(task.problem, fold=0), task.contender)
            settings = {
                "problem": task.problem.name,
                **asdict(task.problem),
                "contender": task.contender,
                "version": versions[task.contender],
                "python": platform.python_version(),
                "machine": machine(),
                "time_limit": self.time_limit,
            }
            found = done.get(key(settings))
            if found is None and row not in given_up:
                path = prepare(task.problem)
                progress.begin(task, 1)
                python = pythons[task.contender]
                found = measure(task, python, self.memory_cap, progress.tick, WORKER)
                facts = {"date": now(), "guess_seconds": seconds_of_guess(path)}
                ledger.append(self.output, {**settings, **facts, **found})
                progress.end(found)
            if found is not None and is_stopped(found):
                given_up.add(row)
            progress.step()

    def _stands(self, record: ledger.Record) -> bool:
        """Tell whether a run would end no otherwise under the limits now given."""
        return not is_stopped(record) or record["time_limit"] >= self.time_limit


def is_stopped(record: ledger.Record) -> bool:
    """Tell whether a run was ended by its limits."""
    return record["status"] in ("time_limit", "timeout", "killed", "out of memory")


def key(record: ledger.Record) -> tuple[str, str]:
    """Return what a run must share with another to stand for it."""
    return record["problem"], record["contender"]
