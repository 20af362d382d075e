"""A fitted estimator from its JSON file; reading runs no code.

Whatever `restore` accepts agrees with ``model.schema.json`` in this folder, and what
it claims agrees with its own tree; see `ostrya.estimators.model_claims`.
"""

from __future__ import annotations

import os
import re
from typing import Any, get_args

import numpy as np

from ostrya._guesses.report import PARTS_CUT, GuessReport
from ostrya.estimators import model_claims as claims
from ostrya.estimators.model_classes import read_classes
from ostrya.estimators.model_columns import read_features
from ostrya.estimators.model_compression import check_compression, read_compression
from ostrya.estimators.model_format import (
    FORMAT,
    GUESS_BOUNDS,
    GUESS_COUNTS,
    GUESS_LOSSES,
    GUESS_NUMBERS,
    NUMBERS,
    OLDER_VERSIONS,
    VERSION,
    digest,
    is_level,
)
from ostrya.estimators.model_loss import Loss, RowCosts
from ostrya.estimators.model_objective import read_objective
from ostrya.estimators.model_upgrade import upgraded
from ostrya.estimators.words import in_words
from ostrya.export.json_checks import (
    FlawError,
    check_format,
    check_keys,
    check_list,
    is_int,
    is_number,
    is_text,
    is_weights,
    read_bytes,
    read_object,
    short,
)
from ostrya.export.json_file import plain, read_tree
from ostrya.preprocessing import TableEncoder
from ostrya.results.outcome import RESTRICTED, Status, TracePoint, is_settled

_KEYS = {
    *("format", "version", "estimator", "parameters", "columns", "columns_are_named"),
    *("classes", "tree", "result"),
}
_RESULT = {*NUMBERS, "status", "trace", "feature_importances"}


def read(path: str | os.PathLike[str]) -> Any:
    """Return what the file `path` holds, as dicts and lists.

    Raises
    ------
    ValueError
        When the file holds no JSON.
    OSError
        When the file cannot be read.
    """
    try:
        return read_object(read_bytes(path))
    except FlawError as flaw:
        raise ValueError(f"malformed model: {flaw}") from None


def restore(make: type, content: Any) -> Any:
    """Return the estimator that `to_document` was given.

    Parameters
    ----------
    make : type
        The class of the estimator.
    content : object
        What `read` returned.

    Raises
    ------
    ValueError
        When `content` is no such model of a known version; says what is wrong.
    """
    try:
        return _restored(make, content)
    except (ValueError, TypeError) as error:
        raise ValueError(f"malformed model: {plain(error)}") from None
    except RecursionError:
        raise ValueError("malformed model: nested too deeply") from None


def _restored(make: type, content: Any) -> Any:
    check_format(content, FORMAT, *OLDER_VERSIONS, VERSION)
    has_digest = content["version"] > 1
    wanted = {*_KEYS, "digest"} if has_digest else _KEYS
    check_keys("", content, wanted, {"target", "certificate"} if has_digest else set())
    if has_digest and content["digest"] != digest(content):
        raise FlawError(
            "its digest does not match its content: the file was damaged or edited "
            "after it was saved. Restore the original file"
        )
    if content["version"] in OLDER_VERSIONS:
        content = upgraded(content)
    if content["estimator"] != make.__name__:
        raise FlawError(
            f"the model must be a {make.__name__!r}; got {short(content['estimator'])}"
        )
    estimator = make(**_read_parameters(make, content["parameters"]))
    encoder = TableEncoder.of(read_features(content["columns"]))
    are_sorted = hasattr(estimator, "objective")
    classes = read_classes(content["classes"], are_sorted)
    tree = read_tree(content["tree"])
    if tree.n_features != encoder.n_columns:
        raise FlawError(
            f"tree.n_features must be {encoder.n_columns}, as in columns; got "
            f"{tree.n_features}"
        )
    if tree.n_classes != len(classes):
        raise FlawError(
            f"classes must have {tree.n_classes} labels, as the tree has; got "
            f"{len(classes)}"
        )
    result = _read_result(content["result"], len(encoder.features))
    guess = _read_guess(content["result"].get("guess"))
    estimator.compression_ = read_compression(
        content["result"].get("compression"), encoder.features
    )
    if not isinstance(content["columns_are_named"], bool):
        raise FlawError("columns_are_named must be true or false")
    if "target" in content:
        if not is_text(content["target"]):
            raise FlawError("target must be a string")
        estimator.target_name_ = content["target"]
    if "certificate" in content:
        proof = content["certificate"]
        if not is_text(proof) or not re.fullmatch("sha256:[0-9a-f]{64}", proof):
            raise FlawError("certificate must be sha256: and 64 hexadecimal digits")
        estimator.certificate_digest_ = proof.removeprefix("sha256:")
    estimator.encoder_, estimator.classes_ = encoder, classes
    # Conditions are derived from the tree, so a file cannot misstate them.
    estimator.tree_ = in_words(tree, encoder, classes)
    if tree.smoothing != getattr(estimator, "smoothing", 0.0):
        raise FlawError(
            "tree.smoothing must be equal to parameters.smoothing, "
            f"{short(estimator.smoothing)}; got {tree.smoothing!r}"
        )
    estimator.n_leaves_, estimator.depth_ = tree.n_leaves, tree.depth
    estimator.n_features_in_ = len(encoder.features)
    if content["columns_are_named"]:
        names = [feature.name for feature in encoder.features]
        estimator.feature_names_in_ = np.array(names, dtype=object)
    for name, value in result.items():
        setattr(estimator, f"{name}_", value)
    # Files of the first release have the parameter alone, which was always a number.
    penalty = content["result"].get("leaf_penalty", estimator.leaf_penalty)
    claims.check_leaf_penalty(estimator, penalty, tree)
    estimator.leaf_penalty_ = float(penalty)
    if "guess" in estimator.get_params(deep=False):
        estimator.guess_ = guess
    _check_claims(estimator, guess)
    estimator.result_from_file_ = True
    estimator._keep_headline()
    return estimator


