"""Every point of a trace is true: its bounds, its depth, the bound of the next."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from cases import Case
from ostrya import _core
from strategies import deep_problems, raw_problems
from trace_checks import assert_trace_holds, least_costs

WAYS = {
    "alone": {},
    "early turns": {"turns_after": 0},
    "early turns, little work": {"turns_after": 0, "effort": 10**6},
    "early turns, stopped": {"turns_after": 0, "max_work": 10**6},
    "two threads": {"turns_after": 0, "n_threads": 2, "threads_after": 0},
}


@pytest.mark.parametrize("way", WAYS)
def test_every_point_of_a_trace_holds(way):
    n_bounds = 0
    for case in [*raw_problems(31, 24), *deep_problems(32, 4)]:
        found = _core.solve(*case.core_arguments(**WAYS[way]))
        assert_trace_holds(found, case)
        n_bounds += sum(point.next_depth_lower > point.lower for point in found.trace)
    assert way == "alone" or n_bounds > 0


@pytest.mark.parametrize("share", [0.8, 1.0, 1.1])
def test_points_hold_where_only_cheaper_trees_are_wanted(share):
    for case in raw_problems(33, 12):
        least_cost = least_costs(case)
        cost = least_cost(2)
        assert cost is not None
        upper = max(1, int(share * cost))
        found = _core.solve(*case.core_arguments(turns_after=0, upper=upper))
        assert_trace_holds(found, case, least_cost, upper)


def test_a_proved_depth_leaves_no_bound_to_the_next():
    """The bound of depth 3 was reported for depth 4, whose trees cost less."""
    n_proved = 0
    for case in raw_problems(35, 20):
        least_cost = least_costs(case)
        found = _core.solve(*case.core_arguments(turns_after=0))
        for point in found.trace:
            deeper = least_cost(4)
            if point.proved_depth == 3 and deeper is not None:
                n_proved += deeper < point.upper
                assert point.next_depth_lower <= deeper
    assert n_proved > 0


def test_bounds_in_the_units_of_the_caller():
    for case in raw_problems(35, 8):
        given = case.arguments()
        outcome = ostrya.solve(**given)
        for point in outcome.trace:
            assert point.lower_bound <= point.next_depth_bound <= point.objective
        for start in (outcome.tree, ostrya.solve(**given | {"max_depth": 1}).tree):
            again = ostrya.solve(**given, warm_start=start)
            for point in again.trace:
                assert point.lower_bound <= point.next_depth_bound <= point.objective


def test_a_guessed_search_claims_no_depth_of_its_surrogate():
    n_better = 0
    for case in raw_problems(36, 30):
        given = case.arguments()
        # The reference errs on most rows: what is proved of it says little.
        reference = np.random.default_rng(0).permutation(given["y"])
        guessed = ostrya.solve(**given, reference_labels=reference)
        for depth in (1, 2):
            limit = given["max_depth"]
            least = ostrya.solve(
                **given | {"max_depth": depth if limit is None else min(limit, depth)}
            )
            for point in guessed.trace:
                if point.proved_depth >= depth:
                    assert point.objective <= least.objective + 1e-12
            n_better += least.objective < guessed.trace[0].objective
    assert n_better > 0


def test_a_case_is_one_that_takes_turns():
    """The tables are such that small depths are searched beside all trees."""
    cases = list(raw_problems(37, 10))
    assert all(isinstance(case, Case) for case in cases)
    depths = {
        point.proved_depth
        for case in cases
        for point in _core.solve(*case.core_arguments(turns_after=0)).trace
    }
    assert {2, 3} <= depths
