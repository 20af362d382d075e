"""Provably optimal sparse decision trees."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ostrya import (
        bounds,
        constraints,
        exceptions,
        export,
        guesses,
        objectives,
        preprocessing,
        results,
        top_k,
    )
    from ostrya._cluster.context import use_dask
    from ostrya._solver import solve
    from ostrya.estimators import (
        OptimalPolicyTree,
        OptimalTreeClassifier,
        OptimalTreeClassifierCV,
        RashomonSet,
        TopKTreeClassifier,
        estimate_runtime,
        frontier,
    )
    from ostrya.exceptions import OptimalityWarning, OstryaError, TableWarning
    from ostrya.tree import Tree

    __version__: str

__all__ = [
    "OptimalPolicyTree",
    "OptimalTreeClassifier",
    "OptimalTreeClassifierCV",
    "OptimalityWarning",
    "OstryaError",
    "RashomonSet",
    "TableWarning",
    "TopKTreeClassifier",
    "Tree",
    "__version__",
    "bounds",
    "constraints",
    "estimate_runtime",
    "exceptions",
    "export",
    "frontier",
    "guesses",
    "objectives",
    "preprocessing",
    "results",
    "solve",
    "top_k",
    "use_dask",
]

# Names are imported on first use: importing scikit-learn takes seconds, and `solve`
# does not need it.
_NAMES_BY_MODULE = {
    "_cluster.context": ("use_dask",),
    "_solver": ("solve",),
    "estimators": (
        *("OptimalPolicyTree", "OptimalTreeClassifier", "OptimalTreeClassifierCV"),
        *("RashomonSet", "TopKTreeClassifier", "estimate_runtime", "frontier"),
    ),
    "exceptions": ("OptimalityWarning", "OstryaError", "TableWarning"),
    "tree": ("Tree",),
}
_MODULES = {name: at for at, names in _NAMES_BY_MODULE.items() for name in names}
_SUBMODULES = (
    *("bounds", "constraints", "exceptions", "export", "guesses", "objectives"),
    *("preprocessing", "results", "top_k"),
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # pyproject.toml is the only source

        return version("ostrya")
    if name in _SUBMODULES:
        return import_module(f"ostrya.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module 'ostrya' has no attribute {name!r}")
    found = getattr(import_module(f"ostrya.{_MODULES[name]}"), name)
    globals()[name] = found  # so that __getattr__ is called only once
    return found


def __dir__() -> list[str]:
    return __all__
