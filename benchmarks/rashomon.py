"""Time how long packages take to count all trees close to the optimum.

Seconds are those of the processor, in one thread, the least of several repeats. Other
packages round the penalty to whole rows, so their counts are those of another problem
unless the penalty is a whole number of rows.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.contenders.base import Contender
from benchmarks.data import numeric, read_rows
from benchmarks.environments import interpreter

WORKER = Path(__file__).with_name("rashomon_worker.py")


class ArborEnum(Contender):
    """`arborenum.ArborEnum`, exact, also over columns of many values."""

    name = "arborenum"
    requirements = ("arborenum==0.2.6",)


class Praxis(Contender):
    """`praxis.PRAXIS`, over yes/no columns."""

    name = "praxis"
    requirements = ("tree-praxis==0.0.30",)


class TreeFarms(Contender):
    """`treefarms.TREEFARMS`, over yes/no columns."""

    name = "treefarms"
    requirements = ("treefarms==0.2.4", "pandas")


PEERS: dict[str, type[Contender]] = {
    each.name: each for each in (ArborEnum, Praxis, TreeFarms)
}
#: Packages that take columns of many values.
TAKES_NUMBERS = {"ostrya", "arborenum"}


@dataclass(frozen=True)
class Problem:
    """A table, a penalty, and how far from the optimum trees may be."""

    data: str
    penalty: float
    epsilon: float
    depth: int | None

    @property
    def name(self) -> str:
        """The problem in a few words."""
        depth = "any depth" if self.depth is None else f"depth {self.depth}"
        return f"{self.data}, {self.penalty:g}, epsilon {self.epsilon:g}, {depth}"


PROBLEMS = (
    Problem("compas_binary12", 0.005, 0.05, 4),
    Problem("compas_binary12", 0.005, 0.05, 5),
    Problem("compas_binary12", 0.005, 0.1, 5),
    Problem("fico_binary17", 0.005, 0.05, 4),
    Problem("compas", 0.01, 0.05, 3),
    Problem("compas", 0.005, 0.02, 3),
    Problem("compas", 0.005, 0.05, 3),
    Problem("contree/bank", 0.02, 0.05, 3),
)
#: Problems without a depth limit, or with many thresholds and more levels.
HARD_PROBLEMS = (
    Problem("compas_binary12", 0.005, 0.05, None),
    Problem("fico_binary17", 0.005, 0.05, None),
    Problem("compas", 0.005, 0.05, 4),
    Problem("fico_1000", 0.01, 0.02, 3),
)


def run(peers: Sequence[str], repeats: int, time_limit: float) -> str:
    """Return a Markdown table of all problems and packages."""
    packages = ("ostrya", *peers)
    lines = [
        "| problem | trees | " + " | ".join(f"{name} (s)" for name in packages) + " |",
        "|---" * (2 + len(packages)) + "|",
    ]
    ratios: dict[str, list[float]] = {name: [] for name in peers}
    for problem in (*PROBLEMS, *HARD_PROBLEMS):
        found = dict(measure(problem, packages, repeats, time_limit))
        ours = found["ostrya"]
        cells = []
        for name in packages:
            seconds = found.get(name, (math.nan, 0))[0]
            cells.append("-" if math.isnan(seconds) else f"{seconds:.4f}")
            if name in ratios and seconds > 0:
                ratios[name].append(seconds / ours[0])
        lines.append(f"| {problem.name} | {ours[1]:,} | " + " | ".join(cells) + " |")
    for name, each in ratios.items():
        if each:
            mean = math.exp(sum(map(math.log, each)) / len(each))
            lines.append(
                f"\n{name}: {mean:.1f} times as long as ostrya in the geometric mean "
                f"of {len(each)} problems, {min(each):.1f} at least."
            )
    return "\n".join(lines)


def measure(
    problem: Problem, packages: Iterable[str], repeats: int, time_limit: float
) -> Iterator[tuple[str, tuple[float, int]]]:
    """Yield seconds and trees of each package that answers within the limit."""
    rows = np.array(read_rows(problem.data)[1:])
    X = numeric(rows[:, :-1])
    y = np.unique(rows[:, -1], return_inverse=True)[1].astype(np.int32)
    is_yes_no = set(np.unique(X).tolist()) <= {0.0, 1.0}
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        np.savez(file, X=X, y=y)
        file.flush()
        for package in packages:
            if not is_yes_no and package not in TAKES_NUMBERS:
                continue
            if problem.depth is None and package != "ostrya":
                continue
            task = {
                **asdict(problem),
                "package": package,
                "file": file.name,
                "repeats": repeats,
                "time_limit": time_limit,
            }
            python: str | Path = sys.executable
            if package in PEERS:
                python = interpreter(PEERS[package])
            try:
                done = subprocess.run(
                    [python, WORKER, json.dumps(task)],
                    capture_output=True,
                    text=True,
                    timeout=(repeats + 1) * time_limit + 60,
                )
            except subprocess.TimeoutExpired:
                continue
            if done.returncode == 0:
                answer = json.loads(done.stdout)
                yield package, (answer["seconds"], answer["trees"])
