"""Run two builds in turn on the same problems; compare their results and times.

Times are processor seconds. A busy or slow machine affects both runs of a pair alike,
so the ratio of each pair is more reliable than two separate measurements.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.problem import Problem
from benchmarks.summary import geometric_mean

ROOT = Path(__file__).resolve().parents[1]
# A problem that is over sooner is repeated until it has taken this long, so that its
# ratio is one of many pairs; but no more than so many times as often.
SHORT_SECONDS = 0.15
MOST_TIMES = 40


class Build:
    """A process that solves problems with the ostrya of one Python environment."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            [python, "-m", "benchmarks.paired_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )

    def solve(self, problem: Problem, time_limit: float) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        told = {"name": problem.name, "time_limit": time_limit}
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("a build ended without an answer; see its message above")
        return json.loads(line)


@dataclass(frozen=True)
class Pair:
    """One problem: how much slower this build is, and what differs."""

    name: str
    ratio: float  # median of this over other
    seconds: float  # least of this
    differs: tuple[str, ...]

    def __str__(self) -> str:
        same = f"DIFFERS: {', '.join(self.differs)}" if self.differs else "same"
        return f"{self.ratio:6.3f}  {self.seconds:9.4f} s  {same}  {self.name}"


def compare(
    problems: Iterable[Problem], other: str, repeats: int, time_limit: float
) -> Iterator[Pair]:
    """Yield each problem as the two builds solve it by turns."""
    ours, theirs = Build(sys.executable), Build(other)
    for problem in problems:
        first = ours.solve(problem, time_limit), theirs.solve(problem, time_limit)
        answers = [
            {key: value for key, value in answer.items() if key != "seconds"}
            for answer in first
        ]
        is_proved = all(answer["status"] == "optimal" for answer in answers)
        differs = tuple(key for key in answers[0] if answers[0][key] != answers[1][key])
        times = math.ceil(SHORT_SECONDS / max(first[0]["seconds"], 1e-6))
        n = repeats * min(times, MOST_TIMES)
        ratios, seconds = [], []
        for turn in range(n):
            pair = {}
            for build in (ours, theirs) if turn % 2 else (theirs, ours):
                pair[build] = build.solve(problem, time_limit)["seconds"]
            ratios.append(pair[ours] / pair[theirs])
            seconds.append(pair[ours])
        # Where time ran out, how far a search got is chance.
        yield Pair(
            problem.name, median(ratios), min(seconds), differs if is_proved else ()
        )


def report(
    problems: Iterable[Problem], other: str, repeats: int, time_limit: float
) -> None:
    """Print a line per problem, and the geometric mean."""
    pairs = []
    for pair in compare(problems, other, repeats, time_limit):
        pairs.append(pair)
        print(pair, flush=True)
    mean = geometric_mean(pair.ratio for pair in pairs)
    worst = max(pairs, key=lambda pair: pair.ratio)
    print(f"{mean:6.3f}  geometric mean of {len(pairs)}; slowest {worst}")
    print(f"{sum(bool(pair.differs) for pair in pairs)} differ")
