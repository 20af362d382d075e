"""Prices are feasible for every box, and a search that uses them finds the optimum."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import effort
from cases import PATIENCE
from oracle import optimum
from ostrya import _core
from ostrya._core import testing
from strategies import build_case, random_problems, small_cases, threshold_labels

#: Cuts up to which boxes are searched condition by condition: all of a test's or none.
BY_CONDITIONS, BY_SIDES = 1000, 0
both_searches = pytest.mark.parametrize("most_cuts", [BY_CONDITIONS, BY_SIDES])


def found_prices(case, cost, most_cuts):
    """Prices for trees below a cost; nothing where there is no split or no penalty."""
    if case.problem.penalty == 0:
        return {}
    options = _core.Options(case.core_limits(PATIENCE))
    return testing.row_prices(*case.core_data(), options, cost, most_cuts)


def assert_feasible(case, found):
    """No box of row groups pays more than it costs as a leaf, under any label."""
    ranks, gains = np.array(found["ranks"]), np.array(found["gains"], dtype=object)
    prices = np.array(found["prices"], dtype=object)
    losses = gains.max(axis=1)[:, None] - gains
    problem = case.problem
    intervals = [
        itertools.combinations_with_replacement(range(column.max() + 1), 2)
        for column in ranks.T
    ]
    unit = 2 ** max(found["shift"], 0)
    coarse = 2 ** max(-found["shift"], 0)
    for box in itertools.product(*intervals):
        low, high = np.array(box).T
        inside = ((ranks >= low) & (ranks <= high)).all(axis=1)
        cheapest = problem.scale * losses[inside].sum(axis=0).min(initial=10**18)
        assert prices[inside].sum() * coarse <= unit * (cheapest + problem.penalty)


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


@pytest.mark.parametrize("seed", range(9200, 9206))
def test_searches_with_prices_from_the_start_find_the_optimum(seed):
    for case in random_problems(seed, 250):
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(price_start=0))
        assert (found.lower, found.upper) == (cost, cost)


def test_prices_with_histograms_and_budgets():
    for case in random_problems(9300, 250):
        cost = optimum(case.problem).cost
        found = _core.solve(*case.core_arguments(price_start=0, few_cuts=0))
        assert (found.lower, found.upper) == (cost, cost)
        within = case.core_arguments(price_start=0, upper=cost + 1)
        assert _core.solve(*within).upper == cost
        beyond = _core.solve(*case.core_arguments(price_start=0, upper=cost))
        assert beyond.lower >= cost


def larger_case(seed, n_columns=None):
    """Hundreds of rows, with weights up to a thousand million in every other one."""
    rng = random.Random(f"prices/{seed}")
    n_rows, n_columns = rng.randint(100, 300), n_columns or rng.randint(2, 4)
    rows = [tuple(rng.randint(0, 12) for _ in range(n_columns)) for _ in range(n_rows)]
    labels = threshold_labels(rng, rows)
    heaviest = 10**9 if seed % 2 else 3
    weights = [rng.randint(1, heaviest) for _ in rows]
    return build_case(rows, labels, weights=weights, penalty=Fraction(1, 40))


@both_searches
@pytest.mark.parametrize("seed", range(6))
def test_prices_of_larger_problems_are_feasible(seed, most_cuts):
    case = larger_case(seed, n_columns=2)
    found = _core.solve(*case.core_arguments())
    prices = found_prices(case, found.upper, most_cuts)
    assert_feasible(case, prices)
    assert prices["lower"] <= found.upper


@pytest.mark.parametrize("seed", range(12))
def test_prices_change_the_time_and_not_the_answer(seed):
    case = larger_case(seed)
    without = _core.solve(*case.core_arguments(bounds={"row_prices": False}))
    priced = _core.solve(*case.core_arguments(price_start=0))
    assert (priced.lower, priced.upper) == (without.lower, without.upper)
