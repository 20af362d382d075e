"""Compare one thread with two on the same searches: speed, memory and results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks import ledger
from benchmarks.campaign import Campaign
from benchmarks.problem import Problem
from benchmarks.summary import ROUNDING, Result, geometric_mean, summarise

#: A search of fewer seconds is over before threads are worth their while.
LEAST_SECONDS = 1.0
#: Contenders that there are twice, once with a thread more.
PAIRED = ("ostrya", "ostrya-top16", "gosdt")
HEADER = ("problem", "1 thread, s", "2 threads, s", "speed-up", "memory", "")


def report(
    problems: tuple[Problem, ...], name: str, output: Path, limit: float, repeats: int
) -> Iterator[str]:
    """Yield a Markdown table: the problems that one thread takes over a second for."""
    two = f"{name}-2"
    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    pairs = []
    for problem in problems:
        pair = _run(problem, name, two, output, limit, repeats)
        if pair is not None:
            pairs.append(pair)
            yield f"| {' | '.join(_cells(*pair))} |"
    if pairs:
        speed = geometric_mean([one.spent / both.spent for one, both in pairs])
        memory = geometric_mean(
            [both.peak_memory / one.peak_memory for one, both in pairs]
        )
        yield f"\n{len(pairs)} problems: {speed:.2f}x, memory {memory:.2f}x"


def _run(
    problem: Problem, one: str, two: str, output: Path, limit: float, repeats: int
) -> tuple[Result, Result] | None:
    for name in (one, two):
        Campaign((problem,), (name,), output, limit, repeats=repeats).run()
        found = summarise(ledger.read(output)).get(problem.name, {})
        if name not in found or not _is_whole(found[name]):
            return None
        if found[one].spent < LEAST_SECONDS:
            return None
    return found[one], found[two]


def _is_whole(result: Result) -> bool:
    """Whether the search came to its end, among all trees or those that k lets in."""
    return result.proved or result.last["status"] == "optimal_in_top_k"


def _cells(one: Result, two: Result) -> tuple[str, ...]:
    assert one.objective is not None
    assert two.objective is not None
    is_same = abs(one.objective - two.objective) < ROUNDING
    return (
        one.problem,
        f"{one.spent:.2f}",
        f"{two.spent:.2f}",
        f"{one.spent / two.spent:.2f}x",
        f"{two.peak_memory / one.peak_memory:.2f}x",
        "" if is_same else "ANOTHER OBJECTIVE",
    )
