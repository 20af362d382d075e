"""Feature importances: what the splits of a tree save, by input feature."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.measures import Measure, Monotone
from ostrya._solve.objective_validation import check_objective
from ostrya._tree_shape import TreeShape
from ostrya.estimators.measure_savings import saved_by_splits
from ostrya.tree import Tree

# Above this exact fractions, whose time grows with the square of the leaves, give way
# to floats.
MOST_LEAVES = 300


def importances(
    tree: Tree,
    source: npt.NDArray[np.intp],
    n_features: int,
    costs: npt.NDArray[np.float64] | None,
) -> npt.NDArray[np.float64]:
    """Return the share of each input feature in what the splits save.

    A split saves the training loss that making its node a leaf would add. A split
    that pays off only further down is thereby given its due, and in a proven tree
    with a positive penalty every feature asked about has a positive share.

    `source` is the input feature of each column of the tree.
    """
    places = np.arange(tree.n_nodes)
    if tree.costs is not None:
        as_leaf = tree.value.sum(axis=1) * tree.costs[places, tree.label]
    else:
        if costs is None:
            costs = 1.0 - np.eye(tree.n_classes)
        as_leaf = (tree.value @ costs)[places, tree.label]
    loss = TreeShape(**tree.shape).add_up(as_leaf)
    split = np.flatnonzero(tree.feature >= 0)
    saved = np.bincount(
        source[tree.feature[split]], (as_leaf - loss)[split], minlength=n_features
    )
    return _shares(saved.astype(np.float64))


def measure_importances(
    tree: Tree,
    source: npt.NDArray[np.intp],
    n_features: int,
    objective: Any,
) -> npt.NDArray[np.float64]:
    """Return the same under a measure of two classes."""
    measure = check_objective(objective)
    assert measure is not None
    if tree.n_leaves > MOST_LEAVES and not isinstance(measure, Monotone):
        by_feature = np.bincount(
            source[tree.feature[tree.feature >= 0]],
            saved_by_splits(tree, measure),
            minlength=n_features,
        )
        return _shares(by_feature.astype(np.float64))
    nodes = [(Fraction(n), Fraction(p)) for n, p in tree.value.tolist()]
    is_leaf = tree.feature < 0
    whole = _loss(measure, [nodes[k] for k in np.flatnonzero(is_leaf)])
    saved = np.zeros(n_features)
    for node in np.flatnonzero(~is_leaf).tolist():
        inside = _subtree(tree, node)
        outside = [k for k in np.flatnonzero(is_leaf).tolist() if k not in inside]
        pruned = _loss(measure, [nodes[k] for k in outside] + [nodes[node]])
        saved[source[tree.feature[node]]] += float(pruned - whole)
    return _shares(saved)


def _shares(saved: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    total = saved.sum()
    return saved / total if total > 0 else saved


def _subtree(tree: Tree, node: int) -> range:
    """Return the nodes of a subtree, which stand together in preorder."""
    last = node
    while tree.feature[last] >= 0:
        last = int(tree.no[last])
    return range(node, last + 1)


def _loss(measure: Measure, leaves: list[Any]) -> Fraction:
    if isinstance(measure, Monotone):
        function = measure.function
        measure = Monotone(lambda fp, fn: function(_plain(fp), _plain(fn)))
    return measure.loss(leaves)


def _plain(weight: Any) -> Any:
    return int(weight) if weight == int(weight) else float(weight)
