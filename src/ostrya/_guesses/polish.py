"""Polish a guessed tree: replace subtrees by small trees that are proved optimal.

A guess chooses splits for a surrogate problem, so the subtrees of its tree may not be
the best for the rows that reach them. For each node, children before parents, the best
tree of some depth is searched with the true costs, and replaces the subtree if it is
cheaper. The objective can only decrease, so every guarantee of the guess remains valid.
The depth is the largest for which all these searches together take about a second,
estimated from the numbers of thresholds and rows. So the result depends neither on
random numbers nor on the clock, unless time runs out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape

Rows = npt.NDArray[np.intp]
# Most steps of a search, as estimated by `_steps`: one or two seconds on noise, much
# less on structured data.
MOST_WORK = 6 * 10**8
LEAST_DEPTH = 2
# Search some rows for a tree within a depth that costs less than an existing subtree,
# given its cost and number of leaves. Returns None if there is none.
FindSubtree = Callable[[Rows, int, int, int], TreeShape | None]
# Trees with more nodes are not polished.
MOST_NODES = 1000


class SplitNode(NamedTuple):
    """A split of a nested tree; leaves are None."""

    feature: int
    threshold: float
    yes: SplitNode | None
    no: SplitNode | None


@dataclass(frozen=True)
class Polisher:
    """Replace subtrees by cheaper ones."""

    data: TrainingData
    grid: Grid
    find_subtree: FindSubtree
    depth: int

    def improve(
        self, node: SplitNode | None, rows: Rows, depth_left: int
    ) -> SplitNode | None:
        """Return the subtree, or a cheaper one for these rows."""
        if node is not None and depth_left > self.depth:
            feature, threshold, yes, no = node
            is_yes = self.data.X[rows, feature] <= threshold
            yes = self.improve(yes, rows[is_yes], depth_left - 1)
            no = self.improve(no, rows[~is_yes], depth_left - 1)
            node = SplitNode(feature, threshold, yes, no)
        cost = self._cost(node, rows)
        if cost <= self.grid.penalty or depth_left == 0:
            return node
        depth = min(self.depth, depth_left)
        found = self.find_subtree(rows, depth, cost, count_leaves(node))
        return node if found is None else nest(found)

    def _cost(self, node: SplitNode | None, rows: Rows) -> int:
        """Return the true cost of a subtree, on the integer grid."""
        if node is None:
            masses = np.zeros(self.data.n_classes, dtype=np.int64)
            np.add.at(masses, self.data.codes[rows], self.grid.weights[rows])
            loss = int((masses @ self.grid.costs).min())
            return self.grid.scale * loss + self.grid.penalty
        feature, threshold, yes, no = node
        is_yes = self.data.X[rows, feature] <= threshold
        return self._cost(yes, rows[is_yes]) + self._cost(no, rows[~is_yes])


def polish(
    shape: TreeShape,
    data: TrainingData,
    grid: Grid,
    max_depth: int | None,
    find_subtree: FindSubtree,
) -> TreeShape:
    """Return a tree that is at least as good.

    `find_subtree` searches some of the rows for their best tree.
    """
    if shape.n_nodes > MOST_NODES:
        return shape
    limit = data.n_samples if max_depth is None else max_depth
    depth = min(_depth_for_all(shape, data, limit), limit)
    polisher = Polisher(data, grid, find_subtree, depth)
    every = np.arange(data.n_samples)
    return flatten(polisher.improve(nest(shape), every, limit))


def affordable_depth(data: TrainingData, limit: int) -> int:
    """Return the largest depth that can be searched completely in about a second.

    The result is at most the larger of `limit` and LEAST_DEPTH.
    """
    n_thresholds = data.n_thresholds()
    n_rows: int | None = None  # distinct rows, counted only if necessary
    depth = LEAST_DEPTH
    while depth < limit:
        if depth > n_thresholds + 2:
            return limit  # more levels than thresholds create no new subproblems
        steps = _steps(n_thresholds, depth + 1)
        if steps * data.n_samples > MOST_WORK:
            n_rows = len(_distinct_rows(data)) if n_rows is None else n_rows
            if steps * n_rows > MOST_WORK:
                break
        depth += 1
    return depth


def _steps(n_thresholds: int, depth: int) -> int:
    """Estimate the steps per distinct row of a search of this depth.

    The order of splits does not matter, so the subproblems two levels above the leaves
    correspond to sets of up to depth - 2 thresholds. For each of them, rows are counted
    for every threshold.

    Examples
    --------
    >>> [_steps(50, depth) for depth in (1, 2, 3, 4)]
    [1, 50, 2550, 63800]
    """
    if depth < 2:
        return 1
    steps = 0
    for k in range(min(depth - 1, n_thresholds + 1)):
        steps += n_thresholds * math.comb(n_thresholds, k)
        if steps > MOST_WORK:
            break  # larger numbers are not needed, and would take minutes
    return steps


def _depth_for_all(shape: TreeShape, data: TrainingData, limit: int) -> int:
    """Return the largest depth for which searches at all nodes take about a second.

    Nodes that are closer to the depth limit than this are not searched separately.
    """
    place = shape.leaves_of_rows(_distinct_rows(data), is_checked=True)
    rows = np.bincount(place, minlength=shape.n_nodes).tolist()
    left = [limit] * len(rows)
    splits = np.flatnonzero(~shape.is_leaf)
    children = list(zip(shape.yes[splits], shape.no[splits], strict=True))
    for node, (yes, no) in zip(splits, children, strict=True):
        left[yes] = left[no] = left[node] - 1
    for node, (yes, no) in zip(splits[::-1], children[::-1], strict=True):
        rows[node] = rows[yes] + rows[no]  # children come after their parent
    n_thresholds = data.n_thresholds()
    depth = affordable_depth(data, limit)
    while depth > 1:
        searched = sum(n for n, room in zip(rows, left, strict=True) if room >= depth)
        if _steps(n_thresholds, depth) * searched <= MOST_WORK:
            break
        depth -= 1
    return depth


def _distinct_rows(data: TrainingData) -> npt.NDArray[np.float64]:
    order, starts = data.sorted_rows()
    return np.asarray(data.X[order[starts]])


def count_leaves(node: SplitNode | None) -> int:
    """Return the number of leaves of a nested tree."""
    return 1 if node is None else count_leaves(node.yes) + count_leaves(node.no)


def nest(shape: TreeShape, node: int = 0) -> SplitNode | None:
    """Return a tree of arrays as a nested tree."""
    if shape.feature[node] < 0:
        return None
    return SplitNode(
        int(shape.feature[node]),
        float(shape.threshold[node]),
        nest(shape, int(shape.yes[node])),
        nest(shape, int(shape.no[node])),
    )


def flatten(root: SplitNode | None) -> TreeShape:
    """Return a nested tree as arrays, each node before its children."""
    nodes: list[tuple[int, float, int, int]] = []

    def visit(node: SplitNode | None) -> int:
        place = len(nodes)
        nodes.append((-1, np.nan, -1, -1))
        if node is not None:
            yes, no = visit(node.yes), visit(node.no)
            nodes[place] = (node.feature, node.threshold, yes, no)
        return place

    visit(root)
    feature, threshold, yes, no = zip(*nodes, strict=True)
    return TreeShape(
        np.array(feature, dtype=np.int32),
        np.array(threshold, dtype=np.float64),
        np.array(yes, dtype=np.int32),
        np.array(no, dtype=np.int32),
    )
