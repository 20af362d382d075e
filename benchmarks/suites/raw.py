"""Raw tables: every threshold, no depth limit.

Only the penalty limits the trees. Tags name the kinds of tables: `narrow` tables have
few columns or few thresholds; `guessed` tables keep the thresholds that a reference
needs; `wide` tables have hundreds of thresholds in tens of columns; `dl85` are yes/no
tables of the usual benchmarks.
"""

from __future__ import annotations

from dataclasses import replace

from benchmarks.guessed import ENCODING
from benchmarks.problem import Group, Problem, grid
from benchmarks.suites.short import ANY_DEPTH, DL85

#: The data sets of the short suite that are here with the same penalties.
SHORT_SETS = (
    "fico_binary17",
    "car_evaluation_binary15",
    "monk2_binary11",
    "bar7",
    "balance_scale_binary16",
)
#: Data set and penalties.
NARROW = (
    ("compas", (0.02, 0.01, 0.005)),
    ("compas_2016", (0.02, 0.01, 0.005, 0.002, 0.001)),
    ("netherlands_guessed22", (0.02, 0.01)),
    ("monk1_binary11", (0.005,)),
    ("monk3_binary11", (0.005,)),
    ("contree/wilt", (0.02, 0.01)),
    ("contree/bank", (0.02, 0.01)),
    ("contree/raisin", (0.01,)),
    ("contree/rice", (0.01,)),
)
GUESSED = ("compas", "fico", "broward_general_2y")
WIDE = (
    "fico_1000",
    "broward_general_2y",
    "dl85/german-credit",
    "coupon_restaurant",
    "topk/spambase",
    "fico",
    "compas_22",
)
PENALTIES = (0.02, 0.01)
DL85_PENALTIES = (0.01, 0.005)
TAGS = ("narrow", "guessed", "wide", "dl85")


def _tagged(
    tag: str, data: str, penalties: tuple[float, ...], encoding: str = "numeric"
) -> dict[str, Problem]:
    """Return the problems of a data set by name."""
    found = grid(data, Group.ANY_DEPTH, penalties, encoding=encoding, tags=(tag,))
    return {problem.name: problem for problem in found}


def _merged(*parts: dict[str, Problem]) -> tuple[Problem, ...]:
    """Return all problems; one that is in two parts has the tags of both."""
    out: dict[str, Problem] = {}
    for part in parts:
        for name, problem in part.items():
            tags = (out[name].tags if name in out else ()) + problem.tags
            out[name] = replace(problem, tags=tags)
    return tuple(out.values())


RAW = _merged(
    *(_tagged("narrow", data, penalties) for data, penalties in NARROW),
    *(
        {problem.name: replace(problem, tags=("narrow",))}
        for problem in ANY_DEPTH
        if problem.data in SHORT_SETS
    ),
    *(_tagged("guessed", data, PENALTIES, ENCODING) for data in GUESSED),
    *(_tagged("wide", data, PENALTIES) for data in WIDE),
    *(_tagged("dl85", f"dl85/{name}", DL85_PENALTIES) for name in DL85),
)
