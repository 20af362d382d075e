"""Compute the ROC curve of a tree, whose leaves are ranked by their positive share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ostrya.export.wording import Grown, bare
from ostrya.tree import Tree


def roc_points(
    tree: Tree | Grown, weights: npt.ArrayLike | None = None
) -> npt.NDArray[np.float64]:
    """Return the corners of the ROC curve of a two-class tree.

    Parameters
    ----------
    tree : Tree, a fitted classifier, or an Outcome
        The tree. The positive class is class 1, the second class of a classifier.
    weights : array-like of shape (n_nodes, 2), default=None
        The weight of each class in each node. If None, that of the training rows, for
        which the curve is the ROC convex hull.

    Returns
    -------
    ndarray of shape (n_points, 2)
        False and true positive rates, from (0, 0) to (1, 1). Leaves with equal shares
        form one segment.

    Raises
    ------
    ValueError
        If the tree does not have two classes, or one of them has no weight.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import roc_points
    >>> tree = ostrya.solve([[0], [0], [1], [1]], [0, 1, 1, 1], leaf_penalty=0,
    ...                     objective="auc").tree
    >>> roc_points(tree).tolist()
    [[0.0, 0.0], [0.0, 0.6666666666666666], [1.0, 1.0]]
    """
    tree = bare(tree)
    if tree.n_classes != 2:
        raise ValueError(
            f"tree must have two classes for a ROC curve; got {tree.n_classes}"
        )
    is_leaf = tree.feature < 0
    value = tree.value if weights is None else np.asarray(weights, dtype=np.float64)
    value = value[is_leaf]
    if not value.sum(axis=0).all():
        raise ValueError("a ROC curve requires rows of both classes; got only one")
    share = tree.shares()[is_leaf, 1]
    _, place = np.unique(-share, return_inverse=True)
    steps = np.zeros((int(place.max()) + 1, 2))
    np.add.at(steps, place.reshape(-1), value)
    points: npt.NDArray[np.float64] = np.vstack([np.zeros(2), np.cumsum(steps, axis=0)])
    points /= points[-1]
    return points


def roc_area(points: npt.NDArray[np.float64]) -> float:
    """Return the area under a ROC curve.

    Examples
    --------
    >>> roc_area(np.array([[0.0, 0.0], [0.0, 0.5], [1.0, 1.0]]))
    0.75
    """
    widths, heights = np.diff(points[:, 0]), points[:-1, 1] + points[1:, 1]
    return float((widths * heights).sum() / 2)
