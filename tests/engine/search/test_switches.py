"""Switching bounds off changes the time, never the answer."""

from __future__ import annotations

import dataclasses
import functools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
import ostrya
from cases import assert_optimal
from generated import PROBLEMS
from oracle import optimum, sweep_optimum
from strategies import random_problems, shallow_problems, small_cases

NAMES = tuple(field.name for field in dataclasses.fields(ostrya.bounds.Bounds))


def switched(switches):
    return ostrya.bounds.Bounds(**dict(zip(NAMES, switches, strict=True)))


ALL_OFF = switched([False] * len(NAMES))


@functools.cache
def with_optima(seed, count):
    """Problems and their optima, so that each is left to the oracle but once."""
    cases = random_problems(seed, count)
    return [(case, optimum(case.problem).cost) for case in cases]


def test_every_bound_is_on_by_default():
    assert all(getattr(ostrya.bounds.Bounds(), name) is True for name in NAMES)
    assert NAMES == (
        "leaf_count",
        "leaf_optimal",
        "support",
        "superset",
        "similar_support",
        "look_ahead",
        "pairs_close",
        "depth_transfer",
        "dual_prices",
    )


@pytest.mark.parametrize("name", NAMES)
def test_one_bound_off(name):
    bounds = ostrya.bounds.Bounds(**{name: False})
    for case, cost in with_optima(2000, 400):
        outcome = ostrya.solve(**case.arguments(), bounds=bounds)
        assert_optimal(case, outcome, cost)


@pytest.mark.parametrize("name", NAMES)
def test_one_bound_alone(name):
    bounds = dataclasses.replace(ALL_OFF, **{name: True})
    for case, cost in with_optima(2100, 400):
        outcome = ostrya.solve(**case.arguments(), bounds=bounds)
        assert_optimal(case, outcome, cost)


def test_all_bounds_off():
    for case, cost in with_optima(2200, 800):
        outcome = ostrya.solve(**case.arguments(), bounds=ALL_OFF)
        assert_optimal(case, outcome, cost)


def test_random_bounds_off_on_shallow_problems():
    rng = random.Random(2300)
    for case in shallow_problems(2300, 15):
        cost = sweep_optimum(case.problem)
        for _ in range(4):
            bounds = switched(rng.choices([True, False], k=len(NAMES)))
            outcome = ostrya.solve(**case.arguments(), bounds=bounds)
            assert_optimal(case, outcome, cost)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_bounds_off_on_larger_problems(problem):
    (X, y), options = PROBLEMS[problem]
    objective = ostrya.solve(X, y, **options).objective
    for name in NAMES:
        bounds = ostrya.bounds.Bounds(**{name: False})
        outcome = ostrya.solve(X, y, bounds=bounds, **options)
        assert outcome.status == "optimal"
        assert outcome.objective == pytest.approx(objective, rel=1e-12)


@settings(max_examples=effort.cases(300))
@given(small_cases(), st.tuples(*[st.booleans()] * len(NAMES)))
def test_drawn_bounds_off(case, switches):
    outcome = ostrya.solve(**case.arguments(), bounds=switched(switches))
    assert_optimal(case, outcome, optimum(case.problem).cost)
