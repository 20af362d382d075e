"""What a Rashomon set reports about its trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ostrya.tree import Tree

MatchStatus = Literal["found", "none", "time_limit", "max_trees", "interrupted"]


@dataclass(frozen=True)
class ObjectiveCount:
    """The number of trees with the same objective and number of leaves.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> [(count.n_leaves, count.n_trees) for count in trees.objective_counts()]
    [(2, 1), (3, 12)]
    """

    objective: float
    n_leaves: int
    n_trees: int


@dataclass(frozen=True)
class FirstMatch:
    """The best tree of a Rashomon set that satisfies some conditions.

    Attributes
    ----------
    status : {"found", "none", "time_limit", "max_trees", "interrupted"}
        "found": `tree` is the best one that satisfies the conditions. "none": no tree
        of the set does. Otherwise, what stopped the search.
    tree : Tree or None
        The tree, if one was found.
    index : int or None
        Its place in the set, counted from 0.
    objective : float or None
        Its objective.
    n_examined : int
        Number of trees that were examined, without those that were skipped.
    lower_bound : float
        No tree with an objective below this satisfies the conditions.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> match = trees.first(constraints.Avoids(1))
    >>> match.status, match.n_examined, match.tree.n_leaves
    ('found', 2, 3)
    """

    status: MatchStatus
    tree: Tree | None
    index: int | None
    objective: float | None
    n_examined: int
    lower_bound: float


@dataclass(frozen=True)
class ModelReliance:
    """How much the trees of a Rashomon set rely on a feature.

    Attributes
    ----------
    feature : str
        The name of the feature.
    least, most : float
        The smallest and the largest reliance of a tree.
    mean : float
        The mean over the trees.
    n_trees : int
        The number of trees that were evaluated.
    is_exact : bool
        Whether these are all trees of the set. Otherwise they are a uniform sample,
        and the true range may be wider.

    Examples
    --------
    >>> from ostrya import RashomonSet
    >>> trees = RashomonSet(leaf_penalty=0.1).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> trees.model_reliance()[0]
    ModelReliance(feature='x0', least=0.5, most=0.5, mean=0.5, n_trees=1, is_exact=True)
    """

    feature: str
    least: float
    most: float
    mean: float
    n_trees: int
    is_exact: bool


@dataclass(frozen=True, eq=False)
class ImportanceDistribution:
    """How much good trees rely on features, over bootstrap samples of the rows.

    Attributes
    ----------
    features : tuple of str
        The names of the features.
    values : ndarray of float64, shape (n_trees, n_features)
        The reliance of every tree that was evaluated on every feature.
    weights : ndarray of float64, shape (n_trees,)
        The weight of each tree; all trees of a bootstrap sample weigh as much as those
        of any other sample, and all weights add up to 1.
    n_incomplete : int
        Number of samples for which a limit stopped the count of the trees.

    Examples
    --------
    >>> from ostrya import RashomonSet
    >>> X = [[i, i % 3] for i in range(40)]
    >>> trees = RashomonSet(max_depth=2).fit(X, [i > 20 for i in range(40)])
    >>> found = trees.importance_distribution(n_bootstraps=5, random_state=0)
    >>> found.features, found.quantile("x0", 0.5) > 0.3
    (('x0', 'x1'), True)
    """

    features: tuple[str, ...]
    values: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    n_incomplete: int

    def mean(self, feature: int | str) -> float:
        """Return the mean reliance on a feature, given by position or name."""
        return float(self.weights @ self._of(feature))

    def quantile(self, feature: int | str, share: float) -> float:
        """Return the smallest value that at least this share of the trees reach."""
        values = self._of(feature)
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(self.weights[order])
        place = int(np.searchsorted(reached, share - 1e-12))
        return float(values[order[min(place, len(order) - 1)]])

    def share_above(self, feature: int | str, value: float) -> float:
        """Return the share of trees that rely on a feature by more than a value."""
        return float(self.weights[self._of(feature) > value].sum())

    def _of(self, feature: int | str) -> npt.NDArray[np.float64]:
        if isinstance(feature, str):
            if feature not in self.features:
                raise ValueError(
                    f"feature must be one of {list(self.features)}; got {feature!r}"
                )
            feature = self.features.index(feature)
        column: npt.NDArray[np.float64] = self.values[:, feature]
        return column
