"""Find the best tree under constraints on its paths and on the labels of its leaves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ostrya._ctrl_c import CtrlC
from ostrya._leaf_boxes import directions_of, is_monotone
from ostrya._solve.conclusion import conclude
from ostrya._solve.engine import search_columns, search_constrained
from ostrya._solve.grid import to_grid
from ostrya._solve.limits import Limits
from ostrya._solve.recount import Recount, recount
from ostrya._solve.reports import in_costs
from ostrya._solve.search import SearchOptions
from ostrya._solve.settings import AUTO_EFFORT, Settings
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape
from ostrya.results.outcome import Outcome
from ostrya.tree import Tree

#: What ``max_depth="auto"`` lets the search under constraints take; see `AUTO_EFFORT`.
EFFORT = 3_000_000_000


@dataclass(frozen=True, eq=False)
class TreeConstraints:
    """What trees must satisfy, in columns of the matrix that is searched.

    `directions` has 1 for each column along which class 1 may only become the
    prediction, -1 for each along which it may only cease to be, and 0 for all others.
    The columns of every path must lie in one of the `groups`; no groups, no limit.
    """

    directions: npt.NDArray[np.int8]
    groups: tuple[tuple[int, ...], ...]

    @property
    def has_directions(self) -> bool:
        """Whether some column has a direction."""
        return bool(self.directions.any())

    def allow(self, tree: Tree) -> bool:
        """Return whether a tree satisfies them."""
        if self.groups and not self._allow_paths(tree):
            return False
        if not self.has_directions:
            return True
        return is_monotone(tree, directions_of(self.directions))

    def _allow_paths(self, tree: Tree) -> bool:
        groups = [frozenset(group) for group in self.groups]
        waiting = [(0, frozenset[int]())]
        while waiting:
            node, asked = waiting.pop()
            if tree.feature[node] < 0:
                continue
            asked |= {int(tree.feature[node])}
            if not any(asked <= group for group in groups):
                return False
            waiting += [(int(tree.yes[node]), asked), (int(tree.no[node]), asked)]
        return True


def find_constrained_tree(
    data: TrainingData,
    settings: Settings,
    constraints: TreeConstraints,
    started: float,
) -> Outcome:
    """Find the tree with the lowest objective that satisfies the constraints.

    Trees without constraints are searched first, for about a second: their lower bound
    holds, and if the best of them satisfies the constraints, nothing is left to search.
    """
    grid = to_grid(data)
    report = in_costs(settings.on_progress, grid)
    limits = settings.limits

    def left() -> Limits:
        return limits.remaining(data.n_samples, started)

    with CtrlC() as ctrl_c:
        options = SearchOptions(
            limits=left(),
            effort=AUTO_EFFORT,
            bounds=settings.bounds,
            ctrl_c=ctrl_c,
        )
        free = search_columns(data, grid, options)
        counted = recount(free.shape, data, grid)
        labels = counted.tree.label
        is_proved = free.lower == free.upper and constraints.allow(counted.tree)
        result = free
        if not is_proved and free.status != "interrupted":
            result, labels = search_constrained(
                data,
                grid,
                replace(options, limits=left()),
                directions=constraints.directions.tolist(),
                groups=[list(group) for group in constraints.groups],
                lower=free.lower,
                effort=None if settings.effort is None else EFFORT,
                report=report,
            )
        elif not is_proved:
            shape = TreeShape.single_leaf()
            leaf = recount(shape, data, grid)
            labels = leaf.tree.label
            result = replace(free, shape=shape, upper=leaf.cost)
            result = replace(result, lower=min(result.lower, leaf.cost))

    def recounter(shape: TreeShape) -> Recount:
        is_leaf = len(labels) == 1  # whose label is free
        return recount(shape, data, grid, labels=None if is_leaf else labels)

    penalty, max_depth = data.leaf_penalty, limits.max_depth
    return conclude(result, None, recounter, grid, penalty, None, "optimal", max_depth)
