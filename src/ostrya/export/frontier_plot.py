"""Scores against leaves in one picture, in matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ostrya.export.colours import LINE, palette
from ostrya.export.new_figure import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_frontier(model: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the best scores for every number of leaves.

    Parameters
    ----------
    model : Frontier or fitted OptimalTreeClassifierCV
        A frontier is drawn by ``1 - loss`` on its training rows; where that is not
        proved, a line goes up to what its bound allows. A classifier is drawn by its
        mean scores on the rows held out, with one standard error to either side, and
        the size it chose is marked; beside them by its mean scores on the training
        rows, if it has any (``return_train_score=True``).
    ax : matplotlib Axes, default=None
        Where to draw. None: a new figure.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    Raises
    ------
    TypeError
        When `model` is neither.
    ImportError
        Without matplotlib; ``pip install "ostrya[plot]"`` brings it.

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
            "plot_frontier takes a Frontier or a fitted OptimalTreeClassifierCV; got "
            f"{type(model).__name__}"
        )
    axes = new_axes("plot_frontier", (6.0, 4.0)) if ax is None else ax
    if is_frontier:
        _draw_frontier(axes, model)
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
        [point.max_leaves for point in points],
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
    sizes = np.asarray(results["param_max_leaves"], dtype=int)
    held_out, training = palette(2)
    means = results["mean_test_score"]
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
        label="rows held out, with standard errors",
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
