"""Draw how the search works: ``python docs/images/draw_search.py``.

The first shows how the bounds of a real search meet. The second is computed from a real
column: the loss of every first split, and the stretches that two evaluated splits rule
out.
"""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import ostrya

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "ostrya"
matplotlib.rcParams["svg.fonttype"] = "none"
FOLDER = Path(__file__).parent
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#999999"


def draw_bounds() -> None:
    """Draw the best objective and the lower bound of a search over time."""
    X, y = load_breast_cancer(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ostrya.OptimalityWarning)
        outcome = ostrya.solve(X, y, leaf_penalty=0.005, max_depth=3, time_limit=60)
    seconds = [max(point.seconds, 1e-3) for point in outcome.trace]
    figure, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
    ax.step(
        seconds,
        [point.objective for point in outcome.trace],
        where="post",
        color=ORANGE,
        label="objective of the best tree so far",
    )
    ax.step(
        seconds,
        [point.lower_bound for point in outcome.trace],
        where="post",
        color=BLUE,
        label="lower bound: no tree is below",
    )
    ax.set(xscale="log", xlabel="seconds", ylabel="objective", ylim=(0, None))
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    save(figure, "search-bounds.svg")


def draw_column() -> None:
    """Draw the best objective for each first split of a column, and what is ruled out.

    Each point needs the optimal trees of both sides. Between two evaluated splits every
    other split costs at least as much as the left side of the one and the right side of
    the other.
    """
    X, y = load_breast_cancer(return_X_y=True)
    column = X[:, 20]
    values = np.unique(column)
    cuts = (values[:-1] + values[1:]) / 2
    rows = len(y)
    penalty = 0.01

    def best(mask: np.ndarray) -> float:
        """Return the cost, in rows, of the best tree of depth 1 on some of the rows."""
        if not mask.any():
            return 0.0
        found = ostrya.solve(
            X[mask],
            y[mask],
            leaf_penalty=penalty * rows / mask.sum(),
            max_depth=1,
        )
        return found.objective * mask.sum()

    evaluated = np.linspace(0, len(cuts) - 1, 13).astype(int)
    left = {at: best(column <= cuts[at]) for at in evaluated}
    right = {at: best(column > cuts[at]) for at in evaluated}
    incumbent = min(left[at] + right[at] for at in evaluated) / rows

    figure, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
    for a, b in itertools.pairwise(evaluated):
        floor = (left[a] + right[b]) / rows
        is_open = floor < incumbent
        ax.plot(
            [cuts[a], cuts[b]],
            [floor, floor],
            color=BLUE if is_open else GREY,
            linewidth=2,
            label=None,
        )
    ax.plot([], [], color=GREY, linewidth=2, label="bound above the best: ruled out")
    ax.plot([], [], color=BLUE, linewidth=2, label="bound below the best: still open")
    ax.scatter(
        cuts[evaluated],
        [(left[at] + right[at]) / rows for at in evaluated],
        color=ORANGE,
        zorder=3,
        label="evaluated thresholds",
    )
    ax.axhline(incumbent, color=ORANGE, linestyle=":", label="best tree so far")
    ax.set(xlabel="threshold of 'worst radius'", ylabel="objective", ylim=(0, None))
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    save(figure, "search-column.svg")


def save(figure: plt.Figure, name: str) -> None:
    """Write a figure without its date, so that equal figures are equal files."""
    figure.savefig(FOLDER / name, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    draw_bounds()
    draw_column()
