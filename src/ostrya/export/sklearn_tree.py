"""Convert a tree to a fitted scikit-learn tree, which many other packages can read.

scikit-learn rounds every row to float32 before it compares. Each threshold is therefore
rounded down to the largest float32 that does not exceed it. For float32 values x,
``x <= t`` then has the same result as before, and packages that store thresholds as
float32 (ONNX, treelite) store them exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._arguments import check_word, picture
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

    Predictions and probabilities are identical for all rows of float32 numbers, which
    include whole numbers up to 2**24. scikit-learn rounds other numbers to float32, so
    a number very close to a threshold may move to its other side. Pass rows that must
    not move as `X`.

    Parameters
    ----------
    tree : Tree
        The tree to convert. For a fitted classifier, call its method `to_sklearn`.
    classes : sequence, default=None
        The label of each class code, in the order of the codes. If None, the codes.
    X : array-like of shape (n_samples, n_features), default=None
        Rows, such as the training rows, that must reach the same leaves after
        rounding. Thresholds are moved within rounding precision if necessary.
    feature_names : sequence of str, default=None
        The names to store in ``feature_names_in_``.
    probabilities : {"shares", "labels"}, default="shares"
        The result of ``predict_proba``: the class shares in a leaf, as in
        `Tree.predict_proba`, or 1 for the label of the leaf. scikit-learn predicts the
        most probable class, so use ``"labels"`` for a tree fitted with a cost matrix,
        whose leaves may have another label.

    Returns
    -------
    sklearn.tree.DecisionTreeClassifier
        A tree whose nodes have the same numbers as in `tree`. NaN, which `tree` does
        not accept, follows the "no" branch.

    Raises
    ------
    TypeError
        If `tree` is not a Tree.
    ValueError
        If `classes`, `X` or `feature_names` do not match the tree; if rows of `X` on
        both sides of a threshold are equal in float32; or if the label of a leaf is
        not its most frequent class and `probabilities` is ``"shares"``.

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
    """Do the same as `to_sklearn`, for a model that receives some columns flipped.

    `flipped` marks the columns of 0 and 1 that the model receives as 1 and 0. `X` is in
    the encoding of `tree`.
    """
    if not isinstance(tree, Tree):
        raise TypeError(
            f"tree must be a Tree; got {type(tree).__name__}. For a fitted classifier, "
            "call its method to_sklearn(), or pass its attribute tree_"
        )
    # Imported here because it takes a second, which printing a tree does not need.
    from sklearn.tree import DecisionTreeClassifier

    labels = np.arange(tree.n_classes) if classes is None else np.asarray(classes)
    if labels.shape != (tree.n_classes,):
        raise ValueError(
            f"classes must have shape ({tree.n_classes},); got {labels.shape}"
        )
    if len(set(labels.tolist())) != tree.n_classes:
        raise ValueError(f"classes must be distinct; got {picture(labels.tolist())}")
    check_word("probabilities", probabilities, ("shares", "labels"))
    # Any fit creates the attributes that this release of scikit-learn expects of a
    # fitted tree; its nodes are replaced afterwards.
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
                f"feature_names must have one name per feature ({tree.n_features}); "
                f"got {len(names)}"
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

    Use it for packages that read forests but not single trees, such as treelite.

    Parameters
    ----------
    tree, classes, X, feature_names, probabilities
        As in `to_sklearn`.

    Returns
    -------
    sklearn.ensemble.RandomForestClassifier
        A fitted forest with the predictions of `to_sklearn`.

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
    # The trees of a forest predict class codes; the forest converts them to labels.
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
    """Replace the nodes of a scikit-learn tree, in the same way as unpickling."""
    is_leaf = tree.feature < 0
    inner = model.tree_
    state = inner.__getstate__()
    nodes = np.zeros(tree.n_nodes, dtype=state["nodes"].dtype)
    nodes["left_child"] = np.where(is_flipped, tree.no, tree.yes)
    nodes["right_child"] = np.where(is_flipped, tree.yes, tree.no)
    # scikit-learn uses -2 for the features and thresholds of leaves.
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
    """Return the class shares of each node; that of the leaf's label is the largest."""
    shares = tree.shares()
    for leaf in np.flatnonzero((tree.feature < 0) & (shares.argmax(1) != tree.label)):
        most, own = shares[leaf].max(), tree.label[leaf]
        # Labels were chosen with exact integers; sums of floats may break a tie.
        if not np.isclose(shares[leaf, own], most, rtol=1e-9, atol=0.0):
            raise ValueError(
                'probabilities must be "labels" for this tree: scikit-learn predicts '
                f"the most probable class, but leaf {leaf} predicts class {own}, which "
                "is not its most frequent class because of a cost matrix"
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
    """Move thresholds so that the rows of `X` stay on their sides when rounded."""
    leaf = tree.apply(X)
    order = np.argsort(leaf, kind="stable")
    leaf = leaf[order]
    with np.errstate(over="ignore"):
        rounded = X.astype(np.float32)
    # In preorder, the leaves below a node end with those of its "no" subtree.
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
                f"X must have different float32 values on both sides of the split "
                f"x{tree.feature[node]} <= {tree.threshold[node]:.17g}, because "
                f"scikit-learn compares float32; got {most:.9g} on both sides. Shift "
                "or scale this feature before fit"
            )
        threshold[node] = max(threshold[node], most)
        if threshold[node] >= least:
            threshold[node] = np.nextafter(least, np.float32(-np.inf))
