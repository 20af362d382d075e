"""Plot ROC curves of trees with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ostrya.export.colours import LINE
from ostrya.export.new_figure import new_axes
from ostrya.export.roc import roc_area, roc_points
from ostrya.export.wording import Grown, bare
from ostrya.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_THIN = 1.5
# How much wider a curve is than the next one that covers it, and the most in total.
_STEP, _STEPS = 2.0, 6.0


def plot_roc(
    trees: Mapping[str, Tree | Grown] | Tree | Grown,
    X: Any = None,
    y: Any = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Plot the ROC curves of two-class trees.

    Each leaf is a straight segment of the curve. Where curves coincide, later ones are
    thinner, so that all remain visible. The second class is the positive one.

    Parameters
    ----------
    trees : mapping of str to Tree, fitted classifier or Outcome; or one of these
        The trees to compare. The legend shows their names and the areas under their
        curves.
    X : array-like of shape (n_samples, n_features), or a dataframe, default=None
        The rows on which to compute the curves, as accepted by `predict`. If None, the
        training rows of each tree.
    y : array-like of shape (n_samples,), or a series, default=None
        The labels of `X`; for a `Tree`, class codes or class names.
    ax : matplotlib Axes, default=None
        The axes to draw on. If None, a new figure is created.

    Returns
    -------
    matplotlib Axes
        The axes of the plot.

    Raises
    ------
    ValueError
        If a tree does not have two classes, if only one of `X` and `y` is given, or if
        `y` contains an unknown label.
    ImportError
        If matplotlib is not installed; use ``pip install "ostrya[plot]"``.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifier
    >>> from ostrya.export import plot_roc
    >>> X, y = [[0, "a"], [1, "b"], [2, "b"], [3, "a"]], ["no", "yes", "no", "yes"]
    >>> models = {
    ...     name: OptimalTreeClassifier(leaf_penalty=0.01, objective=name).fit(X, y)
    ...     for name in ("auc", "f1")
    ... }
    >>> ax = plot_roc(models, X, y)  # doctest: +SKIP
    """
    if (X is None) != (y is None):
        missing = "y" if y is None else "X"
        raise ValueError(f"X and y must be given together; {missing} is missing")
    if not isinstance(trees, Mapping):
        trees = {"": trees}
    curves = {
        str(name): roc_points(bare(model), _weights(name, model, X, y))
        for name, model in trees.items()
    }
    axes = new_axes("plot_roc", (5.0, 5.0)) if ax is None else ax
    axes.plot([0, 1], [0, 1], color=LINE, linewidth=1, linestyle=":")
    for (name, points), width in zip(curves.items(), _widths(curves), strict=True):
        area = f"area {roc_area(points):.3f}"
        axes.plot(
            points[:, 0],
            points[:, 1],
            marker="o",
            markersize=width + _THIN,
            linewidth=width,
            label=f"{name}, {area}" if name else area,
        )
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("true positive rate")
    axes.set_aspect("equal")
    axes.legend(loc="lower right")
    return axes


def _widths(curves: Mapping[str, npt.NDArray[np.float64]]) -> list[float]:
    """Return a width per curve, a step wider than all later curves that cover it."""
    stretches = [_stretches(points) for points in curves.values()]
    step = min(_STEP, _STEPS / max(len(stretches) - 1, 1))
    widths = [_THIN] * len(stretches)
    for place in reversed(range(len(stretches))):
        above = [
            widths[later]
            for later in range(place + 1, len(stretches))
            if stretches[later] & stretches[place]
        ]
        widths[place] = max(above) + step if above else _THIN
    return widths


def _stretches(points: npt.NDArray[np.float64]) -> set[tuple[float, ...]]:
    """Return the end points of the straight segments of a curve."""
    rounded = points.round(6)
    return set(map(tuple, np.hstack([rounded[:-1], rounded[1:]]).tolist()))


def _weights(
    name: str, model: Tree | Grown, X: Any, y: Any
) -> npt.NDArray[np.float64] | None:
    """Return the rows of each class per node, or None for the training rows."""
    tree = bare(model)
    if X is None or tree.n_classes != 2:
        return None
    # A classifier accepts any table; a tree requires a matrix.
    reader: Any = model if hasattr(model, "tree_") else tree
    leaves = reader.apply(X)
    codes = _codes(name, model, tree, np.asarray(y).ravel())
    if len(codes) != len(leaves):
        raise ValueError(
            f"y must have one label per row of X ({len(leaves)}); got {len(codes)}"
        )
    weights = np.zeros((tree.n_nodes, 2))
    np.add.at(weights, (leaves, codes), 1.0)
    return weights


def _codes(
    name: str, model: Any, tree: Tree, labels: npt.NDArray[Any]
) -> npt.NDArray[np.intp]:
    known = [np.arange(2)]
    if hasattr(model, "classes_"):
        known = [np.asarray(model.classes_)]
    elif tree.class_names is not None:
        known.append(np.array(tree.class_names))
    for classes in known:
        places = {label: code for code, label in enumerate(classes.tolist())}
        codes = [places.get(label, -1) for label in labels.tolist()]
        if -1 not in codes:
            return np.array(codes, dtype=np.intp)
    strange = labels.tolist()[codes.index(-1)]
    of = f" of {name!r}" if name else ""
    choices = " or ".join(str(classes.tolist()) for classes in known)
    raise ValueError(f"y must contain only the classes{of}, {choices}; got {strange!r}")
