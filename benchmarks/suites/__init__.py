"""Suites: named tuples of problems, one module each, declared as data."""

from __future__ import annotations

from benchmarks.problem import Problem
from benchmarks.suites.deep import DEEP
from benchmarks.suites.engine import ENGINE

SUITES: dict[str, tuple[Problem, ...]] = {"engine": ENGINE, "deep": DEEP}
