"""Born-again trees: the smallest tree that predicts exactly as a random forest does.

T. Vidal and M. Schiffer, "Born-again tree ensembles", ICML 2020, by dynamic programming
over the boxes of the forest's thresholds. This is the form with the fewest leaves, for
tables of two features, such as the spiral of Figure 6: with more, the number of boxes
explodes in Python.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: The forest of the guesses paper.
N_TREES, DEPTH = 10, 3


class BornAgain(NamedTuple):
    """The labels that forest and tree give the rows, and the leaves of the tree."""

    labels: np.ndarray
    leaves: int
    cells: int


def born_again(X: np.ndarray, y: np.ndarray) -> BornAgain:
    """Fit a forest, and return its smallest faithful tree."""
    from sklearn.ensemble import RandomForestClassifier

    if X.shape[1] != 2:
        raise ValueError(f"X must have two columns; got {X.shape[1]}.")
    forest = RandomForestClassifier(N_TREES, max_depth=DEPTH, random_state=0).fit(X, y)
    cuts: list[set[float]] = [set(), set()]
    for model in forest.estimators_:
        tree = model.tree_
        for feature, threshold in zip(tree.feature, tree.threshold, strict=True):
            if feature >= 0:
                cuts[feature].add(float(threshold))
    middles = [_middles(np.array(sorted(each))) for each in cuts]
    points = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1)
    grid = forest.predict(points.reshape(-1, 2)).reshape(points.shape[:2])
    return BornAgain(forest.predict(X), fewest_leaves(grid), grid.size)


def fewest_leaves(grid: np.ndarray) -> int:
    """Return the fewest leaves of a tree that labels every cell of a grid right.

    Boxes of one size are solved at once, smaller sizes first: a box of one label is a
    leaf, any other is cut in two in the best place.
    """
    height, width = grid.shape
    least: dict[tuple[int, int], np.ndarray] = {}
    for h in range(1, height + 1):
        for w in range(1, width + 1):
            shape = (height - h + 1, width - w + 1)
            windows = np.lib.stride_tricks.sliding_window_view(grid, (h, w))
            low, high = windows.min(axis=(2, 3)), windows.max(axis=(2, 3))
            best = np.full(shape, h * w)
            for top in range(1, h):
                first = least[top, w][: shape[0]]
                second = least[h - top, w][top : top + shape[0]]
                best = np.minimum(best, first + second)
            for left in range(1, w):
                first = least[h, left][:, : shape[1]]
                second = least[h, w - left][:, left : left + shape[1]]
                best = np.minimum(best, first + second)
            least[h, w] = np.where(low == high, 1, best)
    return int(least[height, width][0, 0])


def _middles(cuts: np.ndarray) -> np.ndarray:
    """Return a value of each interval between thresholds."""
    if not len(cuts):
        return np.zeros(1)
    inner = (cuts[1:] + cuts[:-1]) / 2
    return np.concatenate([[cuts[0] - 1], inner, [cuts[-1] + 1]])
