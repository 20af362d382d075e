"""Problems that take long, one level deeper than those of the short suite.

Together with the depth-limited problems of the short suite they cover every yes/no
table at depths 3, 4 and 5, every continuous table at depths 2, 3 and 4, both with
penalties 0.001 and 0, and the tables with many thresholds one level deeper.
"""

from __future__ import annotations

from benchmarks.problem import Group, Problem, grid
from benchmarks.suites.short import CONTREE, DL85, SHORT

PENALTIES = (0.001, 0.0)
#: Sets of yes/no columns that the short suite does not have at all three depths.
YES_NO = (
    "coupon_restaurant",
    "coupon_carryout",
    "compas_binary12",
    "fico_binary17",
)

BINARY: tuple[Problem, ...] = (
    *(
        problem
        for name in YES_NO
        for problem in grid(name, Group.BINARY, penalties=PENALTIES, depths=(3, 4, 5))
    ),
    *(
        problem
        for name in DL85
        for problem in grid(
            f"dl85/{name}", Group.BINARY, penalties=PENALTIES, depths=(5,)
        )
    ),
)

THRESHOLDS: tuple[Problem, ...] = (
    *grid("fico", Group.THRESHOLDS, penalties=(0.001,), depths=(4,)),
    *grid("netherlands_11000", Group.THRESHOLDS, penalties=(0.001,), depths=(3,)),
)

CONTINUOUS: tuple[Problem, ...] = tuple(
    problem
    for name in CONTREE
    for problem in (
        *grid(f"contree/{name}", Group.CONTINUOUS, penalties=(0.001,), depths=(2, 3)),
        *grid(f"contree/{name}", Group.CONTINUOUS, penalties=PENALTIES, depths=(4,)),
    )
)

#: Problems that the short suite has already.
DONE = {problem.name for problem in SHORT}

DEEP = tuple(
    problem for problem in BINARY + THRESHOLDS + CONTINUOUS if problem.name not in DONE
)
