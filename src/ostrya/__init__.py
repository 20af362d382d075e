"""Provably optimal sparse decision trees."""

from ostrya.bounds import Bounds
from ostrya.estimators import OptimalTreeClassifier
from ostrya.exceptions import InternalError, OptimalityWarning, OstryaError
from ostrya.outcome import Outcome, Progress, Statistics, TracePoint
from ostrya.preprocessing import ThresholdBinarizer
from ostrya.solve import solve
from ostrya.tree import Tree

__all__ = [
    "Bounds",
    "InternalError",
    "OptimalTreeClassifier",
    "OptimalityWarning",
    "OstryaError",
    "Outcome",
    "Progress",
    "Statistics",
    "ThresholdBinarizer",
    "TracePoint",
    "Tree",
    "solve",
]
