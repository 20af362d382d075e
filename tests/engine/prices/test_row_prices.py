"""Prices are feasible for every box, and a search that uses them finds the optimum."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import effort
from cases import Case, eager
from oracle import Problem, optimum
from ostrya import _core
from price_checks import assert_feasible, both_searches, found_prices, larger_case
from strategies import build_case, random_problems, small_cases


@both_searches
@settings(max_examples=effort.cases(150))
@given(case=small_cases(max_rows=8))
def test_no_box_pays_more_than_it_costs(case, most_cuts):
    cost = optimum(case.problem).cost
    if found := found_prices(case, cost, most_cuts):
        assert_feasible(case, found)
        assert found["lower"] <= cost


@both_searches
def test_prices_of_random_problems_reach_most_of_the_optimum(most_cuts):
    shares = []
    for case in random_problems(9100, 200):
        problem = case.problem
        cost = optimum(problem).cost
        found = found_prices(case, cost, most_cuts)
        if not found:
            continue
        assert_feasible(case, found)
        assert found["lower"] <= cost
        if problem.max_depth is None and cost > found["base"]:
            above = found["lower"] - found["base"]
            shares.append(above / (cost - found["base"]))
    assert np.mean(shares) > 0.5


@both_searches
def test_columns_that_keep_no_cut_beside_yes_no_questions(most_cuts):
    # The sums of greedy boxes once took every column for a question, and never ended.
    problem = Problem(
        rows=((0, 0, 0), (0, 0, 1), (0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 0, 0)),
        labels=(2, 0, 3, 1, 0, 1),
        weights=(6, 17, 36, 10, 3, 25),
        costs=((0, 0, 3, 2), (0, 0, 0, 4), (2, 2, 0, 3), (0, 3, 4, 0)),
        scale=200,
        penalty=97,
        max_depth=None,
        max_leaf_nodes=None,
        min_samples_leaf=3,
    )
    case, cost = Case(problem), optimum(problem).cost
    found = found_prices(case, cost, most_cuts)
    assert_feasible(case, found)
    assert found["lower"] <= cost


@pytest.mark.parametrize("seed", range(9200, 9206))
def test_searches_with_prices_from_the_start_find_the_optimum(seed):
    for case in random_problems(seed, 250):
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(turns_after=0))
        assert (found.lower, found.upper) == (cost, cost)


def test_prices_with_histograms_and_budgets():
    for case in random_problems(9300, 250):
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(turns_after=0, few_cuts=0))
        assert (found.lower, found.upper) == (cost, cost)
        within = case.core_arguments(turns_after=0, upper=cost + 1)
        assert _core.solve(*within).upper == cost
        beyond = _core.solve(*case.core_arguments(turns_after=0, upper=cost))
        assert beyond.lower >= cost


@both_searches
@pytest.mark.parametrize("seed", range(6))
def test_prices_of_larger_problems_are_feasible(seed, most_cuts):
    case = larger_case(seed, n_columns=2)
    found = _core.solve(*case.core_arguments())
    prices = found_prices(case, found.upper, most_cuts)
    assert_feasible(case, prices)
    assert prices["lower"] <= found.upper


def worths_of_all_boxes(grid):
    """The sum in every box of a grid, by differences of running sums, in one array."""
    for _ in range(grid.ndim):
        grid = np.moveaxis(grid, -1, 0)
        sums = np.concatenate([np.zeros_like(grid[:1]), np.cumsum(grid, axis=0)])
        low, high = np.triu_indices(len(sums), 1)
        grid = sums[high] - sums[low]
    return grid


@both_searches
@pytest.mark.parametrize("seed", range(3))
def test_prices_of_a_thousand_groups_are_feasible(seed, most_cuts):
    """So many that the losses of smaller sets of boxes are packed again and again."""
    rng = random.Random(f"thousand/{seed}")
    rows = [tuple(rng.randint(0, 5) for _ in range(4)) for _ in range(5000)]
    noise = rng.choice([0.1, 0.3])
    labels = [int((a * b > 2 + c) != (rng.random() < noise)) for a, b, c, _ in rows]
    case = build_case(rows, labels, penalty=Fraction(1, rng.choice([50, 100])))
    cost = _core.solve(*case.core_arguments()).upper
    found = found_prices(case, cost, most_cuts)
    ranks, gains = np.array(found["ranks"]), np.array(found["gains"])
    assert len(ranks) > 1000
    assert found["base"] < found["lower"] <= cost
    unit = 2 ** max(found["shift"], 0)
    coarse = 2 ** max(-found["shift"], 0)
    for label in range(2):
        losses = case.problem.scale * (gains.max(axis=1) - gains[:, label])
        worth = coarse * np.array(found["prices"]) - unit * losses
        grid = np.zeros(ranks.max(axis=0) + 1, dtype=np.int64)
        np.add.at(grid, tuple(ranks.T), worth)
        assert worths_of_all_boxes(grid).max() <= unit * case.problem.penalty


@pytest.mark.parametrize("seed", range(12))
def test_prices_change_the_time_and_not_the_answer(seed):
    case = larger_case(seed)
    without = _core.solve(*case.core_arguments(bounds={"dual_prices": False}))
    priced = _core.solve(*case.core_arguments(turns_after=0))
    assert (priced.lower, priced.upper) == (without.lower, without.upper)


def test_a_search_goes_on_without_prices_where_there_is_no_memory_for_them():
    rng = np.random.default_rng(8)
    X = rng.integers(0, 2, size=(3000, 80))
    y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    y ^= rng.random(len(y)) < 0.02
    # A quarter of it is what a search gets in a process that holds more than the limit.
    limits = _core.Limits(memory_limit=10 * 2**20)
    found = _core.solve(
        np.asfortranarray(X, dtype=float),
        y.astype(np.int32),
        np.ones(len(y), dtype=np.int64),
        np.array([[0, 1], [1, 0]], dtype=np.int64),
        *(1, 25, _core.Options(limits, tuning=eager(turns_after=0))),
    )
    assert found.status == "optimal"
    assert found.statistics.peak_memory < 10 * 2**20 / 4
