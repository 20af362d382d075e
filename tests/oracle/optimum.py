"""The optimum by trying every split of every reachable set of rows.

best(rows, depth, leaves) is the better of one leaf and, over all splits and all ways
to share out the leaves, the best of both parts. No bound cuts anything off; a memo
keeps equal questions from being asked twice. Ties go to fewer leaves.
"""

from __future__ import annotations

from typing import NamedTuple

from oracle.costs import label_losses
from oracle.problem import Leaf, Problem, Split, splits


class Best(NamedTuple):
    cost: int
    leaves: int
    tree: Leaf | Split


class Oracle:
    """Answers questions about one problem. None means no limit."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._best: dict[tuple, Best] = {}
        self._splits: dict[tuple, list] = {}

    def best(self, rows, depth=None, leaves=None) -> Best:
        """The best tree for `rows` of at most this depth and this many leaves."""
        # A tree on n rows has at most n leaves, and at most n - 1 levels of splits.
        if depth is not None and depth >= len(rows) - 1:
            depth = None
        if leaves is not None and leaves >= len(rows):
            leaves = None
        key = rows, depth, leaves
        if key not in self._best:
            leaf = self.leaf(rows)
            split = self.best_split(rows, depth, leaves)
            self._best[key] = leaf if split is None else min(leaf, split, key=_rank)
        return self._best[key]

    def leaf(self, rows) -> Best:
        losses = label_losses(self.problem, rows)
        label = losses.index(min(losses))
        return Best(losses[label] + self.problem.penalty, 1, Leaf(label))

    def best_split(self, rows, depth=None, leaves=None) -> Best | None:
        """The best tree that splits `rows`, or None when none may."""
        if depth == 0:
            return None
        below = None if depth is None else depth - 1
        shares = _shares(leaves)
        trees = (
            _join(split, self.best(yes, below, a), self.best(no, below, b))
            for *split, yes, no in self.splits(rows)
            for a, b in shares
        )
        return min(trees, key=_rank, default=None)

    def splits(self, rows):
        if rows not in self._splits:
            self._splits[rows] = list(splits(self.problem, rows))
        return self._splits[rows]


def _join(split, yes, no) -> Best:
    tree = Split(*split, yes.tree, no.tree)
    return Best(yes.cost + no.cost, yes.leaves + no.leaves, tree)


def _rank(best):
    return best.cost, best.leaves


def _shares(leaves):
    """Every way to share out `leaves` between two parts."""
    if leaves is None:
        return [(None, None)]
    return [(a, leaves - a) for a in range(1, leaves)]


def optimum(problem: Problem) -> Best:
    """The best tree of the whole problem, within all its limits."""
    oracle = Oracle(problem)
    return oracle.best(problem.all_rows, problem.max_depth, problem.max_leaf_nodes)
