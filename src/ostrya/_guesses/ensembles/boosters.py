"""Read the models of LightGBM and XGBoost from their dumps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from ostrya._guesses.ensembles.precision import last_single_below
from ostrya._guesses.ensembles.splits import Splits, to_splits


def read_lightgbm(model: Any) -> Splits:
    """Return the splits of a fitted ``LGBMClassifier``."""
    dump = model.booster_.dump_model()
    n_classes = int(dump["num_tree_per_iteration"])
    rows, deepest = [], 0
    for number, tree in enumerate(dump["tree_info"]):
        for node, depth in _walk(tree["tree_structure"]):
            deepest = max(deepest, depth)
            if "split_feature" in node:
                is_ordered = node["decision_type"] == "<="
                threshold = float(node["threshold"]) if is_ordered else np.nan
                feature, gain = int(node["split_feature"]), float(node["split_gain"])
                rows.append((feature, threshold, gain, number // n_classes))
    return to_splits(rows, len(dump["tree_info"]), deepest)


def read_xgboost(model: Any) -> Splits:
    """Return the splits of a fitted ``XGBClassifier``."""
    booster = model.get_booster()
    places = {name: place for place, name in enumerate(booster.feature_names or ())}
    dump = booster.get_dump(dump_format="json", with_stats=True)
    rows, deepest = [], 0
    for number, text in enumerate(dump):
        for node, depth in _walk(json.loads(text)):
            deepest = max(deepest, depth)
            if "split" in node:
                name = str(node["split"])
                feature = places[name] if name in places else int(name.lstrip("f"))
                gain = float(node["gain"])
                rows.append((feature, _threshold(node), gain, number))
            elif "leaf" not in node:
                raise TypeError(
                    "reference must consist of decision trees only; got "
                    f"{type(model).__name__} with booster={model.booster!r}"
                )
    return to_splits(rows, len(dump), deepest)


def _threshold(node: dict[str, Any]) -> float:
    """Return the threshold of an XGBoost split; NaN if it separates levels."""
    # Splits on booleans have no condition in the dump.
    condition = node.get("split_condition", 1.0)
    is_ordered = isinstance(condition, (int, float))
    return float(last_single_below(condition)) if is_ordered else float("nan")


def _walk(node: Any, depth: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield a node of either package and all its descendants, with their depths."""
    yield node, depth
    children = [node.get("left_child"), node.get("right_child")]
    for child in [*children, *node.get("children", ())]:
        if child:
            yield from _walk(child, depth + 1)
