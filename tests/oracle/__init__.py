"""Brute force in plain Python: slow, obvious, and a stranger to the solver."""

from oracle.at_least import AtLeast
from oracle.costs import (
    dearest_loss,
    label_losses,
    leaf_cost,
    leaf_loss,
    tree_cost,
    unavoidable_loss,
)
from oracle.literal import all_trees, literal_optimum
from oracle.optimum import Best, Oracle, optimum
from oracle.problem import Leaf, Problem, Split, splits, tree_depth, tree_leaves
from oracle.sweep import sweep_optimum

__all__ = [
    "AtLeast",
    "Best",
    "Leaf",
    "Oracle",
    "Problem",
    "Split",
    "all_trees",
    "dearest_loss",
    "label_losses",
    "leaf_cost",
    "leaf_loss",
    "literal_optimum",
    "optimum",
    "splits",
    "sweep_optimum",
    "tree_cost",
    "tree_depth",
    "tree_leaves",
    "unavoidable_loss",
]
