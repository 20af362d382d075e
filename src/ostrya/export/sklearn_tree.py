"""A tree as a fitted scikit-learn tree, which many other packages can read.

scikit-learn rounds every row to float32 before it compares. Each threshold is therefore
rounded down to the largest float32 that does not exceed it: for values that are float32
already, ``x <= t`` is true of the same x as before. Packages that keep thresholds in
float32 (ONNX, treelite) then keep them exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya.tree import Tree

if TYPE_CHECKING:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier


def to_sklearn(
    tree: Tree,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
    *,
    X: npt.ArrayLike | None = None,
    feature_names: Sequence[str] | None = None,
    probabilities: Literal["shares", "labels"] = "shares",
) -> DecisionTreeClassifier:
    """Return a fitted scikit-learn tree with the predictions of `tree`.

    Predictions and probabilities are identical for all rows of float32 numbers, whole
    numbers up to 2**24 included. Other numbers are rounded to float32 by scikit-learn,
    and may then lie on the other side of a threshold they are very close to; rows that
    matter can be given as `X`.

    Parameters
    ----------
    tree : Tree
        What to convert; a fitted classifier has a `to_sklearn` of its own.
    classes : sequence, default=None
        The label of each class code, in the order of the codes; by default the codes.
    X : array-like of shape (n_samples, n_features), default=None
        Rows, such as the training rows, that must keep their leaves though they are
        rounded. Thresholds are moved where that is needed, within rounding.
    feature_names : sequence of str, default=None
        Becomes ``feature_names_in_``.
    probabilities : {"shares", "labels"}, default="shares"
        What ``predict_proba`` gives: the shares of the classes in a leaf, as
        `Tree.predict_proba` does, or one for the label of the leaf. scikit-learn
        predicts the most probable class, so a tree grown with a cost matrix, whose
        leaves may have another label, needs ``"labels"``.

    Returns
    -------
    sklearn.tree.DecisionTreeClassifier
        Nodes have the numbers they have in `tree`; NaN, which `tree` refuses, answers
        no.

    Raises
    ------
    TypeError
        When `tree` is not a Tree.
    ValueError
        When `classes`, `X` or `feature_names` do not fit the tree; when rows of `X` on
        two sides of a threshold are the same in float32; when a leaf's label is not
        its most frequent class and `probabilities` is ``"shares"``.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import to_sklearn
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> model = to_sklearn(tree, ["low", "high"])
    >>> model
    DecisionTreeClassifier()
    >>> model.predict([[0.5], [2.5]])
    array(['low', 'high'], dtype='<U4')
    """
    return twin(
        tree,
        classes,
        X=X,
        feature_names=feature_names,
        probabilities=probabilities,
    )


def twin(
    tree: Tree,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
    *,
    X: npt.ArrayLike | None = None,
    feature_names: Sequence[str] | None = None,
    probabilities: Literal["shares", "labels"] = "shares",
    flipped: npt.NDArray[np.bool_] | None = None,
) -> DecisionTreeClassifier:
    """Do what `to_sklearn` does, for a model that reads some columns flipped.

    `flipped` says which columns, of 0 and 1, it is given as 1 and 0. `X` is as `tree`
    reads it.
    """
    if not isinstance(tree, Tree):
        raise TypeError(
            f"tree must be a Tree; got {type(tree).__name__}. A fitted classifier has "
            "a to_sklearn() of its own, and its tree is tree_"
        )
    # Here, because it takes a second, which printing a tree need not wait for.
    from sklearn.tree import DecisionTreeClassifier

    labels = np.arange(tree.n_classes) if classes is None else np.asarray(classes)
    if labels.shape != (tree.n_classes,):
        raise ValueError(
            f"classes has shape {labels.shape}; this tree wants ({tree.n_classes},)"
        )
    if len(set(labels.tolist())) != tree.n_classes:
        raise ValueError("classes holds the same label twice")
    if probabilities not in ("shares", "labels"):
        raise ValueError(
            f"probabilities is {probabilities!r}; want 'shares' or 'labels'"
        )
    # Any fit will do: it makes whatever this release of scikit-learn wants a fitted
    # tree to have, of which the shape and the contents are then replaced.
    model = DecisionTreeClassifier().fit(
        np.zeros((tree.n_classes, tree.n_features)), np.arange(tree.n_classes)
    )
    model.classes_ = labels
    values = _shares(tree) if probabilities == "shares" else _certainties(tree)
    is_flipped = np.zeros(tree.n_nodes, dtype=bool)
    if flipped is not None:
        is_flipped = (tree.feature >= 0) & flipped[tree.feature]
    threshold = np.where(is_flipped, 0.5, _float32_thresholds(tree, X))
    _replace(model, tree, threshold, values, is_flipped)
    if feature_names is not None:
        names = np.array([str(name) for name in feature_names], dtype=object)
        if len(names) != tree.n_features:
            raise ValueError(
                f"feature_names has {len(names)} names; this tree wants "
                f"{tree.n_features}"
            )
        model.feature_names_in_ = names
    return model


def to_sklearn_forest(
    tree: Tree,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
    *,
    X: npt.ArrayLike | None = None,
    feature_names: Sequence[str] | None = None,
    probabilities: Literal["shares", "labels"] = "shares",
) -> RandomForestClassifier:
    """Return a scikit-learn forest whose only tree is `tree`.

    For packages that read forests but no single trees; treelite is one.

    Parameters
    ----------
    tree, classes, X, feature_names, probabilities
        As in `to_sklearn`.

    Returns
    -------
    sklearn.ensemble.RandomForestClassifier
        Fitted; it predicts what `to_sklearn` does.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import to_sklearn_forest
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> to_sklearn_forest(tree, ["low", "high"]).predict([[0.5], [2.5]])
    array(['low', 'high'], dtype='<U4')
    """
    from sklearn.ensemble import RandomForestClassifier

    model = to_sklearn(
        tree, classes, X=X, feature_names=feature_names, probabilities=probabilities
    )
    codes = np.arange(tree.n_classes)
    forest = RandomForestClassifier(n_estimators=1, bootstrap=False)
    forest.fit(np.zeros((tree.n_classes, tree.n_features)), codes)
    # The trees of a forest know class codes and no names.
    forest.estimators_[0].tree_ = model.tree_
    forest.classes_ = model.classes_
    if feature_names is not None:
        forest.feature_names_in_ = model.feature_names_in_
    return forest


def _replace(
    model: DecisionTreeClassifier,
    tree: Tree,
    threshold: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64],
    is_flipped: npt.NDArray[np.bool_],
) -> None:
    """Put our nodes into scikit-learn's tree, the way that unpickling does."""
    is_leaf = tree.feature < 0
    inner = model.tree_
    state = inner.__getstate__()
    nodes = np.zeros(tree.n_nodes, dtype=state["nodes"].dtype)
    nodes["left_child"] = np.where(is_flipped, tree.no, tree.yes)
    nodes["right_child"] = np.where(is_flipped, tree.yes, tree.no)
    # scikit-learn writes -2 where there is nothing to ask.
    nodes["feature"] = np.where(is_leaf, -2, tree.feature)
    nodes["threshold"] = np.where(is_leaf, -2.0, threshold)
    nodes["impurity"] = 1.0 - (values**2).sum(axis=1)
    nodes["n_node_samples"] = tree.n_samples
    nodes["weighted_n_node_samples"] = tree.value.sum(axis=1)
    state |= {
        "max_depth": tree.depth,
        "node_count": tree.n_nodes,
        "nodes": nodes,
        "values": np.ascontiguousarray(values[:, np.newaxis, :]),
    }
    make, arguments, _ = inner.__reduce__()
    model.tree_ = make(*arguments)
    model.tree_.__setstate__(state)


