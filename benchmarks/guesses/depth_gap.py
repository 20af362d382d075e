"""Theorem A.1 of the guesses paper: what a guessed depth can cost that is too small."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class DepthGap(NamedTuple):
    """Two gaps to the optimal objective, the second never below the first."""

    of_the_cut_tree: float
    bound: float


def depth_gap(
    X: np.ndarray, y: np.ndarray, tree: Any, depth: int, penalty: float
) -> DepthGap:
    """Return the gaps of an optimal tree that is cut off below a depth.

    The cut tree predicts the majority where it ends. The theorem charges its errors
    less those that no tree avoids, and credits the leaves that it saves.
    """
    n = len(y)
    ends = np.zeros(n, dtype=int)  # the node of the cut tree that each row reaches
    for _ in range(depth):
        feature = tree.feature[ends]
        is_split = feature >= 0
        says_yes = X[np.arange(n), np.maximum(feature, 0)] <= tree.threshold[ends]
        below = np.where(says_yes, tree.yes[ends], tree.no[ends])
        ends = np.where(is_split, below, ends)
    saved = tree.n_leaves - len(np.unique(ends))
    cut_errors = errors_of_majorities(ends, y)
    points = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    full_errors = int(np.sum(tree.predict(X) != y))
    return DepthGap(
        (cut_errors - full_errors) / n - penalty * saved,
        (cut_errors - errors_of_majorities(points, y)) / n - penalty * saved,
    )


def errors_of_majorities(groups: np.ndarray, y: np.ndarray) -> int:
    """Return the rows that are not of the most frequent label of their group."""
    return sum(
        int(np.sum(groups == each) - np.bincount(y[groups == each]).max())
        for each in np.unique(groups)
    )
