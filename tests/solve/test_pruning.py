"""No split of the tree returned can be pruned for free, wherever the tree came from."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import ostrya
from cases import assert_optimal, nested
from oracle import Leaf, Split, leaf_cost, optimum, splits, tree_cost
from oracle.measures import auc_loss, counted_loss, f_beta_loss, partial_auc_loss
from oracle.problem import parts
from ostrya._guesses import polish
from ostrya.objectives import PartialAUC
from strategies import random_problems
from two_class import arguments, two_class_problems

MEASURES = {
    "auc": auc_loss,
    "partial_auc": partial_auc_loss(Fraction(1, 3)),
    "f1": f_beta_loss(Fraction(1)),
    "callable": counted_loss(max),
}


def overgrown(problem, rng):
    """A tree that splits whatever its limits let it split, anywhere."""

    def grow(rows, depth, leaves):
        ways = list(splits(problem, rows))
        if not ways or depth == 0 or leaves < 2:
            return None
        feature, threshold, yes, no = rng.choice(ways)
        below = grow(yes, depth - 1, leaves // 2)
        above = grow(no, depth - 1, leaves - leaves // 2)
        return polish.SplitNode(feature, threshold, below, above)

    n_rows = len(problem.rows)
    depth = n_rows if problem.max_depth is None else problem.max_depth
    shape = polish.flatten(
        grow(problem.all_rows, depth, problem.max_leaf_nodes or n_rows)
    )
    n_nodes = shape.n_nodes
    return ostrya.Tree(
        **shape._asdict(),
        label=[0] * n_nodes,
        value=[[1.0]] * n_nodes,
        n_samples=[1] * n_nodes,
        n_features=problem.n_features,
    )


def subtrees(problem, tree, rows):
    """Every split of a tree, with its rows."""
    if isinstance(tree, Split):
        yield tree, rows
        yes, no = parts(problem, rows, tree.feature, tree.threshold)
        yield from subtrees(problem, tree.yes, yes)
        yield from subtrees(problem, tree.no, no)


def leaf_rows(problem, tree, rows, pruned=None):
    """The rows of each leaf, with one split made a leaf."""
    if isinstance(tree, Leaf) or tree is pruned:
        return (rows,)
    yes, no = parts(problem, rows, tree.feature, tree.threshold)
    below = leaf_rows(problem, tree.yes, yes, pruned)
    return (*below, *leaf_rows(problem, tree.no, no, pruned))


def test_a_warm_start_is_pruned():
    X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    redundant = ostrya.solve(X, [0, 1, 0, 1], leaf_penalty=0).tree
    assert redundant.n_leaves == 4
    outcome = ostrya.solve(X, y, leaf_penalty=0, warm_start=redundant)
    assert (outcome.status, outcome.objective, outcome.n_leaves) == ("optimal", 0.0, 2)
    assert outcome.tree == ostrya.solve(X, y, leaf_penalty=0).tree


@pytest.mark.parametrize("engine", ["columns", "leaf_sets"])
def test_no_split_of_a_sum_can_be_pruned_for_free(engine):
    rng = random.Random(0)
    for case in random_problems(5100, 200):
        problem = case.problem
        start = overgrown(problem, rng)
        outcome = ostrya.solve(**case.arguments(), engine=engine, warm_start=start)
        assert_optimal(case, outcome, optimum(problem).cost)
        for split, rows in subtrees(problem, nested(outcome.tree), problem.all_rows):
            assert tree_cost(problem, split, rows) < leaf_cost(problem, rows)


@pytest.mark.parametrize("name", MEASURES)
def test_no_split_under_a_measure_can_be_pruned_for_free(name):
    rng = random.Random(1)
    loss, third = MEASURES[name], PartialAUC(max_fpr=1 / 3)
    for case, penalty in two_class_problems(5200, 100):
        problem = case.problem
        given = arguments(case, penalty) | {
            "objective": {"callable": max, "partial_auc": third}.get(name, name),
        }
        outcome = ostrya.solve(**given, warm_start=overgrown(problem, rng))
        assert outcome.objective == ostrya.solve(**given).objective
        tree = nested(outcome.tree)
        leaves = leaf_rows(problem, tree, problem.all_rows)
        objective = loss(problem, leaves) + penalty * len(leaves)
        for split, _ in subtrees(problem, tree, problem.all_rows):
            fewer = leaf_rows(problem, tree, problem.all_rows, pruned=split)
            assert loss(problem, fewer) + penalty * len(fewer) > objective
