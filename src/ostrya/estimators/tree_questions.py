"""TreeQuestions: answers about all trees of a Rashomon set, without listing them."""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ostrya._ctrl_c import CtrlC
from ostrya._solve.grid import Grid
from ostrya._solve.training_data import TrainingData
from ostrya._solve.tree_counts import TreeCounts
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.checks import check_new_rows
from ostrya.results.rashomon import ObjectiveCount


class FeatureUse(NamedTuple):
    """How many trees of a set use a feature, and the best objective without it."""

    n_trees: int
    best_without: float | None


class TreeQuestions:
    """What `RashomonSet` computes by sums over the row sets that its trees share."""

    n_trees_: int
    n_features_in_: int
    classes_: npt.NDArray[Any]
    encoder_: TableEncoder
    _data: TrainingData
    _grid: Grid
    _counts: TreeCounts | None
    _thresholds: list[npt.NDArray[np.float64]]  # of each of the cuts

    def objective_counts(self) -> list[ObjectiveCount]:
        """Return how many trees have each objective and number of leaves.

        Returns
        -------
        list of ObjectiveCount
            In the order of the trees.
        """
        check_is_fitted(self, "n_trees_")
        kinds = [] if self._counts is None else self._counts.kinds
        to_objective = self._grid.to_objective
        return [
            ObjectiveCount(to_objective(kind.cost), kind.n_leaves, kind.count)
            for kind in kinds
        ]

    def leaf_counts(self) -> dict[int, int]:
        """Return how many trees have each number of leaves.

        Returns
        -------
        dict of int to int
            By number of leaves, ascending.
        """
        counts = sorted(self.objective_counts(), key=lambda each: each.n_leaves)
        return {
            n_leaves: sum(each.n_trees for each in group)
            for n_leaves, group in groupby(counts, key=lambda each: each.n_leaves)
        }

    def vote_shares(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the share of all trees that predict each class, for each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training table.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_classes)
            Each row sums to 1. Rows for which no class comes close to 1 are those on
            which good trees disagree.
        """
        return self._predict_by_all(X, by_label=True)

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return class probabilities, averaged over all trees of the set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training table.

        Returns
        -------
        ndarray of float64, shape (n_samples, n_classes)
            The mean of the shares of the classes in the leaves that a row reaches.
        """
        return self._predict_by_all(X, by_label=False)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class that most trees predict, for each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training table.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. If several classes have the same share of the trees, the first one
            in ``classes_``.
        """
        check_is_fitted(self, "n_trees_")
        labels: npt.NDArray[Any] = self.classes_[self.vote_shares(X).argmax(axis=1)]
        return labels

    def feature_counts(self) -> list[int]:
        """Return in how many trees each feature is used.

        Returns
        -------
        list of int
            For each column of the training table, the number of trees that ask about
            it. A question with several names counts for the feature that it is
            displayed with; see ``equal_questions_``.
        """
        return [use.n_trees for use in feature_uses(self)]

    def feature_importances(self) -> npt.NDArray[np.float64]:
        """Return the share of the trees in which each feature is used.

        Returns
        -------
        ndarray of float64, shape (n_features,)
            1 for a feature that every tree of the set needs.
        """
        counts = self.feature_counts()
        return np.array([count / max(self.n_trees_, 1) for count in counts])

    def best_without(self, feature: int | str) -> float | None:
        """Return the lowest objective of a tree of the set that ignores a feature.

        Parameters
        ----------
        feature : int or str
            A column of the training table, by its place or name.

        Returns
        -------
        float or None
            None if every tree of the set uses the feature. The difference from
            ``objective_`` is what the feature is worth to the best tree.
        """
        counts = self.counts_without(feature)
        return counts[0].objective if counts else None

    def column_index(self, column: int | str) -> int:
        """Return the position of a column of the training table.

        Parameters
        ----------
        column : int or str
            Its position or name.

        Returns
        -------
        int
            Its position.

        Raises
        ------
        ValueError
            If the training table has no such column.
        """
        check_is_fitted(self, "n_trees_")
        names = list(getattr(self, "feature_names_in_", ()))
        if isinstance(column, str):
            if column not in names:
                raise ValueError(
                    f"column must be one of {names or 'the positions'}; got {column!r}"
                )
            return names.index(column)
        if not 0 <= column < self.n_features_in_:
            raise ValueError(
                f"column must be between 0 and {self.n_features_in_ - 1}; got {column}"
            )
        return int(column)

    def encode(self, X: Any) -> npt.NDArray[np.float64]:
        """Return rows as the matrix that the trees of the set take.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a dataframe
            Rows with the columns of the training table.

        Returns
        -------
        ndarray of float64
            A matrix for `Tree.predict` and `Tree.apply`.
        """
        check_is_fitted(self, "n_trees_")
        matrix: npt.NDArray[np.float64] = self.encoder_.encode(check_new_rows(self, X))
        return matrix

    def counts_without(self, *features: int | str) -> list[ObjectiveCount]:
        """Return how many trees ignore some features, by objective and leaves.

        Parameters
        ----------
        *features : int or str
            Columns of the training table, by position or name.

        Returns
        -------
        list of ObjectiveCount
            In the order of the trees; empty if every tree uses one of the features.
        """
        check_is_fitted(self, "n_trees_")
        places = [self.column_index(feature) for feature in features]
        if self._counts is None or self._counts.complete_to is None:
            return []
        columns = np.flatnonzero(np.isin(self.encoder_.source, places)).tolist()
        with CtrlC() as ctrl_c:
            kinds = self._counts.kinds_without(
                columns, self._counts.complete_to, ctrl_c
            )
        if kinds is None:
            raise KeyboardInterrupt
        to_objective = self._grid.to_objective
        return [
            ObjectiveCount(to_objective(kind.cost), kind.n_leaves, kind.count)
            for kind in kinds
        ]

    def _predict_by_all(self, X: Any, *, by_label: bool) -> npt.NDArray[np.float64]:
        check_is_fitted(self, "n_trees_")
        if not self.n_trees_:
            raise ValueError(
                "the set contains no trees to predict with. Increase epsilon, "
                "max_objective or the limit that stopped the fit"
            )
        X = check_new_rows(self, X)
        assert self._counts is not None
        asked = np.array([cuts.column for cuts in self._counts.cuts], dtype=np.intp)
        matrix = self.encoder_.encode(X, only=np.unique(asked))
        ranks, place = np.unique(self._ranks(matrix), axis=0, return_inverse=True)
        data = self._data
        training = None if by_label else self._ranks(data.X)
        weights = np.ones(len(data.codes)) if data.weights is None else data.weights
        with CtrlC() as ctrl_c:
            shares = self._counts.predict(
                np.ascontiguousarray(ranks), training, data.codes, weights, ctrl_c
            )
        n_classes = len(self.classes_)
        if shares.shape[1] < n_classes:
            missing = n_classes - shares.shape[1]
            shares = np.pad(shares, ((0, 0), (0, missing)))
        result: npt.NDArray[np.float64] = shares[place.reshape(-1), :n_classes]
        return result

    def _ranks(self, matrix: Any) -> npt.NDArray[np.uint32]:
        """Return how many thresholds of each column each row lies beyond."""
        assert self._counts is not None
        ranks = np.zeros((len(matrix), len(self._counts.cuts)), dtype=np.uint32)
        for place, cuts in enumerate(self._counts.cuts):
            thresholds = self._thresholds[place]
            ranks[:, place] = np.searchsorted(thresholds, matrix[:, cuts.column])
        return ranks


def feature_uses(trees: TreeQuestions) -> list[FeatureUse]:
    """Return the use of each column of the training table, in one count for each."""
    without = [trees.counts_without(place) for place in range(trees.n_features_in_)]
    return [
        FeatureUse(
            trees.n_trees_ - sum(kind.n_trees for kind in kinds),
            kinds[0].objective if kinds else None,
        )
        for kinds in without
    ]
