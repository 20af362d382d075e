"""Compare the early trees of Ostrya with those of a heuristic, problem by problem.

The heuristic runs first. Ostrya then gets the same time plus `GRACE` seconds.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import ledger
from benchmarks.contenders import CONTENDERS
from benchmarks.environments import interpreter
from benchmarks.problem import Problem
from benchmarks.process import measure
from benchmarks.progress import Progress
from benchmarks.summary import ROUNDING
from benchmarks.task import Task

#: Seconds ours may take longer than the heuristic.
GRACE = 0.05
MEMORY_CAP = 8 << 30
HEURISTIC = "licketysplit"
HEADER = ("problem", "its ms", "its objective", "ours by then", "")

Found = dict[str, Any]


def run(task: Task, progress: Progress, output: Path) -> Found:
    """Return what one contender found, recorded."""
    python = interpreter(CONTENDERS[task.contender])
    progress.begin(task, 1)
    found = measure(task, python, MEMORY_CAP, progress.tick)
    ledger.append(output, {**asdict(task), **found})
    progress.end(found)
    progress.step()
    return found


def verdict(its: Found, ours: Found) -> str:
    """Return which tree is better, in a word."""
    if its.get("objective") is None:
        return "no tree of its own"
    difference = ours["objective"] - its["objective"]
    if abs(difference) <= ROUNDING:
        return "equal"
    return "WORSE" if difference > 0 else "better"


def report(problems: tuple[Problem, ...], output: Path, time_limit: float) -> str:
    """Run both on every problem the heuristic takes, and return a Markdown table."""
    chosen = [p for p in problems if p.group in CONTENDERS[HEURISTIC].groups]
    progress = Progress(2 * len(chosen))
    lines = [" | ".join(HEADER), " | ".join("---" for _ in HEADER)]
    verdicts = []
    for problem in chosen:
        its = run(Task(problem, HEURISTIC, time_limit), progress, output)
        seconds = its.get("seconds") or time_limit
        ours = run(Task(problem, "ostrya", seconds + GRACE), progress, output)
        verdicts.append(verdict(its, ours))
        objective = its.get("objective")
        cells = (
            problem.name,
            f"{1e3 * seconds:.1f}",
            its["status"] if objective is None else f"{objective:.6f}",
            f"{ours['objective']:.6f}",
            verdicts[-1],
        )
        lines.append(" | ".join(cells))
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in sorted(set(verdicts)))
    text = "\n".join(f"| {line} |" for line in lines)
    return f"{text}\n\n{len(chosen)} problems: {counts}."
