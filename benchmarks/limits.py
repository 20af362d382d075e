"""Check how well Ostrya keeps its limits (time, memory, Ctrl-C), problem by problem."""

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


def delay(found: Found, status: str, moment: float) -> float | None:
    """Return the seconds from a limit to the return; None if it came before."""
    late = found.get("seconds", 0.0) - moment
    return late if found["status"] == status or late > 0.0 else None


def delays(runs: list[Found]) -> list[float | None]:
    """Return the delay of each run with a time limit, then of the one with a Ctrl-C."""
    *timed, stopped, _ = runs
    return [
        *(
            delay(found, "time_limit", limit)
            for found, limit in zip(timed, TIME_LIMITS, strict=True)
        ),
        delay(stopped, "interrupted", INTERRUPT_AFTER),
    ]


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
    """Return the cells of one problem: how late it was, or how it ended before."""
    return (
        problem.name,
        *(
            run["status"] if late is None else f"{1e3 * late:.0f}"
            for run, late in zip(runs, delays(runs), strict=False)
        ),
        runs[-1]["status"],
        f"{runs[-1]['peak_memory'] / 1e6:.0f}",
        bounds_fault(runs),
    )


def worst(everything: list[list[Found]]) -> str:
    """Return one line with the longest delay, the highest peak and the faults."""
    late = [late for runs in everything for late in delays(runs) if late is not None]
    peak = max((runs[-1]["peak_memory"] for runs in everything), default=0)
    faults = sum(bounds_fault(runs) != "valid" for runs in everything)
    return (
        f"Longest delay {1e3 * max(late, default=0.0):.0f} ms; highest peak with a "
        f"limit of {MEMORY_LIMIT / 1e6:.0f} MB: {peak / 1e6:.0f} MB; "
        f"{faults} of {len(everything)} problems with a fault in the bounds."
    )


def report(problems: tuple[Problem, ...], output: Path, time_limit: float) -> str:
    """Run everything, record it, and return a Markdown table."""
    python = interpreter(CONTENDERS["ostrya"])
    progress = Progress(len(problems))
    lines = [" | ".join(HEADER), " | ".join("---" for _ in HEADER)]
    everything: list[list[Found]] = []
    for problem in problems:
        runs = []
        for number, task in enumerate(tasks(problem, time_limit), start=1):
            progress.begin(task, number)
            found = measure(task, python, MEMORY_CAP, progress.tick)
            ledger.append(output, {**asdict(task), **found})
            progress.end(found)
            runs.append(found)
        progress.step()
        everything.append(runs)
        lines.append(" | ".join(row(problem, runs)))
    text = "\n".join(f"| {line} |" for line in lines)
    return f"{text}\n\n{worst(everything)}"
