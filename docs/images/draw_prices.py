"""Draw boxes and prices of a small table: ``python docs/images/draw_prices.py``.

Two columns, two classes by a rule with exceptions. Every row is a mark as large as its
price; the boxes are the leaves of the optimal tree, with what they cost and what their
rows pay.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

import ostrya
from ostrya import _core
from ostrya._solve.grid import to_grid
from ostrya._solve.validation import check_data

matplotlib.use("svg")
PLACE = Path(__file__).parent / "prices.svg"
PENALTY = 0.06
COLOURS = ("#0072b2", "#d55e00")


def table() -> tuple[np.ndarray, np.ndarray]:
    """Return 8 x 8 rows, one per place: a corner of one class, and five exceptions."""
    X = np.array([(a, b) for a in range(8) for b in range(8)], dtype=float)
    y = ((X[:, 0] > 3) & (X[:, 1] > 2)).astype(int)
    for place in (9, 22, 30, 45, 60):
        y[place] = 1 - y[place]
    return X, y


def prices_of(X: np.ndarray, y: np.ndarray, objective: float) -> dict:
    """Return the price of each place, as a share of one row, by its coordinates."""
    data = check_data(X, y, None, None, None, PENALTY)
    grid = to_grid(data)
    found = _core.testing.row_prices(
        *(data.X, data.codes, grid.weights),
        *(grid.costs, grid.scale, grid.penalty),
        *(_core.Options(_core.Limits()), grid.to_cost(objective)),
    )
    unit = 2.0 ** found["shift"] * grid.scale
    # Ranks that no cut tells apart are one group; here each place keeps its own.
    return {
        tuple(ranks): price / unit
        for ranks, price in zip(found["ranks"], found["prices"], strict=True)
    }


def draw() -> None:
    """Write the picture."""
    X, y = table()
    outcome = ostrya.solve(X, y, leaf_penalty=PENALTY)
    prices = prices_of(X, y, outcome.objective)
    codes = np.column_stack([ranks_of(X[:, column]) for column in range(2)])
    paid = np.array([prices.get(tuple(code), 0.0) for code in codes])
    figure, axes = plt.subplots(figsize=(5.2, 4.6))
    for label, (colour, mark) in enumerate(zip(COLOURS, "os", strict=True)):
        rows = y == label
        axes.scatter(
            *X[rows].T, s=12 + 150 * paid[rows], marker=mark, color=colour, alpha=0.85
        )
    leaves = outcome.tree.apply(X)
    for leaf in np.unique(leaves):
        rows = leaves == leaf
        low, high = X[rows].min(axis=0) - 0.45, X[rows].max(axis=0) + 0.45
        axes.add_patch(Rectangle(low, *(high - low), fill=False, lw=1.5, color="#444"))
        lost = rows.sum() - np.bincount(y[rows]).max()
        axes.text(
            *(low[0] + 0.1, high[1] + 0.07),
            f"costs {lost + PENALTY * len(y):.2f}, pays {paid[rows].sum():.2f}",
            fontsize=8,
        )
    axes.set(
        xlabel="first column", ylabel="second column", xlim=(-1, 8), ylim=(-1, 8.2)
    )
    figure.tight_layout()
    figure.savefig(PLACE, metadata={"Date": None})


def ranks_of(column: np.ndarray) -> np.ndarray:
    """Return each value's place among the distinct values."""
    return np.unique(column, return_inverse=True)[1]


if __name__ == "__main__":
    draw()
