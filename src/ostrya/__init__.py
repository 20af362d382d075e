"""Provably optimal sparse decision trees."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ostrya import export, preprocessing
    from ostrya._cluster.context import cluster
    from ostrya._solver import solve
    from ostrya.bounds import Bounds, LeafSetBounds
    from ostrya.estimated import Estimate
    from ostrya.estimators import (
        Guess,
        OptimalTreeClassifier,
        OptimalTreeClassifierCV,
        TopKTreeClassifier,
        depth_guess,
        estimate,
        frontier,
    )
    from ostrya.exceptions import (
        InternalError,
        OptimalityWarning,
        OstryaError,
        ReferenceWarning,
        TableWarning,
    )
    from ostrya.outcome import Outcome, Progress, Statistics, TracePoint
    from ostrya.preprocessing import (
        CompressedTable,
        ThresholdBinarizer,
        ThresholdGuess,
        compress,
    )
    from ostrya.top_k import TopK
    from ostrya.trade_off import Frontier, FrontierPoint, PenaltyInterval
    from ostrya.tree import Tree

    __version__: str

__all__ = [
    "Bounds",
    "CompressedTable",
    "Estimate",
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
    "cluster",
    "compress",
    "depth_guess",
    "estimate",
    "export",
    "frontier",
    "preprocessing",
    "solve",
]

# Imported when they are asked for: scikit-learn takes seconds, which `solve` does
# without, and so does NumPy beside the list of commands.
_NAMES_BY_MODULE = {
    "_cluster.context": ("cluster",),
    "_solver": ("solve",),
    "bounds": ("Bounds", "LeafSetBounds"),
    "estimated": ("Estimate",),
    "estimators": (
        *("Guess", "OptimalTreeClassifier", "OptimalTreeClassifierCV"),
        *("TopKTreeClassifier", "depth_guess", "estimate", "frontier"),
    ),
    "exceptions": (
        *("InternalError", "OptimalityWarning", "OstryaError", "ReferenceWarning"),
        "TableWarning",
    ),
    "outcome": ("Outcome", "Progress", "Statistics", "TracePoint"),
    "preprocessing": (
        *("CompressedTable", "ThresholdBinarizer", "ThresholdGuess", "compress"),
    ),
    "top_k": ("TopK",),
    "trade_off": ("Frontier", "FrontierPoint", "PenaltyInterval"),
    "tree": ("Tree",),
}
_MODULES = {name: at for at, names in _NAMES_BY_MODULE.items() for name in names}
_FOLDERS = ("export", "preprocessing")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # of pyproject.toml, the one source

        return version("ostrya")
    if name in _FOLDERS:
        return import_module(f"ostrya.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module 'ostrya' has no attribute {name!r}")
    found = getattr(import_module(f"ostrya.{_MODULES[name]}"), name)
    globals()[name] = found  # asked for once only
    return found


def __dir__() -> list[str]:
    return __all__
