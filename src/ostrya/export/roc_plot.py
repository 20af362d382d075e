"""ROC curves of trees in one picture, in matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ostrya.export.colours import LINE
from ostrya.export.roc import roc_area, roc_points
from ostrya.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_roc(
    trees: Mapping[str, Tree],
    X: npt.ArrayLike | None = None,
    y: npt.ArrayLike | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC curves of two-class trees, to compare what they were trained for.

    Each leaf is one straight stretch of its tree's curve, so leaves can be counted.

    Parameters
    ----------
    trees : mapping of str to Tree
        The trees, by the names they get in the legend beside their areas.
    X : array-like of shape (n_samples, n_features), default=None
        Rows to draw the curves of. None: the training rows of each tree.
    y : array-like of int, shape (n_samples,), default=None
        Their class codes, 0 or 1.
    ax : matplotlib Axes, default=None
        Where to draw. None: a new figure.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    Raises
    ------
    ValueError
        When a tree has not two classes, or only one of `X` and `y` is given.
    ImportError
        Without matplotlib; ``pip install "ostrya[plot]"`` brings it.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import plot_roc
    >>> X, y = [[0], [1], [2], [3]], [0, 1, 0, 1]
    >>> names = ("auc", "f1")
    >>> trees = {name: ostrya.solve(X, y, objective=name).tree for name in names}
    >>> ax = plot_roc(trees)  # doctest: +SKIP
    """
    if (X is None) != (y is None):
        raise ValueError("plot_roc wants both X and y, or neither")
    curves = {
        name: roc_points(tree, _weights(tree, X, y)) for name, tree in trees.items()
    }
    axes = _new_axes() if ax is None else ax
    axes.plot([0, 1], [0, 1], color=LINE, linewidth=1, linestyle=":")
    for name, points in curves.items():
        label = f"{name}, area {roc_area(points):.3f}"
        axes.plot(points[:, 0], points[:, 1], marker="o", markersize=3, label=label)
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("true positive rate")
    axes.set_aspect("equal")
    axes.legend(loc="lower right")
    return axes


def _weights(
    tree: Tree, X: npt.ArrayLike | None, y: npt.ArrayLike | None
) -> npt.NDArray[np.float64] | None:
    """Return how many rows of each class reach each node; None: as in training."""
    if X is None or y is None:
        return None
    weights = np.zeros((tree.n_nodes, 2))
    np.add.at(weights, (tree.apply(X), np.asarray(y)), 1.0)
    return weights


def _new_axes() -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            'plot_roc needs matplotlib: pip install "ostrya[plot]"'
        ) from error
    return pyplot.subplots(figsize=(5.0, 5.0), layout="constrained")[1]
