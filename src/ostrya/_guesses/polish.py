"""Polish a guessed tree: replace subtrees by better small ones, proved best.

A guess prefers splits by a dearer problem, so the subtrees of its tree need not be the
best for the rows that reach them. Each node, children before parents, is offered the
best tree of some depth on its rows under the true costs; it is taken if it is cheaper.
The objective can only fall, so every guarantee of the guess holds on. The depth is the
largest at which all these searches together take a second or so, which thresholds and
rows decide; so nothing here is by chance or by the clock, unless the time runs out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.training_data import Problem
from ostrya._tree_shape import SHAPE, leaves_of_rows

Rows = npt.NDArray[np.intp]
# Steps, as `_steps` estimates them, that a search may take: a second or two on noise,
# much less where there is a pattern.
MOST_WORK = 6 * 10**8
LEAST_DEPTH = 2
# A nested tree: None for a leaf, else (feature, threshold, yes, no).
Nested = Any
# Search rows for a tree within a depth and below the cost of the one there, whose
# leaves are told too; None: there is none.
Search = Callable[[Rows, int, int, int], Mapping[str, Any] | None]
# Trees of more nodes than this are left as they are.
MOST_NODES = 1000


@dataclass(frozen=True)
class Polisher:
    """Offers nodes better subtrees."""

    problem: Problem
    grid: Grid
    search: Search
    depth: int

    def improve(self, node: Nested, rows: Rows, depth_left: int) -> Nested:
        """Return the subtree, or a cheaper one for these rows."""
        if node is not None and depth_left > self.depth:
            feature, threshold, yes, no = node
            is_yes = self.problem.X[rows, feature] <= threshold
            yes = self.improve(yes, rows[is_yes], depth_left - 1)
            no = self.improve(no, rows[~is_yes], depth_left - 1)
            node = (feature, threshold, yes, no)
        cost = self._cost(node, rows)
        if cost <= self.grid.penalty or depth_left == 0:
            return node
        depth = min(self.depth, depth_left)
        found = self.search(rows, depth, cost, count_leaves(node))
        return node if found is None else nest(found)

    def _cost(self, node: Nested, rows: Rows) -> int:
        """Return the true cost of a subtree, on the integer grid."""
        if node is None:
            masses = np.zeros(self.problem.n_classes, dtype=np.int64)
            np.add.at(masses, self.problem.codes[rows], self.grid.weights[rows])
            loss = int((masses @ self.grid.costs).min())
            return self.grid.scale * loss + self.grid.penalty
        feature, threshold, yes, no = node
        is_yes = self.problem.X[rows, feature] <= threshold
        return self._cost(yes, rows[is_yes]) + self._cost(no, rows[~is_yes])


def polish(
    shape: Mapping[str, Any],
    problem: Problem,
    grid: Grid,
    max_depth: int | None,
    search: Search,
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a tree that is no worse.

    Parameters
    ----------
    shape : mapping
        The arrays ``feature``, ``threshold``, ``yes`` and ``no`` of a tree.
    problem, grid : Problem, Grid
        The training rows, and the same in integers.
    max_depth : int or None
        The depth limit of the tree.
    search : callable
        Finds the best tree for some of the rows.
    """
    if len(shape["feature"]) > MOST_NODES:
        return {name: shape[name] for name in SHAPE}
    limit = problem.n_samples if max_depth is None else max_depth
    depth = min(_depth_for_all(shape, problem, limit), limit)
    polisher = Polisher(problem, grid, search, depth)
    every = np.arange(problem.n_samples)
    return flatten(polisher.improve(nest(shape), every, limit))


def affordable_depth(problem: Problem, limit: int) -> int:
    """Return the depth of trees that can be searched through in about a second.

    No depth beyond `limit` is looked at, or beyond LEAST_DEPTH if that is more.
    """
    n_thresholds = _count_thresholds(problem)
    n_rows: int | None = None  # sorted out only where it matters
    depth = LEAST_DEPTH
    while depth < limit:
        if depth > n_thresholds + 2:
            return limit  # no part of the rows is cut by more than all thresholds
        steps = _steps(n_thresholds, depth + 1)
        if steps * problem.n_samples > MOST_WORK:
            n_rows = len(_distinct_rows(problem)) if n_rows is None else n_rows
            if steps * n_rows > MOST_WORK:
                break
        depth += 1
    return depth


def _steps(n_thresholds: int, depth: int) -> int:
    """Return about how many steps a search of this depth takes for each row.

    Splits give the same parts of the rows in whatever order they are made, so that the
    parts two levels above the leaves come from sets of up to depth - 2 thresholds; and
    each part is counted for every threshold. Equal rows are one.

    Examples
    --------
    >>> [_steps(50, depth) for depth in (1, 2, 3, 4)]
    [1, 50, 2550, 63800]
    """
    if depth < 2:
        return 1
    return n_thresholds * sum(math.comb(n_thresholds, k) for k in range(depth - 1))


def _depth_for_all(shape: Mapping[str, Any], problem: Problem, limit: int) -> int:
    """Return the depth at which searching at every node takes about a second.

    Nodes that are nearer to the depth limit than this are not searched by themselves.
    """
    place = leaves_of_rows(shape, _distinct_rows(problem), is_checked=True)
    rows = np.bincount(place, minlength=len(shape["feature"])).tolist()
    left = [limit] * len(rows)
    for node, (yes, no) in enumerate(zip(shape["yes"], shape["no"], strict=True)):
        if yes >= 0:
            left[yes] = left[no] = left[node] - 1
    for node in range(len(rows) - 1, -1, -1):  # children come after their parent
        if shape["yes"][node] >= 0:
            rows[node] = rows[shape["yes"][node]] + rows[shape["no"][node]]
    n_thresholds = _count_thresholds(problem)
    depth = affordable_depth(problem, limit)
    while depth > 1:
        searched = sum(n for n, room in zip(rows, left, strict=True) if room >= depth)
        if _steps(n_thresholds, depth) * searched <= MOST_WORK:
            break
        depth -= 1
    return depth


def _distinct_rows(problem: Problem) -> npt.NDArray[np.float64]:
    order, starts = problem.sorted_rows()
    return problem.X[order[starts]]


def _count_thresholds(problem: Problem) -> int:
    return sum(len(np.unique(column)) - 1 for column in problem.X.T)


def count_leaves(node: Nested) -> int:
    """Return the leaves of a nested tree."""
    return 1 if node is None else count_leaves(node[2]) + count_leaves(node[3])


def nest(shape: Mapping[str, Any], node: int = 0) -> Nested:
    """Return the tree of these arrays, nested."""
    if shape["feature"][node] < 0:
        return None
    return (
        int(shape["feature"][node]),
        float(shape["threshold"][node]),
        nest(shape, int(shape["yes"][node])),
        nest(shape, int(shape["no"][node])),
    )


def flatten(root: Nested) -> dict[str, npt.NDArray[Any]]:
    """Return a nested tree as arrays, each node before its children."""
    nodes: list[list[Any]] = []

    def visit(node: Nested) -> int:
        place = len(nodes)
        nodes.append([-1, np.nan, -1, -1])
        if node is not None:
            nodes[place][:2] = node[:2]
            nodes[place][2] = visit(node[2])
            nodes[place][3] = visit(node[3])
        return place

    visit(root)
    feature, threshold, yes, no = zip(*nodes, strict=True)
    return {
        "feature": np.array(feature, dtype=np.int32),
        "threshold": np.array(threshold, dtype=np.float64),
        "yes": np.array(yes, dtype=np.int32),
        "no": np.array(no, dtype=np.int32),
    }
