"""What every estimator with one fitted tree shares: prediction and its words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.checks import check_table
from ostrya.preprocessing.features import short_between
from ostrya.routing import BLOCK
from ostrya.tree import Tree


class TreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that predicts by ``tree_``, over tables read by ``encoder_``."""

    tree_: Tree
    encoder_: TableEncoder
    classes_: npt.NDArray[Any]

    def apply(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the leaf of ``tree_`` that each row reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training rows. A missing value or a level
            not seen in training answers no to every question but "is missing".

        Returns
        -------
        ndarray of int32, shape (n_samples,)
            Node indices.
        """
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        asked = np.unique(self.tree_.feature[self.tree_.feature >= 0])
        if not isinstance(X, np.ndarray):
            return self.tree_.apply(self.encoder_.encode(X, only=asked))
        leaf = np.empty(len(X), dtype=np.int32)
        for start in range(0, len(X), BLOCK):
            rows = self.encoder_.encode(X[start : start + BLOCK], only=asked)
            leaf[start : start + BLOCK] = self.tree_.apply(rows)
        return leaf

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels, of the type `fit` was given. Of labels that cost a leaf the same
            the first of ``classes_`` is taken.
        """
        leaf = self.apply(X)
        return self.classes_[self.tree_.label][leaf]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the class shares of the leaf each row reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_classes)
            Shares of the training weight of the leaf, in the order of ``classes_``.
            Rows weigh what they weigh in the loss: `sample_weight` times the factors
            of `class_weight` and of the objective.
        """
        leaf = self.apply(X)
        return self.tree_.shares()[leaf]

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Return the nodes that each row passes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            As for `apply`.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_samples, n_nodes)
            1 where a row passes a node, root and leaf included.
        """
        leaf = self.apply(X)
        tree = self.tree_
        passed: list[list[int]] = [[0]] + [[] for _ in range(1, tree.n_nodes)]
        for node in np.flatnonzero(tree.feature >= 0).tolist():
            for child in (int(tree.yes[node]), int(tree.no[node])):
                passed[child] = [*passed[node], child]
        ends = np.cumsum([0, *map(len, passed)])
        nodes = np.concatenate([np.array(path, dtype=np.int32) for path in passed])
        shape = (tree.n_nodes, tree.n_nodes)
        paths = sparse.csr_matrix((np.ones(len(nodes), np.int8), nodes, ends), shape)
        return paths[leaf]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def worded(
    tree: Tree,
    matrix: npt.NDArray[np.float64],
    encoder: TableEncoder,
    classes: npt.NDArray[Any],
) -> Tree:
    """Return `tree` with questions, class names, and thresholds of few digits.

    A threshold may lie anywhere between its neighbours among the training values
    without any training row changing sides; the words then say exactly what is asked.
    """
    threshold = tree.threshold.copy()
    questions = [""] * tree.n_nodes
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        column = int(tree.feature[node])
        values = matrix[:, column]
        is_yes = values <= tree.threshold[node]
        threshold[node] = short_between(values[is_yes].max(), values[~is_yes].min())
        questions[node] = encoder.question(column, threshold[node])
    names = tuple(str(label) for label in classes.tolist())
    return replace(
        tree, threshold=threshold, questions=tuple(questions), class_names=names
    )


def importances(
    tree: Tree,
    source: npt.NDArray[np.intp],
    n_features: int,
    costs: npt.ArrayLike | None,
) -> npt.NDArray[np.float64]:
    """Return the share of each input feature in what the splits save.

    A split saves the training loss that making its node a leaf would add. A split
    that pays off only further down is thereby given its due, and in a proven tree
    with a positive penalty every feature asked about has a positive share.

    Parameters
    ----------
    tree : Tree
        The tree.
    source : ndarray of intp
        The input feature of each column of the tree.
    n_features : int
        Number of input features.
    costs : array-like of shape (n_classes, n_classes), or None
        The cost matrix; None: 1 where classes differ.
    """
    if costs is None:
        costs = 1.0 - np.eye(tree.n_classes)
    as_leaf = (tree.value @ np.asarray(costs))[np.arange(tree.n_nodes), tree.label]
    loss = as_leaf.copy()
    saved = np.zeros(n_features)
    # Preorder backwards: children before their parent.
    for node in np.flatnonzero(tree.feature >= 0)[::-1]:
        loss[node] = loss[tree.yes[node]] + loss[tree.no[node]]
        saved[source[tree.feature[node]]] += as_leaf[node] - loss[node]
    total = saved.sum()
    return saved / total if total > 0 else saved
