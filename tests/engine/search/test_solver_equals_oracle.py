"""The solver finds and proves the oracle's optimum: over ten thousand problems."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import effort
import ostrya
from cases import assert_optimal
from oracle import optimum, sweep_optimum
from ostrya import _core
from strategies import (
    deep_problems,
    random_problems,
    shallow_problems,
    small_cases,
)


@pytest.mark.parametrize("seed", range(24))
def test_on_random_problems(seed):
    for case in random_problems(seed, 250):
        cost = optimum(case.problem).cost
        assert_optimal(case, ostrya.solve(**case.arguments()), cost)


@pytest.mark.parametrize("seed", range(16))
def test_core_on_random_problems(seed):
    for case in random_problems(1000 + seed, 250):
        found = _core.solve(*case.core_arguments())
        cost = optimum(case.problem).cost
        assert (found.upper, found.lower) == (cost, cost)
        assert found.status == "optimal"


@pytest.mark.parametrize("seed", range(10))
def test_on_shallow_problems_with_many_values(seed):
    for case in shallow_problems(seed, 20):
        cost = sweep_optimum(case.problem)
        assert_optimal(case, ostrya.solve(**case.arguments()), cost)


@pytest.mark.parametrize("seed", range(10))
def test_on_deep_problems(seed):
    for case in deep_problems(seed, 20):
        cost = optimum(case.problem).cost
        assert_optimal(case, ostrya.solve(**case.arguments()), cost)


@settings(max_examples=effort.cases(500))
@given(small_cases())
def test_on_drawn_problems(case):
    cost = optimum(case.problem).cost
    assert_optimal(case, ostrya.solve(**case.arguments()), cost)
