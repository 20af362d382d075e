"""The classes suite: continuous tables with several classes, all of their thresholds.

Tables with two classes are beside them, so that one run compares both kinds.
"""

from __future__ import annotations

from benchmarks.problem import Group, Problem, grid

SEVERAL = (
    "iris",
    "contree/segment",
    "topk/artificial-characters",
    "topk/avila-train",
    "topk/dry-bean",
    "topk/letter-recognition",
    "topk/wireless-indoor",
)
TWO = ("bank", "raisin", "wilt", "rice", "htru", "magic")


def tables(names: tuple[str, ...], tag: str) -> tuple[Problem, ...]:
    """Return the problems of depth 2 and 3 on these tables, with free leaves."""
    return tuple(
        problem
        for name in names
        for problem in grid(
            name, Group.CONTINUOUS, penalties=(0.0,), depths=(2, 3), tags=(tag,)
        )
    )


CLASSES = tables(SEVERAL, "several classes") + tables(
    tuple(f"contree/{name}" for name in TWO), "two classes"
)
