"""What a Rashomon set reports about its trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
        Number of trees that were examined.
    lower_bound : float
        No tree with an objective below this satisfies the conditions.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> match = trees.first(constraints.Avoids(1))
    >>> match.status, match.n_examined, match.tree.n_leaves
    ('found', 3, 3)
    """

    status: MatchStatus
    tree: Tree | None
    index: int | None
    objective: float | None
    n_examined: int
    lower_bound: float
