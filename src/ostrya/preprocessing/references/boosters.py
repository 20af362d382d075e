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
    rows = []
    for number, tree in enumerate(dump["tree_info"]):
        for node in _walk(tree["tree_structure"], ("left_child", "right_child")):
            if "split_feature" in node:
                is_ordered = node["decision_type"] == "<="
                threshold = float(node["threshold"]) if is_ordered else np.nan
                rows.append(
                    (
                        int(node["split_feature"]),
                        threshold,
                        float(node["split_gain"]),
                        number // n_classes,
                    )
                )
    return to_splits(rows, at_most)


def read_xgboost(model: Any) -> Splits:
    """Return the splits of a fitted ``XGBClassifier``."""
    booster = model.get_booster()
    names = booster.feature_names
    places = {name: place for place, name in enumerate(names or ())}
    rows = []
    dumped = booster.get_dump(dump_format="json", with_stats=True)
    for number, text in enumerate(dumped):
        for node in _walk(json.loads(text), ("children",)):
            if "split" in node:
                name = str(node["split"])
                place = places[name] if name in places else int(name.lstrip("f"))
                condition = node["split_condition"]
                is_ordered = isinstance(condition, (int, float))
                threshold = float(condition) if is_ordered else np.nan
                rows.append((place, threshold, float(node["gain"]), number))
    return to_splits(rows, below_single)


def _walk(node: Any, below: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield a node and all that hang below it."""
    yield node
    for name in below:
        children = node.get(name, ())
        for child in children if isinstance(children, list) else (children,):
            if child:
                yield from _walk(child, below)
