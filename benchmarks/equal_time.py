"""Compare trees with those of other packages at equal processor time.

The other package runs first, in its own environment. Ostrya, without a depth limit,
then gets the same processor time plus `GRACE` seconds; its trace shows the tree at that
time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import ledger
from benchmarks.anytime import GRACE, verdict
from benchmarks.contenders import CONTENDERS
from benchmarks.data import load, thresholds
from benchmarks.environments import interpreter
from benchmarks.looser import Runs
from benchmarks.problem import Problem
from benchmarks.process import measure
from benchmarks.summary import ROUNDING
from benchmarks.task import Task

MEMORY_CAP = 8 << 30
#: Peers that take yes/no columns get tables of so many thresholds at most.
MOST_COLUMNS = 1500
HEADER = ("problem", "peer", "its seconds", "its objective", "ours by then", "")


@dataclass
class PeerRuns:
    """Runs of peers, kept in a file."""

    file: Path
    time_limit: float

    def __post_init__(self) -> None:
        self.known = {
            (r["name"], r["contender"], r["time_limit"]): r["found"]
            for r in ledger.read(self.file)
        }

    def run(self, problem: Problem, name: str) -> dict[str, Any]:
        """Return what a peer found, as kept or run now."""
        key = (problem.name, name, self.time_limit)
        if key not in self.known:
            task = Task(problem, name, self.time_limit)
            python = interpreter(CONTENDERS[name])
            found = measure(task, python, MEMORY_CAP, lambda: None)
            self.known[key] = found
            record = {"name": problem.name, "contender": name, "found": found}
            ledger.append(self.file, {**record, "time_limit": self.time_limit})
        return self.known[key]


def report(
    problems: Iterable[Problem], peers: Iterable[str], runs: Runs, of_peers: PeerRuns
) -> Iterator[str]:
    """Yield the lines of a Markdown table, and what they come to."""
    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    verdicts: list[str] = []
    for problem in problems:
        if thresholds(load(problem)[0]).shape[1] > MOST_COLUMNS:
            continue
        for name in peers:
            its = of_peers.run(problem, name)
            if its.get("objective") is None:
                verdicts.append("no tree of its own")
                cells = [problem.name, name, "", its["status"], "", verdicts[-1]]
                yield f"| {' | '.join(cells)} |"
                continue
            seconds = its["processor_seconds"] + GRACE
            enough = its["objective"] - ROUNDING
            curve = runs.search(problem, None, seconds, enough)
            ours = curve.objective(seconds)
            verdicts.append(verdict(its, {"objective": ours}))
            numbers = f"{its['processor_seconds']:.2f}", f"{its['objective']:.5f}"
            cells = [problem.name, name, *numbers, f"{ours:.5f}", verdicts[-1]]
            yield f"| {' | '.join(cells)} |"
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in sorted(set(verdicts)))
    yield f"\n{len(verdicts)} comparisons: {counts}."
