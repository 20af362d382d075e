"""The optimum by writing down every tree: the oracle's own oracle."""

from __future__ import annotations

from oracle.costs import is_legal, tree_cost
from oracle.problem import Leaf, Split, tree_leaves


def all_trees(problem, depth):
    """Every tree of at most this depth, with every choice of labels."""
    yield from map(Leaf, range(problem.n_classes))
    if depth == 0:
        return
    below = list(all_trees(problem, depth - 1))
    for feature in range(problem.n_features):
        for threshold in sorted({row[feature] for row in problem.rows})[:-1]:
            for yes in below:
                for no in below:
                    yield Split(feature, threshold, yes, no)


def literal_optimum(problem, depth):
    """The least (cost, leaves) among the legal trees of at most this depth."""
    most = problem.max_leaf_nodes or len(problem.rows)
    return min(
        (tree_cost(problem, tree), tree_leaves(tree))
        for tree in all_trees(problem, depth)
        if tree_leaves(tree) <= most and is_legal(problem, tree, problem.all_rows)
    )
