"""Estimators for scikit-learn, one a file."""

from ostrya.estimators.optimal_tree import OptimalTreeClassifier

__all__ = ["OptimalTreeClassifier"]
