"""Read the decision trees of scikit-learn, alone or in any ensemble."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import GradientBoostingClassifier

from ostrya.preprocessing.references.splits import Splits, at_most_single


def read_trees(model: Any) -> Splits:
    """Return the splits of a tree, or of an ensemble that keeps its trees.

    The gain is the Gini importance, as scikit-learn counts it: the impurity a split
    takes away, divided by that of its whole tree except in gradient boosting, whose
    trees have their own weight.
    """
    is_boosted = isinstance(model, GradientBoostingClassifier)
    n_classes = model.n_trees_per_iteration_ if is_boosted else 1
    trees = list(_trees(model, None))
    parts = [
        _read_tree(tree, features, number // n_classes, not is_boosted)
        for number, (tree, features) in enumerate(trees)
    ]
    feature, threshold, gain, number = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    depth = max(int(tree.max_depth) for tree, _ in trees)
    return Splits(feature, threshold, gain, number, len(trees), depth, at_most_single)


def _trees(model: Any, features: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each tree, and the features its own numbers stand for (None: the same)."""
    if hasattr(model, "tree_"):
        yield model.tree_, features
        return
    if not hasattr(model, "estimators_"):
        raise TypeError(
            "reference must be an ensemble of decision trees throughout; it holds a "
            f"{type(model).__name__}"
        )
    members = model.estimators_
    members = members.ravel().tolist() if isinstance(members, np.ndarray) else members
    subsets = getattr(model, "estimators_features_", [None] * len(members))
    for member, subset in zip(members, subsets, strict=True):
        if subset is not None and features is not None:
            subset = features[subset]
        yield from _trees(member, features if subset is None else subset)


def _read_tree(
    tree: Any, features: Any, number: int, is_normalised: bool
) -> tuple[npt.NDArray[Any], ...]:
    nodes = np.flatnonzero(tree.children_left >= 0)
    mass = tree.weighted_n_node_samples * tree.impurity
    yes, no = tree.children_left[nodes], tree.children_right[nodes]
    gain = (mass[nodes] - mass[yes] - mass[no]) / tree.weighted_n_node_samples[0]
    if is_normalised and gain.sum() > 0:
        gain = gain / gain.sum()
    feature = tree.feature[nodes]
    if features is not None:
        feature = np.asarray(features)[feature]
    return (
        feature.astype(np.intp),
        tree.threshold[nodes].astype(np.float64),
        gain,
        np.full(len(nodes), number, dtype=np.intp),
    )
