"""A budget or a known tree to start from changes the way, not the answer."""

from __future__ import annotations

import dataclasses

import pytest

import ostrya
from cases import assert_optimal, recounted
from oracle import optimum
from ostrya import _core
from strategies import random_problems

# Far above the rounding of an objective, so which side of it a tree is on is plain.
STEP = 1e-7


def assert_out_of_reach(status, found, cost):
    """No tree beats the budget; the tree known may be proved optimal all the same."""
    assert status in ("upper_bound", "optimal")
    assert found >= cost
    if status == "optimal":
        assert found == cost


def test_budget_above_the_optimum_finds_it():
    for case in random_problems(3000, 600):
        cost = optimum(case.problem).cost
        upper = float(case.objective(cost)) + STEP
        outcome = ostrya.solve(**case.arguments(), upper_bound=upper)
        assert_optimal(case, outcome, cost)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_budget_below_the_optimum_is_proved_out_of_reach(share):
    for case in random_problems(3100, 300):
        cost = optimum(case.problem).cost
        upper = share * float(case.objective(cost)) - STEP
        outcome = ostrya.solve(**case.arguments(), upper_bound=upper)
        assert_out_of_reach(outcome.status, recounted(case, outcome), cost)
        assert outcome.lower_bound >= upper
        assert outcome.lower_bound <= float(case.objective(cost)) + STEP


@pytest.mark.parametrize("seed", [3100, 3200])
def test_budget_is_strict(seed):
    for case in random_problems(seed, 600):
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(upper=cost + 1))
        assert (found.status, found.upper) == ("optimal", cost)
        found = _core.solve(*case.core_arguments(upper=cost))
        assert_out_of_reach(found.status, found.upper, cost)
        assert found.lower == cost


def starting_trees(case):
    """A lone leaf, a stump, the optimum, and a tree grown for other labels."""
    arguments = case.arguments()
    yield ostrya.solve(**arguments | {"max_depth": 0}).tree
    deepest = case.problem.max_depth
    stump = 1 if deepest is None else min(1, deepest)
    yield ostrya.solve(**arguments | {"max_depth": stump, "leaf_penalty": 0.0}).tree
    yield ostrya.solve(**arguments).tree
    other = arguments | {"y": arguments["y"][::-1].copy(), "leaf_penalty": 0.0}
    yield ostrya.solve(**other).tree


def test_warm_start_finds_the_optimum():
    for case in random_problems(3300, 300):
        cost = optimum(case.problem).cost
        for tree in starting_trees(case):
            outcome = ostrya.solve(**case.arguments(), warm_start=tree)
            assert_optimal(case, outcome, cost)


def test_warm_start_with_a_budget_finds_the_optimum():
    for case in random_problems(3400, 200):
        cost = optimum(case.problem).cost
        upper = float(case.objective(cost)) + STEP
        for tree in starting_trees(case):
            outcome = ostrya.solve(
                **case.arguments(), warm_start=tree, upper_bound=upper
            )
            assert_optimal(case, outcome, cost)


def test_warm_start_under_a_hopeless_budget_is_kept_or_beaten():
    for case in random_problems(3500, 200):
        tree = ostrya.solve(**case.arguments()).tree
        outcome = ostrya.solve(**case.arguments(), warm_start=tree, upper_bound=-1.0)
        cost = optimum(case.problem).cost
        assert_out_of_reach(outcome.status, recounted(case, outcome), cost)
        assert recounted(case, outcome) == cost


def test_limits_looser_than_the_data_change_nothing():
    for case in random_problems(3600, 200):
        n_rows = len(case.problem.rows)
        loose = {"max_depth": n_rows + 5, "max_leaf_nodes": 2 * n_rows}
        free = dataclasses.replace(case.problem, max_depth=None, max_leaf_nodes=None)
        outcome = ostrya.solve(**case.arguments() | loose)
        assert_optimal(
            dataclasses.replace(case, problem=free), outcome, optimum(free).cost
        )
