"""Deliberate mistakes of one unit in each bound, which the comparisons must catch.

A bound that may be wrong by one without any test turning red is not tested. The
problems are small enough for the oracle, or the solver without the mistake stands in
for it, having been compared with the oracle on the same kinds of problem.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cases import Case
from claims import CLAIMS
from oracle import optimum
from ostrya import _core
from ostrya._core import testing
from strategies import build_case, deep_problems, threshold_labels, unit_problems

# With assertions a planted mistake ends the process, which is caught all the same.
unasserted = pytest.mark.skipif(
    testing.has_assertions, reason="the engine was built with assertions"
)


@pytest.mark.parametrize("name", CLAIMS)
def test_slip_breaks_the_claim_of_the_bound(name):
    assert any(
        bound > truth
        for case in unit_problems(8000, 200)
        for bound, truth in CLAIMS[name](case.problem, slip=1)
    )


def continuous_problems(seed, count):
    """Columns of all different values, three levels of splits: many intervals."""
    for index in range(count):
        rng = random.Random(f"planted/{seed}/{index}")
        n_rows, n_columns = rng.randint(15, 60), rng.randint(1, 3)
        rows = [tuple(rng.random() for _ in range(n_columns)) for _ in range(n_rows)]
        yield unit_case(rng, rows, threshold_labels(rng, rows), max_depth=3)


def unit_case(rng, rows, labels, **limits) -> Case:
    """A case in which one unit of cost matters."""
    weights = [rng.randint(1, 2) for _ in rows]
    case = build_case(rows, labels, weights=weights, **limits)
    penalty = rng.choice([0, 1, 2])
    return replace(case, problem=replace(case.problem, scale=1, penalty=penalty))


def is_wrong(case: Case, name: str, cost: int) -> bool:
    # A mistake may also keep the search from ending; that is caught as well.
    found = _core.solve(*case.core_arguments(slips={name: 1}, time_limit=1.0))
    return (found.upper, found.lower) != (cost, cost)


@unasserted
@pytest.mark.parametrize(
    "name", ["leaf_count", "leaf_optimal", "support", "look_ahead", "pairs_close"]
)
def test_slip_is_caught_by_the_oracle(name):
    assert any(
        is_wrong(case, name, optimum(case.problem).cost)
        for case in unit_problems(8100, 600)
    )


@unasserted
@pytest.mark.parametrize(
    ("name", "problems"),
    [
        ("superset", continuous_problems),
        ("similar_support", continuous_problems),
        ("depth_transfer", deep_problems),
    ],
)
def test_slip_is_caught_by_the_sound_solver(name, problems):
    assert any(
        is_wrong(case, name, _core.solve(*case.core_arguments()).upper)
        for case in problems(8200, 600)
    )


def test_without_a_slip_nothing_is_caught():
    for case in unit_problems(8100, 60):
        found = _core.solve(*case.core_arguments())
        assert found.upper == optimum(case.problem).cost
