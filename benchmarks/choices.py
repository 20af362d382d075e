"""The choices of the command line: contenders, shares of a suite, problems."""

from __future__ import annotations

import argparse
from fnmatch import fnmatch

from benchmarks.contenders import CONTENDERS
from benchmarks.data import available
from benchmarks.folders import RESULTS
from benchmarks.problem import Problem
from benchmarks.suites import SUITES

__all__ = ["RESULTS", "names", "part", "select"]


def names(text: str) -> tuple[str, ...]:
    """Return the contenders of a comma-separated list."""
    chosen = tuple(name for name in text.split(",") if name)
    unknown = sorted(set(chosen) - set(CONTENDERS))
    if unknown:
        known = ", ".join(CONTENDERS)
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is none of {known}")
    return chosen


def part(text: str) -> tuple[int, int]:
    """Return which part, counted from 0, of how many: `2/3` is the second of three."""
    number, _, n_parts = text.partition("/")
    if not (number.isdecimal() and n_parts.isdecimal()) or not (
        1 <= int(number) <= int(n_parts)
    ):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not like 1/2: a part of how many"
        )
    return int(number) - 1, int(n_parts)


def select(suite: str, pattern: str | None) -> tuple[Problem, ...]:
    """Return the problems, with data here, that a pattern chooses.

    It is a tag, if the suite has such a one, and else a part or a glob of a name.
    """
    problems = SUITES[suite]
    if pattern is None:
        return available(problems)
    if any(pattern in problem.tags for problem in problems):
        return available(problem for problem in problems if pattern in problem.tags)
    return available(
        problem
        for problem in problems
        if pattern in problem.name or fnmatch(problem.name, pattern)
    )
