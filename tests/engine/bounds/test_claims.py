"""Every bound by itself never exceeds the truth."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

import effort
from claims import CLAIMS
from strategies import small_cases, unit_problems


@pytest.mark.parametrize("name", CLAIMS)
def test_bound_never_exceeds_the_truth(name):
    checked = 0
    for case in unit_problems(7000, 200):
        for bound, truth in CLAIMS[name](case.problem):
            assert bound <= truth
            checked += 1
    assert checked >= 100


@pytest.mark.parametrize("name", CLAIMS)
@settings(max_examples=effort.cases(60))
@given(case=small_cases(max_rows=8))
def test_bound_never_exceeds_the_truth_on_drawn_problems(name, case):
    problem = replace(case.problem, max_depth=None, max_leaf_nodes=None)
    # B4 and B5 speak of the problem without that limit; the others hold with it.
    if name in ("superset", "similar_support"):
        problem = replace(problem, min_samples_leaf=1)
    for bound, truth in CLAIMS[name](problem):
        assert bound <= truth


@settings(max_examples=effort.cases(150))
@given(case=small_cases(max_rows=8))
def test_support_bound_holds_under_all_limits(case):
    for bound, truth in CLAIMS["support"](case.problem):
        assert bound <= truth
