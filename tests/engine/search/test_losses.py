"""Class weights and cost matrices are the weights and costs they stand for."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import ostrya
from cases import assert_optimal, zero_one
from oracle import optimum
from strategies import build_case, random_problems


def weighed(case, factors):
    """The case whose weights have been multiplied by a factor a class."""
    problem = case.problem
    weights = [
        weight * factors[label]
        for weight, label in zip(problem.weights, problem.labels, strict=True)
    ]
    return build_case(
        problem.rows,
        problem.labels,
        weights=weights,
        costs=problem.costs,
        cost_unit=case.cost_unit,
        penalty=Fraction(1, 50),
        max_depth=problem.max_depth,
        max_leaf_nodes=problem.max_leaf_nodes,
        min_samples_leaf=problem.min_samples_leaf,
    )


@pytest.mark.parametrize("factors", [(1, 2, 3, 4), (5, 1, 0, 2), (3, 3, 3, 3)])
def test_class_weight_multiplies_weights(factors):
    for case in random_problems(6000, 300):
        heavier = weighed(case, factors)
        if sum(heavier.problem.weights) == 0:
            continue
        arguments = case.arguments() | {
            "leaf_penalty": 0.02,
            "class_weight": dict(enumerate(factors[: case.problem.n_classes])),
        }
        cost = optimum(heavier.problem).cost
        assert_optimal(heavier, ostrya.solve(**arguments), cost)


def test_balanced_gives_every_class_the_same_weight():
    for case in random_problems(6100, 300):
        counts = Counter(case.problem.labels)
        if len(counts) < case.problem.n_classes:
            continue
        even = replace(case.problem, weights=(1,) * len(case.problem.rows))
        case = replace(case, problem=even, weight_unit=1)
        common = math.lcm(*counts.values())
        factors = [common // counts[k] for k in range(case.problem.n_classes)]
        heavier = weighed(case, factors)
        arguments = case.arguments() | {
            "leaf_penalty": 0.02,
            "class_weight": "balanced",
        }
        cost = optimum(heavier.problem).cost
        assert_optimal(heavier, ostrya.solve(**arguments), cost)


def test_cost_matrix_of_plain_errors_is_the_default():
    for case in random_problems(6200, 100):
        arguments = case.arguments()
        n_classes = case.problem.n_classes
        plain = {k: v for k, v in arguments.items() if k != "cost_matrix"}
        costs = np.array(zero_one(n_classes), dtype=float)
        if max(case.problem.labels) + 1 == n_classes:
            default = ostrya.solve(**plain)
            given = ostrya.solve(**plain, cost_matrix=costs)
            assert given.objective == pytest.approx(default.objective, rel=1e-12)


def test_an_absent_class_may_be_the_best_label():
    X = np.array([[0.0], [1.0]])
    costs = np.array([[0.0, 9.0, 1.0], [9.0, 0.0, 1.0], [9.0, 9.0, 0.0]])
    outcome = ostrya.solve(X, [0, 1], cost_matrix=costs, leaf_penalty=2.0)
    assert outcome.tree.predict(X).tolist() == [2, 2]
    assert outcome.objective == 3.0


def test_loss_free_problem_is_a_leaf():
    X = np.array([[0.0], [1.0], [2.0]])
    outcome = ostrya.solve(X, [0, 1, 0], cost_matrix=np.zeros((2, 2)))
    assert (outcome.n_leaves, outcome.loss, outcome.status) == (1, 0.0, "optimal")
