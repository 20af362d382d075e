"""Read single trees of scikit-learn and of this package, and gradient boosting."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.dummy import DummyClassifier

from ostrya._guesses.ensembles.precision import last_single_at_most
from ostrya._guesses.ensembles.splits import Splits

Floats = npt.NDArray[np.float64]


def read_tree(model: Any) -> Splits:
    """Return the splits of a fitted scikit-learn decision tree.

    The gain is the Gini importance as in scikit-learn: the decrease in impurity.
    """
    tree = model.tree_
    nodes = np.flatnonzero(tree.children_left >= 0)
    mass = tree.weighted_n_node_samples * tree.impurity
    yes, no = tree.children_left[nodes], tree.children_right[nodes]
    return Splits(
        tree.feature[nodes].astype(np.intp),
        last_single_at_most(tree.threshold[nodes]),
        (mass[nodes] - mass[yes] - mass[no]) / tree.weighted_n_node_samples[0],
        np.zeros(len(nodes), dtype=np.intp),
        1,
        int(tree.max_depth),
    )


def read_boosting(model: Any) -> Splits:
    """Return the splits of a fitted ``GradientBoostingClassifier``.

    The trees have the same scale, so their gains are added without normalisation.
    """
    init = model.init_
    if not isinstance(init, (str, DummyClassifier)):
        raise TypeError(
            "reference must consist of decision trees only; got "
            f"{type(model).__name__} with init={init!r}"
        )
    parts = [
        (stage, read_tree(t)) for stage, s in enumerate(model.estimators_) for t in s
    ]
    return Splits(
        np.concatenate([part.feature for _, part in parts]),
        np.concatenate([part.threshold for _, part in parts]),
        np.concatenate([part.gain for _, part in parts]),
        np.concatenate([part.tree + stage for stage, part in parts]),
        len(parts),
        max(part.depth for _, part in parts),
    )


def read_optimal_tree(model: Any) -> Splits:
    """Return the splits of a fitted ``OptimalTreeClassifier``, or a related class.

    Its tree is over encoded columns; the result is over columns of the table.
    """
    tree, encoder = model.tree_, model.encoder_
    nodes = np.flatnonzero(tree.feature >= 0)
    columns = tree.feature[nodes].astype(np.intp)
    # Levels, groups of levels and missing values have no threshold in the table.
    is_level = np.array([not encoder.is_measured(int(c)) for c in columns], dtype=bool)
    mass = _gini_mass(tree.value)
    gain = mass[nodes] - mass[tree.yes[nodes]] - mass[tree.no[nodes]]
    return Splits(
        encoder.source[columns].astype(np.intp),
        np.where(is_level, np.nan, tree.threshold[nodes]),
        gain / tree.value[0].sum(),
        np.zeros(len(nodes), dtype=np.intp),
        1,
        int(tree.depth),
    )


def _gini_mass(value: Floats) -> Floats:
    """Return weight times Gini impurity of each node, from its class weights."""
    weight = value.sum(axis=1)
    squares = (value**2).sum(axis=1)
    return np.asarray(weight - squares / np.where(weight > 0, weight, 1.0))
