"""The engine over leaf sets and the engine over columns are of one opinion."""

from __future__ import annotations

import dataclasses
import functools
import random

import pytest
from hypothesis import given, settings

import effort
import ostrya
from cases import assert_optimal
from generated import PROBLEMS
from oracle import optimum
from ostrya import _core
from ostrya._solve.objective_validation import POLICIES
from strategies import build_case, random_problems, small_cases, unit_problems

NAMES = tuple(field.name for field in dataclasses.fields(ostrya.bounds.LeafSetBounds))


def switched(switches):
    return ostrya.bounds.LeafSetBounds(**dict(zip(NAMES, switches, strict=True)))


ALL_OFF = switched([False] * len(NAMES))


@functools.cache
def with_optima(seed, count):
    """Problems and their optima; without any bound larger ones take too long."""
    cases = [
        case
        for case in random_problems(seed, count)
        if len(set(case.problem.rows)) <= 6
    ]
    return [(case, optimum(case.problem).cost) for case in cases]


@pytest.mark.parametrize("seed", range(8))
def test_on_random_problems(seed):
    for case in random_problems(seed, 250):
        cost = _core.solve(*case.core_arguments()).upper
        outcome = ostrya.solve(**case.arguments(), engine="leaf_sets")
        assert_optimal(case, outcome, cost)


@settings(max_examples=effort.cases(200))
@given(small_cases(max_rows=8))
def test_on_drawn_problems(case):
    outcome = ostrya.solve(**case.arguments(), engine="leaf_sets")
    assert_optimal(case, outcome, optimum(case.problem).cost)


@pytest.mark.parametrize("name", ["monk1", "balance", "big_leaves"])
def test_on_larger_problems(name):
    (X, y), options = PROBLEMS[name]
    dear = options | {"leaf_penalty": max(options["leaf_penalty"], 0.02)}
    first = ostrya.solve(X, y, **dear)
    second = ostrya.solve(X, y, **dear, engine="leaf_sets")
    assert second.status == "optimal"
    assert second.objective == pytest.approx(first.objective, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_one_bound_off_and_one_alone(name):
    off = ostrya.bounds.LeafSetBounds(**{name: False})
    alone = dataclasses.replace(ALL_OFF, **{name: True})
    for case, cost in with_optima(2000, 400):
        for bounds in (off, alone):
            given = case.arguments() | {"engine": "leaf_sets", "bounds": bounds}
            assert_optimal(case, ostrya.solve(**given), cost)


def test_random_bounds_off():
    rng = random.Random(0)
    for case, cost in with_optima(2100, 600):
        bounds = switched(rng.choices([True, False], k=len(NAMES)))
        policy = rng.choice(POLICIES)
        given = {"engine": "leaf_sets", "bounds": bounds, "policy": policy}
        assert_optimal(case, ostrya.solve(**case.arguments(), **given), cost)


@pytest.mark.parametrize("policy", POLICIES)
def test_policies(policy):
    for case in random_problems(2200, 150):
        cost = _core.solve(*case.core_arguments()).upper
        outcome = ostrya.solve(**case.arguments(), engine="leaf_sets", policy=policy)
        assert_optimal(case, outcome, cost)


# A slip of one unit in a bound that other bounds imply changes nothing by itself; the
# named ones are left alone with it.
SLIPS = {
    "hierarchical": {},
    "look_ahead": {},
    "incremental_accuracy": {"look_ahead": False},
    "leaf_accuracy": {},
    "leaf_count": {},
}


@pytest.mark.parametrize("name", SLIPS)
def test_slip_of_one_is_caught(name):
    def is_wrong(case):
        bounds = SLIPS[name] | {"greedy_start": False}
        given = case.leaf_set_arguments(slips={name: 1}, bounds=bounds)
        found = _core.solve_leaf_sets(*given)
        return found.upper != optimum(case.problem).cost

    assert any(is_wrong(case) for case in unit_problems(8100, 600))


def test_slip_of_one_in_the_node_support_is_caught():
    # Two rows of each class, parted by one split that wins two at the price of one.
    case = build_case([(0,), (0,), (1,), (1,)], [0, 0, 1, 1])
    case = dataclasses.replace(
        case, problem=dataclasses.replace(case.problem, penalty=1)
    )
    for slip, cost in ((0, 2), (1, 3)):
        given = case.leaf_set_arguments(
            slips={"node_support": slip}, bounds={"greedy_start": False}
        )
        found = _core.solve_leaf_sets(*given)
        assert found.upper == cost


@pytest.mark.parametrize("name", ["weighted", "balanced"])
def test_class_weights_go_through_both_engines(name):
    (X, y), _ = PROBLEMS["continuous"]
    weight = {"weighted": {0: 1.0, 1: 2.5}, "balanced": "balanced"}[name]
    given = {"class_weight": weight, "leaf_penalty": 0.03, "max_depth": 2}
    first = ostrya.solve(X, y, **given)
    second = ostrya.solve(X, y, **given, engine="leaf_sets")
    assert second.objective == pytest.approx(first.objective, rel=1e-12)
