"""Compute CART's trees with one leaf, two leaves and so on, for comparison.

With a limit on leaves, scikit-learn grows a tree by best split first and numbers nodes
in the order of their creation. So the tree with h leaves consists of the first
``2 h - 1`` nodes of any larger tree, and one fit gives the trees of all sizes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._tree_shape import TreeShape


def cart_shapes(
    X: npt.NDArray[np.float64],
    codes: npt.NDArray[Any],
    weights: npt.NDArray[np.float64] | None = None,
    *,
    max_leaf_nodes: int,
    max_depth: int | None = None,
    min_samples_leaf: int = 1,
) -> list[TreeShape]:
    """Return CART's trees with 1, 2, ... leaves, at most `max_leaf_nodes`.

    Examples
    --------
    >>> X = np.array([[1.0], [2.0], [4.0], [5.0]])
    >>> one, two = cart_shapes(X, np.array([0, 0, 1, 1]), max_leaf_nodes=3)
    >>> one.n_leaves, two.threshold.tolist()
    (1, [3.0, nan, nan])
    """
    if max_leaf_nodes < 2 or max_depth == 0:
        return [TreeShape.single_leaf()]
    # Imported here because it is slow.
    from sklearn.tree import DecisionTreeClassifier

    # CART uses 32-bit floats, which represent ranks exactly but not all values.
    values, ranks = _ranked(X)
    cart = DecisionTreeClassifier(
        max_leaf_nodes=max_leaf_nodes,
        max_depth=max_depth,
        min_samples_leaf=min_samples_leaf,
        random_state=0,
    )
    grown = cart.fit(ranks, codes, sample_weight=weights).tree_
    below = grown.threshold.astype(np.intp)  # the rank just below each threshold
    threshold = np.full(grown.node_count, np.nan)
    for node in np.flatnonzero(grown.feature >= 0):
        column, rank = values[grown.feature[node]], below[node]
        threshold[node] = column[rank] / 2 + column[rank + 1] / 2
    arrays = (grown.feature, threshold, grown.children_left, grown.children_right)
    sizes = range(1, (grown.node_count + 1) // 2 + 1)
    return [_first_nodes(2 * size - 1, *arrays) for size in sizes]


def _ranked(
    X: npt.NDArray[np.float64],
) -> tuple[list[npt.NDArray[np.float64]], npt.NDArray[np.float32]]:
    """Return the sorted values of each column, and the rank of each cell."""
    values, ranks = [], np.empty(X.shape, dtype=np.float32)
    for place, column in enumerate(X.T):
        distinct, ranks[:, place] = np.unique(column, return_inverse=True)
        values.append(distinct)
    return values, ranks


def _first_nodes(
    count: int,
    feature: npt.NDArray[Any],
    threshold: npt.NDArray[np.float64],
    yes: npt.NDArray[Any],
    no: npt.NDArray[Any],
) -> TreeShape:
    """Return the tree of the first `count` nodes, in preorder, without the others."""
    order: list[int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if feature[node] >= 0 and yes[node] < count:
            waiting += [no[node], yes[node]]
    place = {node: number for number, node in enumerate(order)}
    is_split = np.array([feature[n] >= 0 and yes[n] < count for n in order])

    def places(children: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        return np.array([place.get(children[n], -1) for n in order], dtype=np.int32)

    return TreeShape(
        feature=np.where(is_split, feature[order], -1).astype(np.int32),
        threshold=np.where(is_split, threshold[order], np.nan),
        yes=places(yes),
        no=places(no),
    )
