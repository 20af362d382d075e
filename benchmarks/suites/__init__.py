"""Suites: named tuples of problems, one module each, declared as data."""

from __future__ import annotations

from benchmarks.problem import Problem
from benchmarks.suites.deep import DEEP
from benchmarks.suites.raw import RAW
from benchmarks.suites.short import SHORT

#: The short suite is the part of the first that is over soon.
SUITES: dict[str, tuple[Problem, ...]] = {
    "engine": SHORT + DEEP,
    "short": SHORT,
    "raw": RAW,
}
