"""Same input, same tree; and the order of rows is no part of the input."""

from __future__ import annotations

import random
from dataclasses import replace

import ostrya
from cases import nested
from oracle import Split, leaf_cost, tree_cost
from oracle.problem import parts
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


def subtrees(problem, tree, rows):
    """Every split of the tree with the rows that reach it."""
    if isinstance(tree, Split):
        yield tree, rows
        yes, no = parts(problem, rows, tree.feature, tree.threshold)
        yield from subtrees(problem, tree.yes, yes)
        yield from subtrees(problem, tree.no, no)


def test_a_leaf_beats_a_split_of_equal_cost():
    for case in random_problems(5300, 1200):
        problem = case.problem
        for tree, rows in subtrees(problem, solved(case), problem.all_rows):
            assert leaf_cost(problem, rows) > tree_cost(problem, tree, rows)
