"""Read scikit-learn's histogram gradient boosting."""

from __future__ import annotations

from typing import Any

import numpy as np

from ostrya._guesses.ensembles.splits import Splits, to_splits


def read_histogram_boosting(model: Any) -> Splits:
    """Return the splits of a fitted ``HistGradientBoostingClassifier``.

    scikit-learn has no public attribute for them. They have been in ``_predictors``
    since the class left its experimental stage.
    """
    order = _feature_order(model)
    rows = []
    trees = [tree for stage in model._predictors for tree in stage]
    depth = max(int(tree.get_max_depth()) for tree in trees)
    for number, stage in enumerate(model._predictors):
        for predictor in stage:
            for node in predictor.nodes[predictor.nodes["is_leaf"] == 0]:
                threshold = np.nan if node["is_categorical"] else node["num_threshold"]
                place = int(node["feature_idx"])
                feature = place if order is None else int(order[place])
                rows.append((feature, float(threshold), float(node["gain"]), number))
    return to_splits(rows, len(trees), depth)


def _feature_order(model: Any) -> Any:
    """Return the input feature of each index; categories are moved to the front."""
    is_categorical = model.is_categorical_
    if is_categorical is None:
        return None
    return np.argsort(~np.asarray(is_categorical), kind="stable")
