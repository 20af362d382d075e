"""Estimators for scikit-learn, one a file."""

from ostrya.estimators.depth import depth_guess
from ostrya.estimators.guess import Guess
from ostrya.estimators.optimal_tree import OptimalTreeClassifier

__all__ = ["Guess", "OptimalTreeClassifier", "depth_guess"]
