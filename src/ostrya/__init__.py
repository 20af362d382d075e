"""Provably optimal sparse decision trees."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ostrya._frontier import frontier
from ostrya._solver import solve
from ostrya.bounds import Bounds, LeafSetBounds
from ostrya.exceptions import (
    InternalError,
    OptimalityWarning,
    OstryaError,
    ReferenceWarning,
    TableWarning,
)
from ostrya.outcome import Outcome, Progress, Statistics, TracePoint
from ostrya.top_k import TopK
from ostrya.trade_off import Frontier, FrontierPoint, PenaltyInterval
from ostrya.tree import Tree

if TYPE_CHECKING:
    from ostrya import export, preprocessing
    from ostrya.estimators import (
        Guess,
        OptimalTreeClassifier,
        OptimalTreeClassifierCV,
        TopKTreeClassifier,
        depth_guess,
    )
    from ostrya.preprocessing import (
        CompressedTable,
        ThresholdBinarizer,
        ThresholdGuess,
        compress,
    )

    __version__: str

__all__ = [
    "Bounds",
    "CompressedTable",
    "Frontier",
    "FrontierPoint",
    "Guess",
    "InternalError",
    "LeafSetBounds",
    "OptimalTreeClassifier",
    "OptimalTreeClassifierCV",
    "OptimalityWarning",
    "OstryaError",
    "Outcome",
    "PenaltyInterval",
    "Progress",
    "ReferenceWarning",
    "Statistics",
    "TableWarning",
    "ThresholdBinarizer",
    "ThresholdGuess",
    "TopK",
    "TopKTreeClassifier",
    "TracePoint",
    "Tree",
    "__version__",
    "compress",
    "depth_guess",
    "export",
    "frontier",
    "preprocessing",
    "solve",
]

# These need scikit-learn, which takes a second to import; `solve` does without.
_ON_DEMAND = {
    "Guess": "ostrya.estimators",
    "depth_guess": "ostrya.estimators",
    "OptimalTreeClassifier": "ostrya.estimators",
    "OptimalTreeClassifierCV": "ostrya.estimators",
    "TopKTreeClassifier": "ostrya.estimators",
    "CompressedTable": "ostrya.preprocessing",
    "compress": "ostrya.preprocessing",
    "ThresholdBinarizer": "ostrya.preprocessing",
    "ThresholdGuess": "ostrya.preprocessing",
}


_FOLDERS = ("export", "preprocessing")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # of pyproject.toml, the one source

        return version("ostrya")
    if name in _FOLDERS:
        return import_module(f"ostrya.{name}")
    if name not in _ON_DEMAND:
        raise AttributeError(f"module 'ostrya' has no attribute {name!r}")
    return getattr(import_module(_ON_DEMAND[name]), name)


def __dir__() -> list[str]:
    return __all__
