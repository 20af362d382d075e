"""The short suite: every kind of problem that `ostrya.solve` can prove.

Targets are the seconds of the prototype on which the engine is based.
"""

from __future__ import annotations

from benchmarks.problem import Group, Problem, grid

DL85 = (
    "anneal",
    "german-credit",
    "kr-vs-kp",
    "hypothyroid",
    "mushroom",
    "tic-tac-toe",
    "vehicle",
    "segment",
)
CONTREE = ("bank", "rice", "raisin", "wilt", "htru", "magic")

ANY_DEPTH: tuple[Problem, ...] = (
    *grid(
        "compas_binary12",
        Group.ANY_DEPTH,
        penalties=(0.005, 0.001),
        targets={(0.005, None): 0.001, (0.001, None): 0.007},
    ),
    *grid(
        "fico_binary17",
        Group.ANY_DEPTH,
        penalties=(0.005, 0.001),
        targets={(0.005, None): 0.18, (0.001, None): 4.5},
    ),
    *grid(
        "tic-tac-toe",
        Group.ANY_DEPTH,
        penalties=(0.005, 0.001),
        encoding="one-hot",
        targets={(0.005, None): 1.2, (0.001, None): 8.6},
    ),
    *grid(
        "car_evaluation_binary15",
        Group.ANY_DEPTH,
        penalties=(0.005, 0.001),
        targets={(0.001, None): 0.3},
    ),
    *grid("monk2_binary11", Group.ANY_DEPTH, penalties=(0.005,)),
    *grid("bar7", Group.ANY_DEPTH, penalties=(0.005, 0.001)),
    *grid("balance_scale_binary16", Group.ANY_DEPTH, penalties=(0.005, 0.001)),
)

BINARY: tuple[Problem, ...] = (
    *grid("compas_binary12", Group.BINARY, penalties=(0.005,), depths=(3,)),
    *grid(
        "tic-tac-toe",
        Group.BINARY,
        penalties=(0.005, 0.001),
        depths=(5,),
        encoding="one-hot",
    ),
    *grid(
        "coupon_restaurant",
        Group.BINARY,
        penalties=(0.001,),
        depths=(4,),
        targets={(0.001, 4): 2.1},
    ),
    *grid("coupon_carryout", Group.BINARY, penalties=(0.001,), depths=(4,)),
    *(
        problem
        for name in DL85
        for problem in grid(
            f"dl85/{name}", Group.BINARY, penalties=(0.001, 0.0), depths=(3, 4)
        )
    ),
)

THRESHOLDS: tuple[Problem, ...] = (
    *grid(
        "compas",
        Group.THRESHOLDS,
        penalties=(0.001,),
        depths=(3, 4, 5),
        targets={(0.001, 3): 0.06, (0.001, 4): 2.1, (0.001, 5): 33.0},
    ),
    *grid(
        "fico",
        Group.THRESHOLDS,
        penalties=(0.001,),
        depths=(2, 3),
        targets={(0.001, 2): 0.017, (0.001, 3): 24.0},
    ),
)

CONTINUOUS: tuple[Problem, ...] = tuple(
    problem
    for name in CONTREE
    for problem in grid(
        f"contree/{name}", Group.CONTINUOUS, penalties=(0.0,), depths=(2, 3)
    )
)

SHORT = ANY_DEPTH + BINARY + THRESHOLDS + CONTINUOUS
