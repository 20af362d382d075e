"""How ostrya keeps to its limits: time, memory and Ctrl-C, problem by problem."""

from __future__ import annotations

from collections.abc import Iterator
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

TIME_LIMITS = (0.05, 0.5, 2.0)
MEMORY_LIMIT = 200 * 10**6
INTERRUPT_AFTER = 0.3
#: Not a limit of the engine: a run this large is broken, and killed.
MEMORY_CAP = 8 << 30
HEADER = (
    "problem",
    *(f"{limit:g} s: over by ms" for limit in TIME_LIMITS),
    "Ctrl-C: ms",
    f"{MEMORY_LIMIT // 10**6} MB: status",
    "peak MB",
    "bounds",
)

Found = dict[str, Any]


def tasks(problem: Problem, time_limit: float) -> Iterator[Task]:
    """Yield a run per time limit, one with a Ctrl-C, one with little memory."""
    for limit in TIME_LIMITS:
        yield Task(problem, "ostrya", limit)
    yield Task(problem, "ostrya", time_limit, interrupt_after=INTERRUPT_AFTER)
    yield Task(problem, "ostrya", time_limit, memory_limit=MEMORY_LIMIT)


def delay(found: Found, status: str, moment: float) -> str:
    """Return the milliseconds between a limit and the return, if it was met."""
    if found["status"] != status:
        return found["status"]
    return f"{1e3 * (found['seconds'] - moment):.0f}"


def bounds_fault(runs: list[Found]) -> str:
    """Return what is wrong with the bounds of the runs on one problem, or "valid".

    Every lower bound must hold for the tree of every other run as well.
    """
    solved = [run for run in runs if run.get("objective") is not None]
    if len(solved) < len(runs):
        return "NO TREE"
    if any(abs(run["claimed"] - run["objective"]) > ROUNDING for run in solved):
        return "MISCOUNT"
    best = min(run["objective"] for run in solved)
    if max(run["lower"] for run in solved) > best + ROUNDING:
        return "WRONG BOUND"
    optimal = [run for run in solved if run["claims_optimal"]]
    if any(run["objective"] > best + ROUNDING for run in optimal):
        return "WRONG OPTIMUM"
    return "valid"


def row(problem: Problem, runs: list[Found]) -> tuple[str, ...]:
    """Return the cells of one problem."""
    *timed, stopped, lean = runs
    return (
        problem.name,
        *(
            delay(found, "time_limit", limit)
            for found, limit in zip(timed, TIME_LIMITS, strict=True)
        ),
        delay(stopped, "interrupted", INTERRUPT_AFTER),
        lean["status"],
        f"{lean['peak_memory'] / 1e6:.0f}",
        bounds_fault(runs),
    )


def report(problems: tuple[Problem, ...], output: Path, time_limit: float) -> str:
    """Run everything, record it, and return a Markdown table."""
    python = interpreter(CONTENDERS["ostrya"])
    progress = Progress(len(problems))
    lines = [" | ".join(HEADER), "|".join("---" for _ in HEADER)]
    for problem in problems:
        runs = []
        for number, task in enumerate(tasks(problem, time_limit), start=1):
            progress.begin(task, number)
            found = measure(task, python, MEMORY_CAP, progress.tick)
            ledger.append(output, {**asdict(task), **found})
            progress.end(found)
            runs.append(found)
        progress.step()
        lines.append(" | ".join(row(problem, runs)))
    return "\n".join(f"| {line} |" for line in lines)