def _check_claims(estimator: Any, guess: GuessReport | None) -> None:
    """Raise unless a model agrees with its own tree."""
    tree = estimator.tree_
    claims.check_counts(tree)
    claims.check_limits(estimator, tree, guess)
    claims.check_questions(tree, estimator.encoder_)
    is_policy = not hasattr(estimator, "objective")
    if (tree.costs is not None) != is_policy or tree.shows_rewards != is_policy:
        raise FlawError(
            "tree.costs and tree.shows_rewards must only be set for policy trees"
        )
    if is_policy:
        claims.check_costs(tree)
    loss = RowCosts.of(estimator) if is_policy else Loss.of(estimator, tree.n_classes)
    claims.check_result(estimator, tree, loss)
    claims.check_importances(estimator, tree, loss)
    claims.check_trace(estimator, loss)
    claims.check_guess(estimator, guess)
    check_compression(estimator)


def _read_parameters(make: Any, content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise FlawError("parameters must be an object")
    known = set(make().get_params(deep=False))
    check_keys("parameters.", content, set(), known)
    parameters = dict(content)
    if "objective" in parameters:
        parameters["objective"] = read_objective(parameters["objective"])
    pairs = parameters.get("class_weight")
    if isinstance(pairs, list):
        parameters["class_weight"] = _dict_of_pairs(
            pairs, "parameters.class_weight must contain pairs of label and weight"
        )
    pairs = parameters.get("monotonic_cst")
    if isinstance(pairs, list) and any(isinstance(pair, list) for pair in pairs):
        parameters["monotonic_cst"] = _dict_of_pairs(
            pairs, "parameters.monotonic_cst must contain pairs of column and direction"
        )
    return parameters


def _dict_of_pairs(pairs: list[Any], flaw: str) -> dict[Any, Any]:
    if not all(isinstance(p, list) and len(p) == 2 and is_level(p[0]) for p in pairs):
        raise FlawError(flaw)
    return dict(pairs)


def _read_result(content: Any, n_features: int) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise FlawError("result must be an object")
    optional = {"compression", "guess", "leaf_penalty", "proved_depth"}
    check_keys("result.", content, _RESULT, optional)
    for name in NUMBERS:
        if not is_number(content[name]) or not np.isfinite(content[name]):
            raise FlawError(f"result.{name} must be a finite number")
    if content["status"] not in get_args(Status):
        raise FlawError(f"result.status must be one of {', '.join(get_args(Status))}")
    depth = content.get("proved_depth", 0)  # files of the first release have none
    if depth is not None and not (is_int(depth) and 0 <= depth < 2**31):
        raise FlawError("result.proved_depth must be an integer >= 0, or null")
    of_any_depth = is_settled(content["status"]) or content["status"] in RESTRICTED
    if depth is None and not of_any_depth:
        raise FlawError(
            f"result.proved_depth is null, for any depth, but result.status is "
            f"{content['status']!r}"
        )
    width = len(TracePoint._fields)
    widths = range(width - len(TracePoint._field_defaults), width + 1)
    check_list(
        "result.trace",
        content["trace"],
        lambda point: is_weights(point) and len(point) in widths,
        f"lists of {width} numbers",
    )
    shares = content["feature_importances"]
    check_list("result.feature_importances", shares, is_number, "numbers")
    if len(shares) != n_features:
        raise FlawError(f"result.feature_importances must contain {n_features} numbers")
    return {
        **{name: float(content[name]) for name in NUMBERS},
        "status": content["status"],
        "proved_depth": depth,
        "trace": tuple(TracePoint(*point) for point in content["trace"]),
        "feature_importances": np.array(shares, dtype=np.float64),
    }


def _read_guess(content: Any) -> GuessReport | None:
    """Return the numbers of a guess; files do not contain its models."""
    if content is None:
        return None
    if not isinstance(content, dict):
        raise FlawError("result.guess must be an object")
    every = {*GUESS_COUNTS, *GUESS_LOSSES, *GUESS_NUMBERS}
    check_keys("result.guess.", content, every, {*GUESS_BOUNDS, "cut_short"})
    content = dict(content)
    cut = content.pop("cut_short", [])
    if not isinstance(cut, list) or not all(part in PARTS_CUT for part in cut):
        raise FlawError(
            f"result.guess.cut_short must be a list of some of {', '.join(PARTS_CUT)}"
        )
    for name, value in content.items():
        is_count = name in GUESS_COUNTS
        if value is None and name not in GUESS_NUMBERS:
            continue
        if is_count and not (is_int(value) and 0 <= value < 2**63):
            raise FlawError(f"result.guess.{name} must be an integer >= 0, or null")
        if not is_count and not (is_number(value) and np.isfinite(value)):
            raise FlawError(f"result.guess.{name} must be a finite number")
    return GuessReport(reference=None, refit=None, cut_short=tuple(cut), **content)
