"""The results of searches: of `ostrya.solve`, `ostrya.frontier` and others."""

from ostrya.results.certificate import Certificate
from ostrya.results.frontier import Frontier, FrontierPoint, PenaltyInterval
from ostrya.results.outcome import Outcome, Progress, Statistics, TracePoint
from ostrya.results.rashomon import (
    FirstMatch,
    ImportanceDistribution,
    ModelReliance,
    ObjectiveCount,
)
from ostrya.results.runtime_estimate import RuntimeEstimate

__all__ = [
    "Certificate",
    "FirstMatch",
    "Frontier",
    "FrontierPoint",
    "ImportanceDistribution",
    "ModelReliance",
    "ObjectiveCount",
    "Outcome",
    "PenaltyInterval",
    "Progress",
    "RuntimeEstimate",
    "Statistics",
    "TracePoint",
]


def __dir__() -> list[str]:
    return __all__
