"""Read the models of LightGBM and XGBoost through what they dump."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from ostrya.preprocessing.references.splits import (
    Splits,
    at_most,
    below_single,
    to_splits,
)


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
    return to_splits(rows, len(dump["tree_info"]), deepest, at_most)


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
                name, condition = str(node["split"]), node["split_condition"]
                feature = places[name] if name in places else int(name.lstrip("f"))
                is_ordered = isinstance(condition, (int, float))
                threshold = float(condition) if is_ordered else np.nan
                rows.append((feature, threshold, float(node["gain"]), number))
    return to_splits(rows, len(dump), deepest, below_single)


def _walk(node: Any, depth: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield a node of either package and all that hang below it, with their depth."""
    yield node, depth
    children = [node.get("left_child"), node.get("right_child")]
    for child in [*children, *node.get("children", ())]:
        if child:
            yield from _walk(child, depth + 1)
