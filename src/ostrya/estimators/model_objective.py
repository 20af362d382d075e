"""The objective in a model file: a name, or an object with a name and a parameter."""

from __future__ import annotations

from typing import Any

from ostrya.export.json_checks import FlawError, check_keys, short
from ostrya.objectives import FBeta, Objective, PartialAUC, WeightedAccuracy

BY_NAME: dict[str, type[Objective]] = {
    kind.name: kind for kind in (FBeta, PartialAUC, WeightedAccuracy)
}


def plain_objective(objective: Objective) -> dict[str, Any]:
    """Return an objective with a parameter as JSON has it."""
    values = {name: float(value) for name, value in objective.get_params().items()}
    return {"name": objective.name, **values}


def read_objective(content: Any) -> Any:
    """Return the objective of a model; names are checked with the other parameters.

    Raises
    ------
    FlawError, ValueError, TypeError
        When an object holds no objective.
    """
    if not isinstance(content, dict):
        return content
    name = content.get("name")
    if not isinstance(name, str) or name not in BY_NAME:
        raise FlawError(f"parameters.objective.name {short(name)} is not known")
    kind = BY_NAME[name]
    names = set(kind().get_params())
    check_keys("parameters.objective.", content, {"name", *names}, set())
    return kind(**{name: content[name] for name in names})
