"""Estimators for scikit-learn, one per file, and searches of tables without one."""

from ostrya._guesses.depth import depth_guess
from ostrya._guesses.guess import Guess
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.optimal_tree_cv import OptimalTreeClassifierCV
from ostrya.estimators.table_estimate import estimate
from ostrya.estimators.table_frontier import frontier
from ostrya.estimators.top_k_tree import TopKTreeClassifier

__all__ = [
    "Guess",
    "OptimalTreeClassifier",
    "OptimalTreeClassifierCV",
    "TopKTreeClassifier",
    "depth_guess",
    "estimate",
    "frontier",
]
