"""Conditions on trees, for `ostrya.RashomonSet.first`.

Each constraint is checked tree by tree: the first tree of a Rashomon set that satisfies
all of them is the best one that does. Columns are given by name or position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._arguments import check_number, check_word, show
from ostrya._leaf_boxes import is_monotone
from ostrya.tree import Tree

__all__ = [
    "AtMostOneOf",
    "Avoids",
    "Constraint",
    "FairnessGap",
    "FeatureBudget",
    "Monotone",
    "Uses",
]


def __dir__() -> list[str]:
    return __all__


# Trees that are examined in less time than a bound on their objective takes.
FEW_TREES = 1000
# Most columns with a cost of which all affordable combinations are counted.
MOST_COSTLY = 6


class Constraint(ABC):
    """A condition on the trees of a fitted Rashomon set.

    Examples
    --------
    >>> from ostrya import constraints
    >>> isinstance(constraints.Uses(0), constraints.Constraint)
    True
    """

    @abstractmethod
    def bind(self, trees: Any) -> Callable[[Tree], bool]:
        """Return the condition as a function of a tree of this set.

        Parameters
        ----------
        trees : RashomonSet
            The fitted set.

        Returns
        -------
        callable
            It returns True for the trees that satisfy the constraint.

        Raises
        ------
        TypeError, ValueError
            If the constraint does not fit the training table.
        """

    def start(self, trees: Any) -> int:
        """Return a place in the set before which no tree satisfies the constraint.

        Parameters
        ----------
        trees : RashomonSet
            The fitted set.

        Returns
        -------
        int
            A place counted from 0; the number of trees if no tree satisfies it.
        """
        return 0


class Uses(Constraint):
    """Require that a tree uses all of these columns.

    Parameters
    ----------
    *columns : int or str
        Columns of the training table.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> trees.first(constraints.Uses(0)).index
    1
    """

    def __init__(self, *columns: int | str) -> None:
        self.columns = columns

    def bind(self, trees: Any) -> Callable[[Tree], bool]:
        """Return the condition as a function of a tree; see `Constraint.bind`."""
        wanted = {_place(trees, column) for column in self.columns}
        return lambda tree: wanted <= _used(trees, tree)

    def start(self, trees: Any) -> int:
        """Return the first place where each column may be used; see `Constraint`."""
        return max((_first_use(trees, column) for column in self.columns), default=0)


class Avoids(Constraint):
    """Require that a tree uses none of these columns.

    Parameters
    ----------
    *columns : int or str
        Columns of the training table.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> trees.first(constraints.Avoids(1)).index
    2
    """

    def __init__(self, *columns: int | str) -> None:
        self.columns = columns

    def bind(self, trees: Any) -> Callable[[Tree], bool]:
        """Return the condition as a function of a tree; see `Constraint.bind`."""
        unwanted = {_place(trees, column) for column in self.columns}
        return lambda tree: not unwanted & _used(trees, tree)

    def start(self, trees: Any) -> int:
        """Return the first place without all columns; see `Constraint.start`."""
        return _first_without(trees, self.columns)


class AtMostOneOf(Constraint):
    """Require that a tree uses at most one of these columns.

    Parameters
    ----------
    *columns : int or str
        The group of columns of the training table.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> trees.first(constraints.AtMostOneOf(0, 1)).index
    0
    """

    def __init__(self, *columns: int | str) -> None:
        self.columns = columns

    def bind(self, trees: Any) -> Callable[[Tree], bool]:
        """Return the condition as a function of a tree; see `Constraint.bind`."""
        group = {_place(trees, column) for column in self.columns}
        return lambda tree: len(group & _used(trees, tree)) <= 1

    def start(self, trees: Any) -> int:
        """Return the first place with one column at most; see `Constraint.start`."""
        group = {_place(trees, column) for column in self.columns}
        return min((_first_without(trees, group - {one}) for one in group), default=0)


class FeatureBudget(Constraint):
    """Limit the total cost of the columns that a tree uses.

    Parameters
    ----------
    costs : dict of int or str to float
        The cost of each column, at least 0. Columns that are not listed cost nothing. A
        column counts once, however often a tree uses it.
    budget : float
        The largest total cost allowed.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> trees.first(constraints.FeatureBudget({1: 5.0}, budget=1.0)).index
    2
    """

    def __init__(self, costs: Mapping[int | str, float], budget: float) -> None:
        self.costs, self.budget = costs, budget

    def bind(self, trees: Any) -> Callable[[Tree], bool]:
        """Return the condition as a function of a tree; see `Constraint.bind`."""
        allowed = "a finite number >= 0"
        budget = check_number("budget", self.budget, allowed, _is_cost)
        costs = {
            _place(trees, column): check_number(
                f"costs[{column!r}]", cost, allowed, _is_cost
            )
            for column, cost in self.costs.items()
        }
        return lambda tree: (
            sum(costs.get(column, 0.0) for column in _used(trees, tree)) <= budget
        )

    def start(self, trees: Any) -> int:
        """Return the first place within the budget; see `Constraint.start`."""
        costs = {_place(trees, column): cost for column, cost in self.costs.items()}
        costly = sorted(column for column, cost in costs.items() if cost > 0)
        if len(costly) > MOST_COSTLY:  # too many subsets; these are never affordable
            return _first_without(trees, [c for c in costly if costs[c] > self.budget])
        affordable = [
            set(some)
            for size in range(len(costly) + 1)
            for some in combinations(costly, size)
            if sum(costs[column] for column in some) <= self.budget
        ]
        largest = [a for a in affordable if not any(a < other for other in affordable)]
        return min(_first_without(trees, set(costly) - some) for some in largest)


class Monotone(Constraint):
    """Require that the prediction only rises, or only falls, with some columns.

    A tree satisfies the constraint if changing only the value of such a column, in the
    given direction, never changes a prediction from the second class of ``classes_``
    to the first. This holds for all possible rows, not only for the training rows.

    Parameters
    ----------
    directions : dict of int or str to {1, -1}
        For each column of numbers without missing values, 1 if larger values may only
        make the second class more likely, and -1 if they may only make it less likely.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> trees.first(constraints.Monotone({0: 1})).index
    0
    """

    def __init__(self, directions: Mapping[int | str, Literal[1, -1]]) -> None:
        self.directions = directions

    def bind(self, trees: Any) -> Callable[[Tree], bool]:
        """Return the condition as a function of a tree; see `Constraint.bind`."""
        directions = self._directions(trees)
        return lambda tree: is_monotone(tree, directions)

    def start(self, trees: Any) -> int:
        """Return the first place of a monotone tree; see `Constraint.start`.

        In small sets, it takes less time to examine all trees.
        """
        if trees.n_trees_ <= FEW_TREES:
            return 0
        return int(trees.first_monotone(self._directions(trees)))

    def _directions(self, trees: Any) -> dict[int, int]:
        """Return the direction of each encoded column that has one, or raise."""
        if len(trees.classes_) != 2:
            raise ValueError(
                f"y must have two classes for Monotone; got {len(trees.classes_)}"
            )
        directions = {}
        for column, direction in self.directions.items():
            if direction not in (1, -1):
                raise ValueError(
                    f"directions[{column!r}] must be 1 or -1; got {show(direction)}"
                )
            encoded = np.flatnonzero(trees.encoder_.source == _place(trees, column))
            if len(encoded) != 1 or trees.encoder_.is_yes_no(int(encoded[0])):
                raise ValueError(
                    f"directions[{column!r}] must name a column of numbers without "
                    "missing values"
                )
            directions[int(encoded[0])] = int(direction)
        return directions


class FairnessGap(Constraint):
    """Limit the difference between groups in how often a class is predicted.

    The gap is the largest difference between two groups, measured on the rows given.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), or a dataframe
        Rows with the columns of the training table, such as the training rows.
    sensitive : array-like of shape (n_samples,)
        The group of each row. It need not be a column of the table.
    max_gap : float
        The largest gap allowed, from 0 to 1.
    y : array-like of shape (n_samples,), default=None
        The true labels. Needed unless `criterion` is "statistical_parity".
    criterion : {"statistical_parity", "equal_opportunity", "equalized_odds"}, \
