"""How much trees rely on features: for one tree, all trees of a set, and resamples.

The reliance of a tree on a feature is the increase of its loss if the values of this
feature are exchanged between rows: the mean loss over all pairs of rows, in which the
feature comes from the second row and everything else from the first, minus the loss
(Fisher, Rudin and Dominici 2019, JMLR: model reliance, as a difference). No random
permutations are needed: a leaf is a box, so the pairs that reach it are counted as the
product of the rows that satisfy the conditions on the feature, and those that satisfy
all other conditions.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from ostrya._arguments import check_number
from ostrya._coded_matrix import CodedMatrix
from ostrya._solve.training_data import TrainingData
from ostrya.preprocessing import TableEncoder
from ostrya.results.rashomon import ImportanceDistribution, ModelReliance
from ostrya.tree import Tree

Floats = npt.NDArray[np.float64]
ROUNDING = 1e-14
Path = tuple[tuple[int, float, bool], ...]  # column, threshold, answer


class RelianceMeter:
    """Measures the reliance of trees on the features of their training rows."""

    def __init__(self, data: TrainingData, encoder: TableEncoder) -> None:
        self._X, self._source = data.X, encoder.source
        self._n_features = len(encoder.features)
        n = len(data.codes)
        weights = np.ones(n) if data.weights is None else data.weights
        self._weights = weights / weights.sum()
        costs = 1.0 - np.eye(data.n_classes) if data.costs is None else data.costs
        self._losses = self._weights[:, np.newaxis] * costs[data.codes]
        self._masks: dict[tuple[int, float], npt.NDArray[np.bool_]] = {}
        # Trees of a set share many leaves.
        self._leaves: dict[tuple[Path, int], Floats] = {}

    def of(self, tree: Tree) -> Floats:
        """Return the reliance of a tree on each feature."""
        reliance = np.zeros(self._n_features)
        for path, label in _leaves(tree):
            key = tuple(sorted(path)), label
            if key not in self._leaves:
                self._leaves[key] = self._of_leaf(*key)
            reliance += self._leaves[key]
        # Sums over leaves that cancel out leave rounding errors.
        reliance[np.abs(reliance) < ROUNDING] = 0
        return reliance

    def _of_leaf(self, path: Path, label: int) -> Floats:
        """Return what pairs add to the loss of a leaf, for each feature."""
        by_feature: dict[int, npt.NDArray[np.bool_]] = {}
        for column, threshold, answer in path:
            feature = int(self._source[column])
            mask = self._mask(column, threshold)
            here = mask if answer else ~mask
            known = by_feature.get(feature)
            by_feature[feature] = here if known is None else known & here
        added = np.zeros(self._n_features)
        loss = self._losses[:, label]
        whole = loss[_all(list(by_feature.values()), len(loss))].sum()
        for feature, mask in by_feature.items():
            others = [by_feature[other] for other in by_feature if other != feature]
            rest = loss[_all(others, len(loss))].sum()
            added[feature] = self._weights[mask].sum() * rest - whole
        return added

    def _mask(self, column: int, threshold: float) -> npt.NDArray[np.bool_]:
        key = column, threshold
        if key not in self._masks:
            if isinstance(self._X, CodedMatrix):
                values = self._X.columns(np.array([column]), slice(None))[:, 0]
            else:
                values = self._X[:, column]
            self._masks[key] = values <= threshold
        return self._masks[key]


class SetImportances:
    """How much the trees of a `RashomonSet` rely on features."""

    n_trees_: int
    status_: str
    leaf_penalty_: float
    encoder_: TableEncoder
    _data: TrainingData
    _table: Any

    if TYPE_CHECKING:  # of RashomonSet
        sample_indices: Callable[..., list[int]]

        def __getitem__(self, index: Any) -> Any: ...
        def _training_labels(self) -> npt.NDArray[Any]: ...

    def model_reliance(
        self, *, max_trees: int = 10_000, random_state: Any = None
    ) -> list[ModelReliance]:
        """Return how much good trees rely on each feature: range and mean.

        The reliance of a tree on a feature is the increase of its training loss if
        the values of the feature are exchanged between rows, averaged over all pairs
        of rows. The range over all good trees is the model class reliance of Fisher,
        Rudin and Dominici (2019).

        Parameters
        ----------
        max_trees : int, default=10000
            A set of at most this many trees is evaluated completely, and the result
            is exact. Of a larger set, a uniform sample of this size is evaluated; the
            true range may then be wider.
        random_state : int, default=None
            Seed of the sample.

        Returns
        -------
        list of ModelReliance
            One per feature, in the order of the columns.

        Examples
        --------
        >>> from ostrya import RashomonSet
        >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
        >>> y = [0, 0, 1, 1, 1, 0]
        >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, y)
        >>> for each in trees.model_reliance():
        ...     print(each.feature, round(each.least, 3), round(each.most, 3))
        x0 0.0 0.5
        x1 0.0 0.5
        """
        check_is_fitted(self, "n_trees_")
        values, is_exact = self._reliances(max_trees, random_state)
        return [
            ModelReliance(
                feature=feature.name,
                least=float(column.min()) if len(column) else 0.0,
                most=float(column.max()) if len(column) else 0.0,
                mean=float(column.mean()) if len(column) else 0.0,
                n_trees=len(values),
                is_exact=is_exact,
            )
            for feature, column in zip(self.encoder_.features, values.T, strict=True)
        ]

    def importance_distribution(
        self,
        *,
        n_bootstraps: int = 20,
        max_trees: int = 1000,
        random_state: Any = None,
    ) -> ImportanceDistribution:
        """Return how much good trees rely on features, over resamples of the rows.

        A feature may look important because of the tree that was chosen, or because of
        the rows that happened to be drawn. The Rashomon importance distribution of
        Donnelly, Katta, Rudin and Browne (2023) accounts for both: for each bootstrap
        sample of the training rows, the set of good trees is computed again, and the
        reliance of all of its trees is recorded. Each sample has the same weight.

        Parameters
        ----------
        n_bootstraps : int, default=20
            Number of bootstrap samples. Each takes about as long as `fit`.
        max_trees : int, default=1000
            Most trees to evaluate per sample; of a larger set, a uniform sample.
        random_state : int, default=None
            Seed of the bootstrap samples.

        Returns
        -------
        ImportanceDistribution
            The distribution of the reliance on each feature.

        Examples
        --------
        >>> from ostrya import RashomonSet
        >>> X = [[i, i % 3] for i in range(40)]
        >>> trees = RashomonSet(max_depth=2).fit(X, [i > 20 for i in range(40)])
        >>> found = trees.importance_distribution(n_bootstraps=5, random_state=0)
        >>> found.mean("x0") > 0.3, found.share_above("x1", 0.1)
        (True, 0.0)
        """
        check_is_fitted(self, "n_trees_")
        check_number(
            "n_bootstraps",
            n_bootstraps,
            "an integer >= 1",
            lambda n: n == int(n) and n >= 1,
        )
        chance = np.random.default_rng(random_state)
        drawn, n_incomplete = [], 0
        given = self._table.sample_weights
        n = len(self._data.codes)
        for _ in range(int(n_bootstraps)):
            counts = np.bincount(chance.integers(0, n, n), minlength=n).astype(float)
            again = clone(self).set_params(leaf_penalty=self.leaf_penalty_)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # as of the first fit
                again.fit(
                    self._table.raw,
                    self._training_labels(),
                    counts if given is None else counts * given,
                )
            n_incomplete += again.status_ != "complete"
            if again.status_ == "interrupted":
                raise KeyboardInterrupt
            if again.n_trees_:
                seed = int(chance.integers(2**32))
                drawn.append(again._reliances(max_trees, seed)[0])
        if not drawn:
            raise ValueError(
                "no bootstrap sample has a tree in its set; increase epsilon, "
                "max_objective or time_limit"
            )
        names = tuple(feature.name for feature in self.encoder_.features)
        weights = [np.full(len(each), 1 / len(each) / len(drawn)) for each in drawn]
        return ImportanceDistribution(
            names, np.concatenate(drawn), np.concatenate(weights), n_incomplete
        )

    def _reliances(self, max_trees: int, random_state: Any) -> tuple[Floats, bool]:
        """Return the reliance of trees, a row each, and whether these are all trees."""
        check_number(
            "max_trees", max_trees, "an integer >= 1", lambda n: n == int(n) and n >= 1
        )
        is_exact = self.n_trees_ <= max_trees
        places: Iterator[int] = iter(range(self.n_trees_))
        if not is_exact:
            places = iter(self.sample_indices(int(max_trees), random_state))
        meter = RelianceMeter(self._data, self.encoder_)
        rows = [meter.of(self[place]) for place in places]
        n_features = len(self.encoder_.features)
        return np.array(rows).reshape(len(rows), n_features), is_exact


def _leaves(tree: Tree) -> Iterator[tuple[Path, int]]:
    """Yield the conditions and the label of each leaf."""
    waiting: list[tuple[int, Path]] = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        column = int(tree.feature[node])
        if column < 0:
            yield path, int(tree.label[node])
            continue
        threshold = float(tree.threshold[node])
        waiting.append((int(tree.yes[node]), (*path, (column, threshold, True))))
        waiting.append((int(tree.no[node]), (*path, (column, threshold, False))))


def _all(masks: list[npt.NDArray[np.bool_]], n: int) -> npt.NDArray[np.bool_]:
    """Return where all masks are True."""
    found = np.ones(n, dtype=bool)
    for mask in masks:
        found &= mask
    return found
