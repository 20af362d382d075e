"""The best tree of a Rashomon set that satisfies some conditions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ostrya._arguments import show
from ostrya._ctrl_c import CtrlC
from ostrya._solve.engine import search_constrained
from ostrya._solve.grid import Grid
from ostrya._solve.limits import Limits
from ostrya._solve.search import SearchOptions
from ostrya._solve.training_data import TrainingData
from ostrya._solve.tree_counts import TreeCounts
from ostrya.bounds import Bounds
from ostrya.constraints import Constraint
from ostrya.preprocessing import TableEncoder
from ostrya.results.rashomon import FirstMatch, MatchStatus
from ostrya.tree import Tree

#: Longest time of the search for the best monotone tree.
SECONDS = 10.0


class ConditionalChoice:
    """The choice of a tree of a `RashomonSet` under conditions."""

    n_trees_: int
    complete_to_: float | None
    lower_bound_: float

    max_depth: int | None
    max_leaf_nodes: int | None
    min_samples_leaf: int
    memory_limit: int | None
    encoder_: TableEncoder
    _data: TrainingData
    _grid: Grid
    _counts: TreeCounts | None

    if TYPE_CHECKING:  # of RashomonSet
        objective: Callable[[int], float]

        def _tree(self, place: int) -> Tree: ...

    def first(
        self,
        predicate: Callable[[Tree], bool] | Constraint,
        *more: Callable[[Tree], bool] | Constraint,
        time_limit: float | None = None,
        max_trees: int | None = None,
    ) -> FirstMatch:
        """Return the best tree that satisfies all of the given conditions.

        Trees are examined in order, so the first match has the lowest objective of all
        trees that satisfy the conditions. Trees that use other features than a
        constraint allows are skipped by counting, without looking at them, and those
        that are better than the best monotone tree by a search for this tree.

        Parameters
        ----------
        predicate : callable or constraint
            A function that takes a `Tree` and returns True if it is acceptable, or a
            constraint of `ostrya.constraints`.
        *more : callable or constraint
            Further conditions; all of them must hold.
        time_limit : float, default=None
            Maximum time, in seconds. None means no limit.
        max_trees : int, default=None
            Maximum number of trees to examine. None means no limit.

        Returns
        -------
        FirstMatch
            The tree, its objective, and the number of trees examined. If the search
            was stopped, no tree with an objective below ``lower_bound`` satisfies the
            conditions.

        Examples
        --------
        >>> from ostrya import RashomonSet
        >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 1], [6, 0]]
        >>> y = [0, 0, 1, 1, 1, 0]
        >>> trees = RashomonSet(leaf_penalty=0.05, epsilon=0.5).fit(X, y)
        >>> match = trees.first(lambda tree: 1 not in tree.feature)
        >>> match.objective, match.n_examined, match.status
        (0.15, 3, 'found')
        """
        check_is_fitted(self, "n_trees_")
        given = (predicate, *more)
        conditions = [self._condition(each) for each in given]
        ends = None if time_limit is None else time.perf_counter() + time_limit
        start = max(
            (each.start(self) for each in given if isinstance(each, Constraint)),
            default=0,
        )
        end = self.n_trees_
        if max_trees is not None:
            end = min(start + max_trees, end)
        with CtrlC() as ctrl_c:
            ctrl_c.keep()
            for place in range(start, end):
                if ctrl_c.is_pressed():
                    ctrl_c.has_searched(was_interrupted=True)
                    return self._stopped("interrupted", start, place)
                if ends is not None and time.perf_counter() >= ends:
                    return self._stopped("time_limit", start, place)
                tree = self._tree(place)
                if all(condition(tree) for condition in conditions):
                    objective = self.objective(place)
                    n_examined = place + 1 - start
                    return FirstMatch(
                        "found", tree, place, objective, n_examined, objective
                    )
        if end < self.n_trees_:
            return self._stopped("max_trees", start, end)
        return self._stopped("none", start, end)

    def first_monotone(self, directions: Mapping[int, int]) -> int:
        """Return a place in the set before which no tree is monotone.

        It comes from the search for the best monotone tree, whatever its labels, which
        takes ten seconds at most.

        Parameters
        ----------
        directions : dict of int to int
            1 or -1 for columns of the encoded table.

        Returns
        -------
        int
            A place counted from 0; the number of trees if no tree is monotone.
        """
        check_is_fitted(self, "n_trees_")
        if self._counts is None or not self._counts.kinds:
            return 0
        columns = np.zeros(self.encoder_.n_columns, dtype=np.int8)
        for column, direction in directions.items():
            columns[column] = direction
        limits = Limits(
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            time_limit=SECONDS,
            memory_limit=self.memory_limit,
        )
        now = time.perf_counter()
        with CtrlC() as ctrl_c:
            found, _ = search_constrained(
                self._data,
                self._grid,
                SearchOptions(
                    limits=limits.remaining(self._data.n_samples, now),
                    bounds=Bounds(),
                    ctrl_c=ctrl_c,
                ),
                directions=columns.tolist(),
                groups=[],
                lower=self._counts.kinds[0].cost,
            )
        return self._counts.first_place(found.lower)

    def _stopped(self, status: MatchStatus, start: int, place: int) -> FirstMatch:
        """Return that no tree before this place satisfies the conditions."""
        lower = self.complete_to_
        if place < self.n_trees_:
            lower = self.objective(place)
        if lower is None:
            lower = self.lower_bound_
        return FirstMatch(status, None, None, None, place - start, lower)

    def _condition(self, condition: Any) -> Callable[[Tree], bool]:
        """Return a condition as a function of a tree, or raise."""
        if isinstance(condition, Constraint):
            return condition.bind(self)
        if callable(condition):
            return condition  # type: ignore[no-any-return]
        raise TypeError(
            "predicate must be a function of a tree or a constraint of "
            f"ostrya.constraints; got {show(condition)}"
        )
