"""The scans: what they say of every first split, held against the oracle.

Costs are above base: the part of the unavoidable loss in the same rows is taken off.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
from cases import Case
from oracle import Oracle, leaf_cost, unavoidable_loss
from oracle.problem import parts
from ostrya._core import testing
from strategies import small_cases, unit_problems


def scanned(case: Case, support: bool):
    return testing.split_bounds(*case.core_arguments(bounds={"support": support}))


def sides(problem, split):
    """Both children: rows, base, what the scan says, and its lower bound."""
    yes, no = parts(problem, problem.all_rows, split["feature"], split["threshold"])
    for rows, name in ((yes, "yes"), (no, "no")):
        base = unavoidable_loss(problem, rows)
        yield rows, base, split[f"{name}_costs"], split[f"{name}_lower"]


def assert_splits(case: Case, support: bool):
    """One and two leaves are exact; more leaves, deeper trees bounded from below.

    Second splits that bound 3 rules out are never better than a leaf, so they may be
    missing from the scan but not from the comparison.
    """
    problem, oracle = case.problem, Oracle(case.problem)
    found = scanned(case, support)
    if found["base"] != unavoidable_loss(problem, problem.all_rows):
        return  # bound 3 has raised the base, and no child tells its share
    for split in found["splits"]:
        shallow, optimum = 0, 0
        for rows, base, (leaf, two, more), _ in sides(problem, split):
            assert leaf == oracle.leaf(rows).cost - base
            assert min(leaf, two) == oracle.best(rows, depth=1).cost - base
            assert min(leaf, two, more) <= oracle.best(rows).cost - base
            shallow += min(leaf, two)
            optimum += oracle.best(rows).cost - base
        assert min(shallow, split["rest"]) <= optimum


def assert_lower_bounds(case: Case):
    """Each child's bound holds under what the limits leave to it."""
    problem, oracle = case.problem, Oracle(case.problem)
    depth = None if problem.max_depth is None else problem.max_depth - 1
    leaves = None if problem.max_leaf_nodes is None else problem.max_leaf_nodes - 1
    for split in scanned(case, support=False)["splits"]:
        for rows, base, _, lower in sides(problem, split):
            assert lower <= oracle.best(rows, depth, leaves).cost - base


@pytest.mark.parametrize("support", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_scans_on_unit_problems(seed, support):
    for case in unit_problems(7100 + seed, 75):
        assert_splits(case, support)
        assert_lower_bounds(case)


@settings(max_examples=effort.cases(200))
@given(case=small_cases(max_rows=8, limited=False), support=st.booleans())
def test_scans_on_drawn_problems(case, support):
    assert_splits(case, support)


@settings(max_examples=effort.cases(200))
@given(case=small_cases(max_rows=8))
def test_lower_bounds_on_drawn_problems_with_limits(case):
    if case.problem.max_depth != 0 and case.problem.max_leaf_nodes != 1:
        assert_lower_bounds(case)


@pytest.mark.parametrize("support", [True, False])
def test_splits_left_out_are_never_needed(support):
    for case in unit_problems(7200, 300):
        problem, oracle = case.problem, Oracle(case.problem)
        kept = (
            parts(problem, problem.all_rows, split["feature"], split["threshold"])
            for split in scanned(case, support)["splits"]
        )
        costs = [oracle.best(yes).cost + oracle.best(no).cost for yes, no in kept]
        leaf = oracle.leaf(problem.all_rows).cost
        assert min([leaf, *costs]) == oracle.best(problem.all_rows).cost


def test_base_with_supported_splits_only_is_below_the_optimum():
    """The base may grow with bound 3, but an optimal tree loses at least as much."""
    for case in unit_problems(7300, 200):
        problem = case.problem
        best = Oracle(problem).best(problem.all_rows)
        for on in (True, False):
            base = scanned(case, on)["base"]
            assert base + problem.penalty * best.leaves <= best.cost
        assert base == unavoidable_loss(problem, problem.all_rows)
        assert base + problem.penalty <= leaf_cost(problem, problem.all_rows)
