"""How often a tree is right, and what it takes for what."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.tree import Tree

# A larger matrix is no longer read.
MOST_CLASSES = 30


def check_rows(model: Any, X: Any, y: Any) -> None:
    """Raise unless there are rows and labels, or neither."""
    if (X is None) != (y is None):
        missing = "y, their labels" if y is None else "X, the rows"
        raise ValueError(f"X and y go together; also give {missing}, or leave out both")
    if X is not None and not hasattr(model, "apply"):
        raise ValueError(
            "an Outcome reads no tables; give a fitted classifier to score X and y"
        )


def training_score(tree: Tree) -> dict[str, Any]:
    """Return the score on the training rows, which a tree has counted."""
    matrix = np.zeros((tree.n_classes, tree.n_classes))
    leaves = np.flatnonzero(tree.feature < 0)
    np.add.at(matrix.T, tree.label[leaves], tree.value[leaves])
    rows = int(tree.n_samples[0])
    is_counted = bool((tree.value.sum(axis=1) == tree.n_samples).all())
    return _score("Training rows", rows, matrix, 0, "rows" if is_counted else "weight")


def given_score(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """Return the score on rows given, and how those of each leaf are labelled."""
    leaf = model.apply(X)
    labels = np.asarray(y).tolist()
    if len(labels) != len(leaf):
        raise ValueError(
            f"y must have one label per row of X: {len(leaf)}; got {len(labels)}"
        )
    codes = {label: code for code, label in enumerate(model.classes_.tolist())}
    true = np.array([codes.get(label, -1) for label in labels], dtype=np.intp)
    tree, is_known = model.tree_, true >= 0
    matrix = np.zeros((tree.n_classes, tree.n_classes))
    np.add.at(matrix, (true[is_known], tree.label[leaf[is_known]]), 1)
    by_leaf = np.zeros((tree.n_nodes, tree.n_classes), dtype=int)
    np.add.at(by_leaf, (leaf[is_known], true[is_known]), 1)
    score = _score("Given rows", len(leaf), matrix, int((~is_known).sum()), "rows")
    score["by_leaf"] = {
        int(node): by_leaf[node].tolist()
        for node in np.flatnonzero(by_leaf.any(axis=1))
    }
    return score


def _score(
    name: str, rows: int, matrix: npt.NDArray[np.float64], unknown: int, unit: str
) -> dict[str, Any]:
    """Return a score; rows of the matrix are true labels, columns predicted ones."""
    total = float(matrix.sum()) + unknown
    return {
        "name": name,
        "rows": rows,
        "unit": unit,
        "unknown": unknown,
        "right": float(np.trace(matrix)) / total if total else 0.0,
        "matrix": matrix.tolist() if len(matrix) <= MOST_CLASSES else None,
    }
