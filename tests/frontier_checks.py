"""What a frontier says, beside what brute force finds for every number of leaves."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import ostrya
from cases import nested
from oracle import Leaf, Oracle, tree_depth
from oracle.costs import is_legal, tree_loss


def without_penalty(case):
    """The same case with a loss alone to be low, which is what a frontier is about.

    Rows of weight 0 are left out, as `ostrya.frontier` does.
    """
    problem = case.problem
    kept = [place for place, weight in enumerate(problem.weights) if weight]
    rows, labels, weights = (
        tuple(each[place] for place in kept)
        for each in (problem.rows, problem.labels, problem.weights)
    )
    return replace(
        case,
        problem=replace(problem, rows=rows, labels=labels, weights=weights, penalty=0),
    )


def frontier_of(case, **changes):
    arguments = case.arguments()
    del arguments["leaf_penalty"]
    return ostrya.frontier(**(arguments | changes))


def relabelled(tree, classes):
    """A tree as the oracle writes it, with labels in place of class codes."""
    if isinstance(tree, Leaf):
        return Leaf(int(classes[tree.label]))
    yes, no = (relabelled(each, classes) for each in (tree.yes, tree.no))
    return tree._replace(yes=yes, no=no)


def assert_equals_oracle(case, frontier):
    problem = case.problem
    oracle = Oracle(problem)
    for h in range(1, frontier.max_leaf_nodes + 1):
        least = oracle.best(problem.all_rows, problem.max_depth, h).cost
        point = frontier.at_leaves(h)
        assert point.status == "optimal"
        assert point.gap == 0.0
        assert point.lower_bound == point.loss
        tree = relabelled(nested(point.tree), frontier.classes)
        assert tree_loss(problem, tree, problem.all_rows) == least
        assert is_legal(problem, tree, problem.all_rows)
        assert problem.max_depth is None or tree_depth(tree) <= problem.max_depth
        assert point.n_leaves == point.tree.n_leaves <= h
        assert math.isclose(point.loss, case.objective(least), abs_tol=1e-12)
    assert frontier.status == "optimal"


def assert_well_formed(frontier):
    """What holds of every frontier, proved or not."""
    assert [point.max_leaf_nodes for point in frontier.points] == list(
        range(1, len(frontier.points) + 1)
    )
    for one, other in pairwise(frontier.points):
        assert other.loss <= one.loss
        assert other.lower_bound <= one.lower_bound
    for point in frontier.points:
        assert point.n_leaves == point.tree.n_leaves <= point.max_leaf_nodes
        assert point.lower_bound <= point.loss
        assert point.is_optimal == (point.gap == 0.0)
    assert frontier.hull[0].most_penalty == math.inf
    assert frontier.hull[-1].least_penalty == 0.0
    for one, other in pairwise(frontier.hull):
        assert one.least_penalty == other.most_penalty
        assert one.n_leaves < other.n_leaves
    for each in frontier.hull:
        assert each.least_penalty < each.most_penalty


def assert_brackets_hold(case, frontier):
    """What is said of every size is true of the oracle's tree, proved or not."""
    oracle, problem = Oracle(case.problem), case.problem
    for h in range(1, frontier.max_leaf_nodes + 1):
        cost = oracle.best(problem.all_rows, problem.max_depth, h).cost
        least, point = float(case.objective(cost)), frontier.at_leaves(h)
        assert point.lower_bound <= least + 1e-12
        assert least <= point.loss + 1e-12
        assert not point.is_optimal or math.isclose(point.loss, least, abs_tol=1e-12)
