"""Plot scores against the number of leaves with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ostrya._cart import cart_shapes
from ostrya.export.colours import LINE, palette
from ostrya.export.new_figure import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_frontier(
    model: Any,
    X: npt.ArrayLike | None = None,
    y: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Plot the best score for every number of leaves.

    Parameters
    ----------
    model : Frontier or fitted OptimalTreeClassifierCV
        For a frontier, the plot shows ``1 - loss`` on its training rows. If a point is
        not proved optimal, an error bar shows the best score that its bound allows.
        For a classifier, the plot shows the mean scores on the held-out rows with one
        standard error, and marks the chosen size. It also shows the mean scores on the
        training rows, if they were computed (``return_train_score=True``), and in grey
        those of CART's trees of the same sizes (``return_cart_score=True``).
    X, y, sample_weight : array-like or dataframe, default=None
        The training rows of a frontier, their labels and weights. If they are given,
        the scores of CART's trees with the same numbers of leaves are added in grey.
        Not allowed for a classifier.
    ax : matplotlib Axes, default=None
        The axes to draw on. If None, a new figure is created.

    Returns
    -------
    matplotlib Axes
        The axes of the plot.

    Raises
    ------
    TypeError
        If `model` has another type.
    ValueError
        If only one of `X` and `y` is given, or they are given for a classifier.
    ImportError
        If matplotlib is not installed; use ``pip install "ostrya[plot]"``.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import plot_frontier
    >>> frontier = ostrya.frontier([[1], [2], [3], [4]], [0, 1, 1, 0])
    >>> ax = plot_frontier(frontier)  # doctest: +SKIP
    """
    is_chosen, is_frontier = hasattr(model, "cv_results_"), hasattr(model, "points")
    if not (is_chosen and hasattr(model, "best_index_")) and not is_frontier:
        raise TypeError(
            "model must be a Frontier or a fitted OptimalTreeClassifierCV; got "
            f"{type(model).__name__}"
        )
    if (X is None) != (y is None) or (X is not None and not is_frontier):
        raise ValueError(
            "X and y must be given together, and only for a Frontier. To compare a "
            "classifier with CART, fit it with return_cart_score=True"
        )
    axes = new_axes("plot_frontier", (6.0, 4.0)) if ax is None else ax
    if is_frontier:
        _draw_frontier(axes, model)
        if X is not None:
            _draw_cart(axes, "training rows", *_cart_scores(model, X, y, sample_weight))
    else:
        _draw_choice(axes, model)
    axes.set_xlabel("leaves")
    axes.locator_params(axis="x", integer=True)
    axes.legend(loc="lower right")
    return axes


def _draw_frontier(axes: Axes, frontier: Any) -> None:
    points = frontier.points
    colour, *_ = palette(2)
    above = [[0.0] * len(points), [point.gap for point in points]]
    axes.errorbar(
        [point.max_leaf_nodes for point in points],
        [1 - point.loss for point in points],
        yerr=above if any(above[1]) else None,
        color=colour,
        marker="o",
        capsize=3,
        label="training rows",
    )
    axes.set_ylabel("1 - loss")


def _draw_choice(axes: Axes, model: Any) -> None:
    results, place = model.cv_results_, model.best_index_
    sizes = np.asarray(results["param_max_leaf_nodes"], dtype=int)
    held_out, training = palette(2)
    means = results["mean_test_score"]
    if "mean_cart_test_score" in results:
        _draw_cart(axes, "held-out rows", sizes, results["mean_cart_test_score"])
    if "mean_train_score" in results:
        axes.plot(
            sizes,
            results["mean_train_score"],
            color=training,
            marker="o",
            label="training rows of the folds",
        )
    axes.errorbar(
        sizes,
        means,
        yerr=results["standard_error_test_score"],
        color=held_out,
        marker="o",
        capsize=3,
        label="held-out rows, with standard errors",
    )
    axes.axvline(sizes[place], color=LINE, linewidth=1, linestyle=":", zorder=0)
    axes.plot(
        sizes[place],
        means[place],
        color=held_out,
        marker="o",
        markersize=12,
        fillstyle="none",
        linestyle="",
        label=f"chosen: {sizes[place]}",
    )
    axes.set_ylabel("score")


def _draw_cart(axes: Axes, rows: str, sizes: Any, scores: Any) -> None:
    """Draw the scores of CART behind all other lines."""
    axes.plot(sizes, scores, color=LINE, marker=".", zorder=0, label=f"CART, {rows}")


def _cart_scores(
    frontier: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[list[int], list[float]]:
    """Return the leaves of CART's trees, and their weighted training accuracies."""
    # A frontier that was read from a file or created by hand has no encoder.
    encoder, classes = frontier.encoder, frontier.classes
    rows = np.asarray(X if encoder is None else encoder.encode(X), dtype=np.float64)
    codes = np.asarray(y) if classes is None else np.searchsorted(classes, y)
    weights = None
    if sample_weight is not None:
        weights = np.asarray(sample_weight, dtype=np.float64)
    shapes = cart_shapes(rows, codes, weights, max_leaf_nodes=len(frontier.points))
    scores = []
    for shape in shapes:
        masses = np.zeros((shape.n_nodes, int(codes.max()) + 1))
        weighed = 1.0 if weights is None else weights
        np.add.at(masses, (shape.leaves_of_rows(rows), codes), weighed)
        scores.append(float(masses.max(axis=1).sum() / masses.sum()))
    return [shape.n_leaves for shape in shapes], scores
