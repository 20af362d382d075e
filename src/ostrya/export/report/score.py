"""Score a tree: accuracy, scores of each class, and confusion matrix."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya.tree import Tree

Floats = npt.NDArray[np.float64]
# With more classes, the matrix is omitted because it would be unreadable.
MOST_CLASSES = 30


def check_rows(model: Any, X: Any, y: Any) -> None:
    """Raise if only one of rows and labels is given, or the model cannot read rows."""
    if (X is None) != (y is None):
        missing = "y" if y is None else "X"
        raise ValueError(f"X and y must be given together; {missing} is missing")
    if X is not None and not hasattr(model, "apply"):
        raise ValueError(
            "X and y must be None for an Outcome, which cannot encode tables. Pass a "
            "fitted classifier instead"
        )


def training_score(tree: Tree) -> dict[str, Any]:
    """Return the score on the training rows, from the counts in the tree."""
    leaves = np.flatnonzero(tree.feature < 0)
    is_counted = bool((tree.value.sum(axis=1) == tree.n_samples).all())
    unit = "rows" if is_counted else "weight"
    known, unknown = tree.value[leaves], np.zeros(len(leaves))
    rows = int(tree.n_samples[0])
    return _score("Training rows", rows, LeafWeights(tree, known, unknown), unit)


def given_score(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """Return the score on given rows, with the labels of the rows in each leaf."""
    leaf = model.apply(X)
    labels = np.asarray(y).tolist()
    if len(labels) != len(leaf):
        raise ValueError(
            f"y must have one label per row of X ({len(leaf)}); got {len(labels)}"
        )
    tree = model.tree_
    codes = {label: code for code, label in enumerate(model.classes_.tolist())}
    # Unknown labels are counted in an additional column.
    true = [codes.get(label, tree.n_classes) for label in labels]
    by_leaf = np.zeros((tree.n_nodes, tree.n_classes + 1), dtype=int)
    np.add.at(by_leaf, (leaf, true), 1)
    counts = by_leaf[tree.feature < 0].astype(np.float64)
    weights = LeafWeights(tree, counts[:, :-1], counts[:, -1])
    score = _score("Given rows", len(leaf), weights, "rows")
    score["by_leaf"] = {
        int(node): by_leaf[node, :-1].tolist()
        for node in np.flatnonzero(by_leaf[:, :-1].any(axis=1))
    }
    return score


def outcome_scores(model: Any, tree: Tree, X: Any, y: Any) -> list[dict[str, Any]]:
    """Return the mean cost or reward on the training rows, and on given rows.

    `y` then contains the rewards of the given rows.
    """
    assert tree.costs is not None
    outcome = "mean reward" if tree.shows_rewards else "mean cost"
    sign = -1.0 if tree.shows_rewards else 1.0
    is_leaf = tree.feature < 0
    shares = tree.value[is_leaf].sum(axis=1) / tree.value[0].sum()
    mean = sign * float((shares * tree.costs[is_leaf, tree.label[is_leaf]]).sum())
    single = sign * float(tree.costs[0].min())
    rows = int(tree.n_samples[0])
    told = f"{outcome} {mean:.4g}; of the best single leaf: {single:.4g}."
    scores = [
        {"name": "Training rows", "rows": rows, "told": told, "mean": mean},
    ]
    if X is not None:
        mean = float(model.score(X, y))
        told = f"{outcome} {mean:.4g}."
        rows = len(model.apply(X))
        scores.append({"name": "Given rows", "rows": rows, "told": told, "mean": mean})
    return [{**score, "outcome": outcome} for score in scores]


class LeafWeights(NamedTuple):
    """The total weight of the rows that reach each leaf of a tree."""

    tree: Tree
    known: Floats  # (n_leaves, n_classes)
    unknown: Floats  # (n_leaves,), the weight of rows with unknown labels


def _score(name: str, rows: int, weights: LeafWeights, unit: str) -> dict[str, Any]:
    """Return a score; rows of the matrix are true labels, columns predicted ones."""
    tree, known, unknown = weights
    matrix = np.zeros((tree.n_classes, tree.n_classes))
    np.add.at(matrix.T, tree.label[tree.feature < 0], known)
    total = float(known.sum() + unknown.sum())
    is_small = len(matrix) <= MOST_CLASSES
    return {
        "name": name,
        "rows": rows,
        "unit": unit,
        "unknown": int(unknown.sum()),
        "right": float(np.trace(matrix)) / total if total else 0.0,
        "matrix": matrix.tolist() if is_small else None,
        "classes": _class_scores(weights, matrix) if is_small else None,
    }


def _class_scores(weights: LeafWeights, matrix: Floats) -> list[dict[str, Any]]:
    """Return recall, precision and area under the ROC curve of each class.

    The area is that of the class against all others. A value is None if it is
    undefined: recall without rows of the class, precision without predictions of it.
    """
    tree, known, unknown = weights
    is_leaf = tree.feature < 0
    labels, shares = tree.label[is_leaf], tree.shares()[is_leaf]
    reached = known.sum(axis=1) + unknown
    scores = []
    for code in range(tree.n_classes):
        of_class = float(known[:, code].sum())
        predicted = float(reached[labels == code].sum())
        right = float(matrix[code, code])
        positive = known[:, code]
        scores.append(
            {
                "weight": of_class,
                "recall": right / of_class if of_class else None,
                "precision": right / predicted if predicted else None,
                "auc": _roc_area(shares[:, code], positive, reached - positive),
            }
        )
    return scores


def _roc_area(share: Floats, positive: Floats, negative: Floats) -> float | None:
    """Return the probability that a positive row has a larger share than a negative.

    Pairs with equal shares count one half. Return None if a class has no rows.

    Examples
    --------
    >>> _roc_area(np.array([0.9, 0.2]), np.array([3.0, 1.0]), np.array([0.0, 4.0]))
    0.875
    """
    pairs = float(positive.sum() * negative.sum())
    if not pairs:
        return None
    _, place = np.unique(share, return_inverse=True)
    positives, negatives = np.bincount(place, positive), np.bincount(place, negative)
    below = np.cumsum(negatives) - negatives
    return float(positives @ (below + negatives / 2)) / pairs
