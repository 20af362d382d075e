"""Model files of earlier versions, rewritten as the present version writes them."""

from __future__ import annotations

from typing import Any

from ostrya.estimators.model_objective import BY_NAME

_RENAMED_PARAMETERS = {"max_leaves": "max_leaf_nodes"}
_RENAMED_RESULTS = {"cuts": "compression"}
# Parameters of objectives, which were parameters of the classifiers.
_OF_OBJECTIVES = ("omega", "beta", "max_fpr")
# How a search was made is no part of a model.
_DROPPED = ("engine",)


def upgraded(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of an older file in the present form.

    Whatever is not an object is left alone: the reader reports it, as it does for every
    other flaw.
    """
    content = dict(content)
    if isinstance(parameters := content.get("parameters"), dict):
        content["parameters"] = _upgraded_parameters(parameters)
    if isinstance(result := content.get("result"), dict):
        result = content["result"] = _renamed(result, _RENAMED_RESULTS)
        if result.get("status") == "guessed":
            result["status"] = _restricted_status(parameters, result)
    return content


def _restricted_status(parameters: Any, result: dict[str, Any]) -> str:
    """Return which of the present statuses an older file calls "guessed".

    Where the file does not say whether bounds were guessed, as for a `Guess` object,
    which files do not keep, it is the status that claims least.
    """
    guess, compression = result.get("guess"), result.get("compression")
    asked = parameters.get("guess") if isinstance(parameters, dict) else None
    parts = asked.split("+") if isinstance(asked, str) else ["auto"]
    if isinstance(guess, dict):
        if {"auto", "bounds"}.intersection(parts):
            return "guessed_bounds"
        if guess.get("n_thresholds_after") is not None:
            return "optimal_in_guessed_thresholds"
    if isinstance(compression, dict) and compression.get("n_thresholds"):
        return "optimal_in_selected_thresholds"
    return "guessed_bounds"


def _upgraded_parameters(old: dict[str, Any]) -> dict[str, Any]:
    new = _renamed(old, _RENAMED_PARAMETERS)
    values = {name: new.pop(name, 1.0) for name in _OF_OBJECTIVES}
    for name in _DROPPED:
        new.pop(name, None)
    objective = new.get("objective")
    if isinstance(objective, str) and objective in BY_NAME:
        names = BY_NAME[objective]().get_params()
        new["objective"] = {"name": objective, **{name: values[name] for name in names}}
    return new


def _renamed(old: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(name, name): item for name, item in old.items()}