def _certainties(tree: Tree) -> npt.NDArray[np.float64]:
    return np.eye(tree.n_classes)[tree.label]


def _shares(tree: Tree) -> npt.NDArray[np.float64]:
    """Return the shares of the classes at each node, the label's the largest."""
    shares = tree.shares()
    for leaf in np.flatnonzero((tree.feature < 0) & (shares.argmax(1) != tree.label)):
        most, own = shares[leaf].max(), tree.label[leaf]
        # Labels are decided in exact integers; sums of floats may break a tie.
        if not np.isclose(shares[leaf, own], most, rtol=1e-9, atol=0.0):
            raise ValueError(
                f"leaf {leaf} predicts class {own}, which is not its most frequent "
                "class, as happens with a cost matrix; scikit-learn predicts the most "
                "probable class, so say probabilities='labels'"
            )
        shares[leaf, own] = np.nextafter(most, 2.0)
    return shares


def _float32_thresholds(tree: Tree, X: npt.ArrayLike | None) -> npt.NDArray[np.float64]:
    with np.errstate(over="ignore"):
        rounded = tree.threshold.astype(np.float32)
    below = np.nextafter(rounded, np.float32(-np.inf))
    threshold = np.where(rounded > tree.threshold, below, rounded)
    if X is not None:
        _keep_rows(tree, np.asarray(X), threshold)
    return threshold.astype(np.float64)


def _keep_rows(
    tree: Tree, X: npt.NDArray[Any], threshold: npt.NDArray[np.float32]
) -> None:
    """Move thresholds so that the rows of `X` keep their sides when rounded."""
    leaf = tree.apply(X)
    order = np.argsort(leaf, kind="stable")
    leaf = leaf[order]
    with np.errstate(over="ignore"):
        rounded = X.astype(np.float32)
    # Preorder: the leaves below a node are the nodes up to the end of its no subtree.
    ends = np.arange(1, tree.n_nodes + 1)
    for node in reversed(range(tree.n_nodes)):
        if tree.feature[node] < 0:
            continue
        yes, no = tree.yes[node], tree.no[node]
        ends[node] = ends[no]
        first, middle, last = np.searchsorted(leaf, [yes, no, ends[node]])
        says_yes = rounded[order[first:middle], tree.feature[node]]
        says_no = rounded[order[middle:last], tree.feature[node]]
        most = says_yes.max(initial=np.float32(-np.inf))
        least = says_no.min(initial=np.float32(np.inf))
        if most >= least:
            raise ValueError(
                f"rows on both sides of x{tree.feature[node]} <= "
                f"{tree.threshold[node]:.17g} are {most:.9g} in float32, which is all "
                "that scikit-learn compares; shift or scale this feature before `fit`"
            )
        threshold[node] = max(threshold[node], most)
        if threshold[node] >= least:
            threshold[node] = np.nextafter(least, np.float32(-np.inf))