default="statistical_parity"
        What is compared between groups: how often `positive` is predicted; how often
        it is predicted for rows of which it is the true label; or the larger of the
        gaps for rows of which it is the true label and for all others.
    positive : label, default=None
        The class that counts as the favourable one. None means the last of
        ``classes_``.

    Examples
    --------
    >>> from ostrya import RashomonSet, constraints
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
    >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, [0, 0, 1, 1, 1, 0])
    >>> gap = constraints.FairnessGap(X, sensitive=[0, 1, 0, 1, 0, 1], max_gap=0.4)
    >>> trees.first(gap).index
    0
    """

    def __init__(
        self,
        X: Any,
        sensitive: npt.ArrayLike,
        max_gap: float,
        *,
        y: npt.ArrayLike | None = None,
        criterion: str = "statistical_parity",
        positive: Any = None,
    ) -> None:
        self.X, self.sensitive, self.max_gap = X, sensitive, max_gap
        self.y, self.criterion, self.positive = y, criterion, positive

    def bind(self, trees: Any) -> Callable[[Tree], bool]:
        """Return the condition as a function of a tree; see `Constraint.bind`."""
        measure = self.gap(trees)
        return lambda tree: measure(tree) <= self.max_gap

    def gap(self, trees: Any) -> Callable[[Tree], float]:
        """Return the function that measures the gap of a tree of this set."""
        check_number(
            "max_gap", self.max_gap, "a number from 0 to 1", lambda gap: 0 <= gap <= 1
        )
        words = ("statistical_parity", "equal_opportunity", "equalized_odds")
        check_word("criterion", self.criterion, words)
        positive = self._positive(trees)
        matrix = trees.encode(self.X)
        group = np.unique(np.asarray(self.sensitive), return_inverse=True)[1]
        if group.shape != (len(matrix),):
            raise ValueError(
                f"sensitive must have one value per row of X ({len(matrix)}); got "
                f"shape {group.shape}"
            )
        among = self._rows_compared(trees, len(matrix), positive)

        def gap(tree: Tree) -> float:
            is_positive = tree.predict(matrix) == positive
            return max(_largest_gap(is_positive[rows], group[rows]) for rows in among)

        return gap

    def _positive(self, trees: Any) -> int:
        """Return the code of the favourable class, or raise."""
        if self.positive is None:
            return len(trees.classes_) - 1
        codes = np.flatnonzero(trees.classes_ == self.positive)
        if len(codes) == 0:
            raise ValueError(
                f"positive must be one of {trees.classes_.tolist()}; got "
                f"{show(self.positive)}"
            )
        return int(codes[0])

    def _rows_compared(
        self, trees: Any, n_rows: int, positive: int
    ) -> Sequence[npt.NDArray[np.bool_]]:
        """Return the sets of rows among which groups are compared."""
        if self.criterion == "statistical_parity":
            return [np.ones(n_rows, dtype=bool)]
        if self.y is None:
            raise ValueError(f"y must be set for criterion={self.criterion!r}")
        truth = np.asarray(self.y) == trees.classes_[positive]
        if truth.shape != (n_rows,):
            raise ValueError(
                f"y must have one label per row of X ({n_rows}); got shape "
                f"{truth.shape}"
            )
        return [truth] if self.criterion == "equal_opportunity" else [truth, ~truth]


def _is_cost(value: float) -> bool:
    return bool(np.isfinite(value)) and value >= 0


def _place(trees: Any, column: int | str) -> int:
    """Return the position of a column of the training table, or raise."""
    return int(trees.column_index(column))


def _first_without(trees: Any, columns: Iterable[int | str]) -> int:
    """Return the place of the first kind of trees that may ignore these columns."""
    columns = list(columns)
    if not columns:
        return 0
    without = trees.counts_without(*columns)
    if not without:
        return int(trees.n_trees_)
    first = without[0].objective, without[0].n_leaves
    return _first_kind(trees, lambda kind: (kind.objective, kind.n_leaves) == first)


def _first_use(trees: Any, column: int | str) -> int:
    """Return the place of the first kind of which some trees use a column."""
    without = {
        (kind.objective, kind.n_leaves): kind.n_trees
        for kind in trees.counts_without(column)
    }
    return _first_kind(
        trees,
        lambda kind: without.get((kind.objective, kind.n_leaves)) != kind.n_trees,
    )


def _first_kind(trees: Any, is_it: Callable[[Any], bool]) -> int:
    """Return the place of the first tree of the first kind that satisfies `is_it`."""
    place = 0
    for kind in trees.objective_counts():
        if is_it(kind):
            break
        place += kind.n_trees
    return place


def _used(trees: Any, tree: Tree) -> set[int]:
    """Return the columns of the training table that a tree asks about."""
    asked = tree.feature[tree.feature >= 0]
    return set(trees.encoder_.source[asked].tolist())


def _largest_gap(
    is_positive: npt.NDArray[np.bool_], group: npt.NDArray[np.intp]
) -> float:
    """Return the largest difference between groups in the share of positive rows."""
    sizes = np.bincount(group)
    if not sizes.any():
        return 0.0
    positive = np.bincount(group, is_positive, minlength=len(sizes))
    shares = positive[sizes > 0] / sizes[sizes > 0]
    return float(shares.max() - shares.min())
