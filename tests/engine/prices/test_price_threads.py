"""Prices that several threads find: feasible, and the same for any number of them.

A search for all boxes is parted at once here, and a turn is one step: however small the
problem is, all threads have a part in it.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import effort
import ostrya
from failing_allocations import assert_survived
from oracle import optimum
from ostrya import _core
from price_checks import assert_feasible, both_searches, found_prices, larger_case
from strategies import deep_problems, random_problems, small_cases

#: A search whose prices are sought at once, by all threads.
AT_ONCE = {"turns_after": 0, "threads_after": 0}


@both_searches
@pytest.mark.parametrize("n_threads", [2, 3])
@settings(max_examples=effort.cases(80))
@given(case=small_cases(max_rows=8))
def test_respect_every_box(case, most_cuts, n_threads):
    cost = optimum(case.problem).cost
    if found := found_prices(case, cost, most_cuts, n_threads):
        assert_feasible(case, found)
        assert found["lower"] <= cost


@both_searches
@pytest.mark.parametrize("seed", range(4))
def test_of_larger_problems_are_the_same_for_two_and_for_many(seed, most_cuts):
    case = larger_case(seed, n_columns=2)
    cost = _core.solve(*case.core_arguments()).upper
    found = found_prices(case, cost, most_cuts, n_threads=2)
    assert_feasible(case, found)
    assert found["lower"] <= cost
    for n_threads in (2, 3, 5):
        again = found_prices(case, cost, most_cuts, n_threads)
        assert again["prices"] == found["prices"]


@both_searches
def test_reach_as_much_as_those_of_one_thread(most_cuts):
    lower = []
    for case in random_problems(9400, 100):
        cost = optimum(case.problem).cost
        alone, shared = (found_prices(case, cost, most_cuts, n) for n in (1, 3))
        if alone:
            lower.append((alone["lower"] / cost, shared["lower"] / cost))
    # Boxes are found in another order, so that single bounds differ.
    assert np.diff(np.mean(lower, axis=0)) > -0.01


def tree_of(found):
    parts = (found.feature, found.threshold, found.yes, found.no)
    return [np.asarray(part).tobytes() for part in parts]


@pytest.mark.parametrize("seed", range(8))
def test_change_nothing_of_the_answer(seed):
    case = larger_case(seed)
    alone = _core.solve(*case.core_arguments(**AT_ONCE))
    for n_threads in (2, 3):
        found = _core.solve(*case.core_arguments(n_threads=n_threads, **AT_ONCE))
        assert (found.lower, found.upper) == (alone.lower, alone.upper)
        assert found.status == alone.status == "optimal"
        assert tree_of(found) == tree_of(alone)


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.02])
def test_are_left_when_time_is_up(seconds):
    for seed in range(4):
        case = larger_case(seed)
        cost = _core.solve(*case.core_arguments()).upper
        given = {"n_threads": 3, "time_limit": seconds, **AT_ONCE}
        found = _core.solve(*case.core_arguments(**given))
        assert found.lower <= cost <= found.upper


def long_table():
    """A table whose bound is that of prices, for longer than any test takes."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 6, size=(2000, 12)).astype(float)
    return X, ((X[:, 0] * X[:, 1] > X[:, 2] + 4) ^ (rng.random(2000) < 0.2)).astype(int)


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_are_left_when_a_callback_says_so(n_jobs):
    X, y = long_table()
    unsearched = None

    def has_risen(progress):
        nonlocal unsearched
        unsearched = unsearched or progress.lower_bound
        return progress.lower_bound > unsearched

    outcome = ostrya.solve(
        X, y, leaf_penalty=0.01, n_jobs=n_jobs, on_progress=has_risen
    )
    assert outcome.status == "interrupted"
    assert unsearched < outcome.lower_bound < outcome.objective


@pytest.mark.parametrize("kind", ["fails", "exhausts"])
def test_survive_every_allocation_that_fails(kind):
    n_failed = 0
    for case in deep_problems(9410, 2):

        def search(case=case, **options):
            return _core.solve(*case.core_arguments(**options, **AT_ONCE))

        n_failed += assert_survived(kind, 1200, 11, optimum(case.problem).cost, search)
    assert n_failed > 0
