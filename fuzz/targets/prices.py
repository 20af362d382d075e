"""Dual prices from the start: every box by brute force, and the optimum."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import cases
import ostrya
from fuzz.target import Case
from fuzz.targets.oracle import read_problem, write_problem
from oracle import optimum
from ostrya import _core
from price_checks import BY_CONDITIONS, BY_SIDES, assert_feasible, found_prices
from strategies import (
    build_case,
    deep_problems,
    mixed_case,
    ordered_case,
    threshold_labels,
    wide_column,
    yes_no_case,
)

KINDS = ("boxes", "boxes", "search", "search", "large")
# A search of hundreds of rows stops after this many seconds.
SECONDS = 1.0
# Brute force takes about a second for this many boxes.
MOST_BOXES = 20_000


def draw(rng: random.Random) -> Case:
    """Return a problem with a penalty, and how to find its dual prices."""
    kind = rng.choice(KINDS)
    if kind == "large":
        case = large_case(rng)
    elif rng.random() < 0.1:
        case = next(deep_problems(rng.getrandbits(60), 1))
    else:
        family = rng.choice([mixed_case, mixed_case, ordered_case, yes_no_case])
        case = family(rng)
    chosen = {
        "most_cuts": rng.choice([BY_CONDITIONS, BY_SIDES]),
        "slack": rng.choice([0, 0, 1, 5]),
        "off": [name for name in ostrya.bounds.Bounds().__dict__ if rng.random() < 0.2],
        "turns_after": rng.choice([0, 0, 1, 100, 10**4, 10**6]),
        "few_cuts": rng.choice([None, 0, 2, 1000]),
        "cross_tables": rng.choice([None, True, False]),
        "effort": rng.choice([None, None, 1, 10**5]),
        "seconds": rng.choice([1e-9, 10 ** rng.uniform(-4, -1)]),
        "n_threads": rng.choice([1, 1, 2, 3]),
        "threads_after": rng.choice([0, 0, 100, 10**5]),
    }
    return {"kind": kind} | write_problem(case) | chosen


def large_case(rng: random.Random) -> cases.Case:
    """Return hundreds of rows, with many values or a few dozen binary columns."""
    n_rows = rng.randint(60, 400)
    if rng.random() < 0.5:
        n_columns = rng.randint(4, 40)
        rows: Any = [
            tuple(rng.randint(0, 1) for _ in range(n_columns)) for _ in range(n_rows)
        ]
    else:
        table = [wide_column(rng, n_rows) for _ in range(rng.randint(1, 4))]
        rows = list(zip(*table, strict=True))
    heaviest = rng.choice([1, 1, 3, 10**9])
    return build_case(
        rows,
        threshold_labels(rng, rows),
        weights=[rng.randint(1, heaviest) for _ in rows],
        penalty=Fraction(rng.choice([1, 2, 5, 20]), 200),
        max_depth=rng.choice([None, None, 3, 6]),
        max_leaf_nodes=rng.choice([None, None, 4]),
        min_samples_leaf=rng.choice([1, 1, 3]),
    )


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that prices are feasible and that searches with them are exact."""
    problem = read_problem(case)
    if case["kind"] == "large":
        _check_large(problem, case, counts)
        return
    cost = optimum(problem.problem).cost
    if case["kind"] == "boxes":
        found = _prices(problem, cost + case["slack"], case)
        if found:
            assert found["lower"] <= cost
            if _n_boxes(found) <= MOST_BOXES:
                assert_feasible(problem, found)
                counts["all boxes"] += 1
        counts["boxes" if found else "no boxes"] += 1
        return
    result = _searched(problem, case)
    counts[f"search: {result.status}"] += 1
    assert (result.lower, result.upper) == (cost, cost)
    for upper in (cost, cost + 1):
        within = _searched(problem, case, upper=upper)
        assert within.lower == cost
        assert within.status in ("upper_bound", "optimal")


def _prices(problem: cases.Case, cost: int, case: Case) -> dict[str, Any]:
    """Return the dual prices that one or several threads find."""
    found = found_prices(problem, cost, case["most_cuts"], case["n_threads"])
    if found and case["n_threads"] > 1:
        again = found_prices(problem, cost, case["most_cuts"], case["n_threads"] + 1)
        assert again["prices"] == found["prices"]
    return found


def _n_boxes(found: dict[str, Any]) -> int:
    sides = [max(column) + 1 for column in zip(*found["ranks"], strict=True)]
    return math.prod(n * (n + 1) // 2 for n in sides)


def _check_large(problem: cases.Case, case: Case, counts: Counter[str]) -> None:
    without = _core.solve(
        *problem.core_arguments({"dual_prices": False}, time_limit=SECONDS)
    )
    whole = _searched(problem, case, time_limit=SECONDS)
    stopped = _searched(problem, case, time_limit=case["seconds"])
    little = _searched(problem, case, time_limit=SECONDS, effort=case["effort"])
    for result in (whole, stopped, little):
        counts[f"large: {result.status}"] += 1
        assert result.lower <= min(result.upper, without.upper, whole.upper)
        assert result.upper >= max(without.lower, whole.lower)
    prices = _prices(problem, whole.upper, case)
    if prices:
        counts["large: prices"] += 1
        assert prices["lower"] <= without.upper


def _searched(problem: cases.Case, case: Case, **options: Any) -> _core.Result:
    names = ("turns_after", "few_cuts", "cross_tables", "n_threads", "threads_after")
    chosen = {name: case[name] for name in names} | options
    off = dict.fromkeys(case["off"], False) | {"dual_prices": True}
    return _core.solve(*problem.core_arguments(off, **chosen))
