"""Problems on which the solver was once wrong, each with its optimum."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from cases import Case, assert_optimal, zero_one
from oracle import Problem, optimum
from ostrya import _core


def plain(rows, labels, **parts) -> Case:
    parts = {"weights": (1,) * len(rows), "costs": zero_one(max(labels) + 1)} | parts
    return Case(Problem(rows=rows, labels=labels, **parts))


# Deepening the budget by the penalty never ended when that was zero.
NO_PENALTY = [
    plain(
        rows=((4,), (2,), (1,), (3,), (0,), (4,)),
        labels=(0, 0, 0, 1, 0, 0),
        min_samples_leaf=2,
    ),
    plain(
        rows=((0, 1, 1), (1, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)),
        labels=(0, 0, 1, 1, 1),
    ),
]


@pytest.mark.parametrize("case", NO_PENALTY)
def test_search_without_penalty_ends(case):
    cost = optimum(case.problem).cost
    assert_optimal(case, ostrya.solve(**case.arguments()), cost)


# Two columns with the same hash were taken for one.
ALIKE = [
    plain(
        rows=((0, 0), (0, 1), (1, 0), (0, 1), (1, 1)),
        labels=(2, 2, 0, 1, 2),
        weights=(5, 3, 5, 4, 4),
        penalty=2,
    ),
    plain(
        rows=((0, 2), (0, 2), (0, 1), (0, 2), (1, 1), (0, 0)),
        labels=(2, 1, 0, 0, 2, 1),
    ),
    plain(
        rows=((0, 0),) * 11 + ((0, 1), (0, 0), (1, 1), (1, 0), (0, 0)),
        labels=(1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 2, 1, 0, 2),
        weights=(8, 4, 2, 2, 3, 1, 9, 4, 6, 5, 7, 1, 6, 6, 4, 9),
        costs=((0, 3, 0), (4, 0, 2), (1, 2, 0)),
        scale=50,
        penalty=101,
    ),
]


@pytest.mark.parametrize("case", ALIKE)
@pytest.mark.parametrize("support", [True, False])
@pytest.mark.parametrize("above", [0, 1, 2])
def test_columns_with_one_hash_stay_two(case, support, above):
    cost = optimum(case.problem).cost
    switches = {"support": support}
    found = _core.solve(*case.core_arguments(upper=cost + above, bounds=switches))
    assert found.lower == cost
    if above > 0:
        assert found.upper == cost


@pytest.mark.parametrize("top_k", [None, ostrya.top_k.TopKSplits(k=2)])
@pytest.mark.parametrize("seed", [4, 7, 9, 13])
def test_costs_of_bad_trees_stay_below_what_is_called_unreachable(seed, top_k):
    # Many classes and weights that are no ratios: a lone leaf cost more than half of
    # what the grid allows.
    rng = np.random.default_rng(seed)
    X, y, weights = rng.random((30, 2)), rng.integers(0, 7, 30), rng.random(30)
    shares = np.bincount(y, weights) / weights.sum()
    for depth in (0, 1):
        outcome = ostrya.solve(
            *(X, y),
            leaf_penalty=0.0005,
            max_depth=depth,
            sample_weight=weights,
            top_k=top_k,
        )
        assert outcome.status in ("optimal_to_rounding", "optimal_in_top_k")
        assert outcome.gap < 1e-12
        assert 0.5 < outcome.loss <= 1 - shares.max() + 1e-9
