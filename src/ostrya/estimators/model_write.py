"""A fitted estimator as a JSON file.

The file holds all that prediction from raw tables needs, the result of the search, and
the parameters. ``model.schema.json`` in this folder describes it as a JSON Schema.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._whole_file import write_whole
from ostrya.estimators.model_format import (
    DTYPES,
    FLAGS,
    FORMAT,
    NOTES,
    NUMBERS,
    TEXTS,
    VERSION,
    digest,
    is_level,
)
from ostrya.estimators.model_objective import plain_objective
from ostrya.export.json_checks import MOST_BYTES, is_text
from ostrya.objectives import Objective
from ostrya.preprocessing import Feature


def write(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to the file `path`."""
    text = json.dumps(to_document(estimator), allow_nan=False)
    if len(text) > MOST_BYTES:
        raise ValueError(
            f"the model file must be at most {MOST_BYTES // 2**20} MiB; got "
            f"{len(text) // 2**20} MiB. Pickle the estimator instead"
        )
    write_whole(path, f"{text}\n".encode("ascii"))


def to_document(estimator: Any) -> dict[str, Any]:
    """Return what `write` writes, as dicts and lists.

    Raises
    ------
    TypeError
        When a label, a level or a parameter is of a type that JSON has not.
    """
    result = {name: float(getattr(estimator, f"{name}_")) for name in NUMBERS}
    report = getattr(estimator, "guess_", None)
    guess = {} if report is None else {"guess": report.record}
    compression = getattr(estimator, "compression_", None)
    target = getattr(estimator, "target_name_", None)
    proof = getattr(estimator, "certificate_digest_", None)
    content = {
        "format": FORMAT,
        "version": VERSION,
        "estimator": type(estimator).__name__,
        "parameters": {
            name: _plain_parameter(name, value)
            for name, value in estimator.get_params(deep=False).items()
            # What was shown or guided the search is no part of a model.
            if name != "verbose" and not _is_guide(name, value)
        },
        "columns": [_plain_feature(f) for f in estimator.encoder_.features],
        "columns_are_named": hasattr(estimator, "feature_names_in_"),
        "classes": _plain_classes(estimator.classes_),
        **({} if target is None else {"target": target}),
        **({} if proof is None else {"certificate": f"sha256:{proof}"}),
        "tree": estimator.tree_.to_dict(),
        "result": {
            **result,
            "leaf_penalty": float(estimator.leaf_penalty_),
            "status": estimator.status_,
            "proved_depth": estimator.proved_depth_,
            "trace": [list(point) for point in estimator.trace_],
            "feature_importances": estimator.feature_importances_.tolist(),
            **guess,
            **({} if compression is None else {"compression": compression.record}),
        },
    }
    return {**content, "digest": digest(content)}


def _is_guide(name: str, value: Any) -> bool:
    """Return whether this guided the search, and is not kept.

    That is the reference model of a guess, or a function that ranks splits. A function
    that is the objective is refused, as the result cannot be checked without it.
    """
    if isinstance(value, Objective):
        return False
    return hasattr(value, "get_params") or (name == "criterion" and callable(value))


def _plain_parameter(name: str, value: Any) -> Any:
    if isinstance(value, Objective):
        return plain_objective(value)
    if isinstance(value, Mapping):
        return [[_plain_item(item) for item in pair] for pair in value.items()]
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=str)
    if isinstance(value, (list, tuple)):
        # Item by item: an array would convert numbers to strings if one is a string.
        value = [_plain_parameter(name, item) for item in value]
    elif isinstance(value, str) or np.ndim(value) == 0:
        value = _plain_item(value)
    else:
        value = np.asarray(value).tolist()
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise TypeError(
            f"parameter {name} must have a type that JSON supports; got {value!r}. "
            "Pickle the estimator instead"
        ) from None
    return value


def _plain_item(item: Any) -> Any:
    return item.item() if isinstance(item, np.generic) else item


def _plain_feature(feature: Feature) -> dict[str, Any]:
    levels = _plain_levels(feature, feature.levels)
    if feature.kind == "boolean":
        levels = [bool(level) for level in levels]
    content = {
        "name": feature.name,
        "kind": feature.kind,
        "has_missing": feature.has_missing,
        "largest": feature.largest,
        "levels": levels,
    }
    # Properties of few columns are only written if they are set.
    if feature.groups:
        content["groups"] = [_plain_levels(feature, group) for group in feature.groups]
    for name in FLAGS:
        if getattr(feature, name):
            content[name] = True
    for name in NOTES:
        if getattr(feature, name):
            content[name] = getattr(feature, name)
    if feature.typical is not None:
        content["typical"] = _plain_levels(feature, [feature.typical])[0]
    return content


def _plain_levels(feature: Feature, levels: Iterable[Any]) -> list[Any]:
    plain = [_plain_item(level) for level in levels]
    for level in plain:
        if not is_level(level):
            raise TypeError(
                f"levels of column {feature.name!r} must have types that JSON "
                f"supports; got {level!r}. Convert them to strings before fit, or "
                "pickle the estimator"
            )
    return plain


def _plain_classes(classes: npt.NDArray[Any]) -> dict[str, Any]:
    dtype = {"U": "str", "T": "str"}.get(classes.dtype.kind, classes.dtype.name)
    labels = classes.tolist()
    if dtype not in DTYPES or (dtype in TEXTS and not all(map(is_text, labels))):
        raise TypeError(
            "labels must have a type that JSON supports; got "
            f"{type(labels[0]).__name__}. Convert them to strings before fit, or "
            "pickle the estimator"
        )
    return {"dtype": dtype, "labels": labels}
