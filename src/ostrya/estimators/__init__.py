"""Estimators for scikit-learn, one per file, and searches of tables without one."""

from ostrya.estimators.optimal_policy_tree import OptimalPolicyTree
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.optimal_tree_cv import OptimalTreeClassifierCV
from ostrya.estimators.rashomon_set import RashomonSet
from ostrya.estimators.table_frontier import frontier
from ostrya.estimators.table_runtime import estimate_runtime
from ostrya.estimators.top_k_tree import TopKTreeClassifier

__all__ = [
    "OptimalPolicyTree",
    "OptimalTreeClassifier",
    "OptimalTreeClassifierCV",
    "RashomonSet",
    "TopKTreeClassifier",
    "estimate_runtime",
    "frontier",
]
