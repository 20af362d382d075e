"""Suites: named tuples of problems, one module each, declared as data."""

from __future__ import annotations

from benchmarks.problem import Problem
from benchmarks.suites.classes import CLASSES
from benchmarks.suites.deep import DEEP
from benchmarks.suites.raw import RAW
from benchmarks.suites.short import SHORT

#: Searches of over half a minute by one thread.
LONG = (
    *("dl85/vehicle, 0, depth 5", "dl85/vehicle, 0.001, depth 5"),
    *("contree/htru, 0, depth 3", "contree/raisin, 0, depth 4"),
    "contree/raisin, 0.001, depth 4",
)

#: The short suite is the part of the first that is over soon; that for clusters is not.
SUITES: dict[str, tuple[Problem, ...]] = {
    "engine": SHORT + DEEP,
    "short": SHORT,
    "raw": RAW,
    "classes": CLASSES,
    "cluster": tuple(each for each in SHORT + DEEP if each.name in LONG),
}
