"""Estimators for scikit-learn, one a file."""

from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.top_k_tree import TopKTreeClassifier

__all__ = ["OptimalTreeClassifier", "TopKTreeClassifier"]
