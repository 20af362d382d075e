"""Switching bounds off changes no answer of the measures either."""

from __future__ import annotations

import dataclasses
import random
from fractions import Fraction

import pytest

import ostrya
from ostrya import _core
from ostrya._solve.objective_validation import POLICIES
from ostrya.objectives import FBeta, PartialAUC
from two_class import arguments, two_class_problems

NAMES = tuple(field.name for field in dataclasses.fields(ostrya.bounds.LeafSetBounds))
OBJECTIVES = {
    "auc": {"objective": "auc"},
    "partial_auc": {"objective": PartialAUC(max_fpr=0.3)},
    "f_beta": {"objective": FBeta(beta=2.0), "engine": "leaf_sets"},
    "callable": {
        "objective": lambda fp, fn: max(fp, 2 * fn),
        "engine": "leaf_sets",
    },
}


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_random_bounds_off_and_any_policy(objective):
    rng = random.Random(objective)
    for case, penalty in two_class_problems(7, 120):
        given = arguments(case, penalty) | OBJECTIVES[objective]
        best = ostrya.solve(**given)
        for _ in range(3):
            switches = {name: rng.random() < 0.5 for name in NAMES}
            outcome = ostrya.solve(
                **given,
                bounds=ostrya.bounds.LeafSetBounds(**switches),
                policy=rng.choice(POLICIES),
            )
            assert outcome.status == "optimal"
            assert outcome.objective == pytest.approx(best.objective, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["hierarchical", "look_ahead", "incremental_accuracy", "tangent"]
)
def test_a_slip_is_caught_under_auc(name):
    def is_wrong(case, penalty):
        given = arguments(case, penalty) | {"objective": "auc"}
        problem = case.problem
        mass = [
            sum(
                w
                for w, k in zip(problem.weights, problem.labels, strict=True)
                if k == label
            )
            for label in (0, 1)
        ]
        rate = penalty * 2 * mass[0] * mass[1]
        # As large as the penalty: a slip of one unit is seldom seen among pairs.
        slip = max(1, rate.numerator)
        *data, _, _, options, area = case.leaf_set_arguments(
            _core.RocArea(1, 1, 1, 1),
            policy="lower_bound",
            slips={name: slip},
            bounds={"greedy_start": False},
        )
        grid = rate.denominator, rate.numerator
        found = _core.solve_leaf_sets(*data, *grid, options, area)
        unit = 1 / Fraction(2 * mass[0] * mass[1] * rate.denominator)
        return float(found.upper * unit) > ostrya.solve(**given).objective + 1e-9

    assert any(is_wrong(*problem) for problem in two_class_problems(11, 400))
