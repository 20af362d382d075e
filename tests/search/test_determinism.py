"""Same input, same tree; and the order of rows is no part of the input."""

from __future__ import annotations

import random
from dataclasses import replace

import ostrya
from cases import nested
from oracle import optimum, tree_leaves
from strategies import random_problems, shallow_problems


def solved(case):
    return nested(ostrya.solve(**case.arguments()).tree)


def with_rows_shuffled(case, rng):
    problem = case.problem
    order = rng.sample(range(len(problem.rows)), len(problem.rows))
    return replace(
        case,
        problem=replace(
            problem,
            rows=tuple(problem.rows[i] for i in order),
            labels=tuple(problem.labels[i] for i in order),
            weights=tuple(problem.weights[i] for i in order),
        ),
    )


def test_same_input_same_tree():
    for case in random_problems(5000, 300):
        assert solved(case) == solved(case)


def test_same_tree_for_rows_in_any_order():
    rng = random.Random(5100)
    for case in random_problems(5100, 500):
        assert solved(case) == solved(with_rows_shuffled(case, rng))


def test_same_tree_for_many_valued_rows_in_any_order():
    rng = random.Random(5200)
    for case in shallow_problems(5200, 60):
        assert solved(case) == solved(with_rows_shuffled(case, rng))


def test_ties_go_to_fewer_leaves():
    for case in random_problems(5300, 800):
        assert tree_leaves(solved(case)) == optimum(case.problem).leaves
