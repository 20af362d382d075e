"""What rows lose: as one leaf, in a given tree, and whatever one does."""

from __future__ import annotations

from oracle.problem import Leaf, parts, tree_leaves


def label_losses(problem, rows):
    """The loss of `rows` under each label, scaled."""
    losses = [0] * problem.n_classes
    for i in rows:
        for k, cost in enumerate(problem.costs[problem.labels[i]]):
            losses[k] += problem.scale * problem.weights[i] * cost
    return losses


def leaf_loss(problem, rows):
    return min(label_losses(problem, rows))


def leaf_cost(problem, rows):
    return leaf_loss(problem, rows) + problem.penalty


def unavoidable_loss(problem, rows):
    """The least loss of any tree: rows with equal features share a label."""
    groups = {}
    for i in rows:
        groups.setdefault(problem.rows[i], []).append(i)
    return sum(leaf_loss(problem, group) for group in groups.values())


def dearest_loss(problem, rows):
    """The most that labels can make `rows` lose, groups of equal rows apart."""
    groups = {}
    for i in rows:
        groups.setdefault(problem.rows[i], []).append(i)
    return sum(max(label_losses(problem, group)) for group in groups.values())


def tree_loss(problem, tree, rows):
    if isinstance(tree, Leaf):
        return label_losses(problem, rows)[tree.label]
    yes, no = parts(problem, rows, tree.feature, tree.threshold)
    return tree_loss(problem, tree.yes, yes) + tree_loss(problem, tree.no, no)


def tree_cost(problem, tree, rows=None):
    """The cost of a given tree on given rows (all of them by default)."""
    rows = problem.all_rows if rows is None else rows
    return tree_loss(problem, tree, rows) + problem.penalty * tree_leaves(tree)


def is_legal(problem, tree, rows):
    """True when every leaf of a splitting tree holds enough rows."""
    if isinstance(tree, Leaf):
        return True
    yes, no = parts(problem, rows, tree.feature, tree.threshold)
    return (
        min(len(yes), len(no)) >= problem.min_samples_leaf
        and is_legal(problem, tree.yes, yes)
        and is_legal(problem, tree.no, no)
    )
