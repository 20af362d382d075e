"""All trees within a threshold, by writing every one of them down.

No bound cuts anything off but that no subtree costs less than nothing. A question is a
feature and one of the thresholds between two values of all rows; questions that part
all rows alike are one, of which the first is kept.
"""

from __future__ import annotations

from itertools import pairwise

from oracle.costs import label_losses
from oracle.problem import Leaf, Problem, Split, parts


class AllTrees:
    """Lists the trees of one problem. None means no limit."""

    def __init__(self, problem: Problem, equal_siblings: bool = True) -> None:
        self.problem = problem
        self.equal_siblings = equal_siblings
        self.questions = list(distinct_questions(problem))
        self._listed: dict[tuple, list] = {}

    def up_to(self, most: int) -> list[tuple]:
        """Return ``(cost, leaves, tree)`` of each tree that costs at most `most`.

        They stand in the order that the package documents.
        """
        problem = self.problem
        rows = problem.all_rows
        found = self._trees(rows, problem.max_depth, most)
        if problem.max_leaf_nodes is not None:
            found = [each for each in found if each[1] <= problem.max_leaf_nodes]
        return sorted(found, key=lambda each: (each[0], *self._key(each[2], rows)))

    def _trees(self, rows, depth, most):
        key = rows, depth, most
        if key not in self._listed:
            self._listed[key] = list(self._write(rows, depth, most))
        return self._listed[key]

    def _write(self, rows, depth, most):
        losses = label_losses(self.problem, rows)
        cost = min(losses) + self.problem.penalty
        if cost <= most:
            yield cost, 1, Leaf(losses.index(min(losses)))
        if depth == 0:
            return
        below = None if depth is None else depth - 1
        for feature, threshold in self.questions:
            yes, no = parts(self.problem, rows, feature, threshold)
            if min(len(yes), len(no)) < self.problem.min_samples_leaf:
                continue
            for left in self._trees(yes, below, most):
                for right in self._trees(no, below, most - left[0]):
                    if not self.equal_siblings and are_equal_leaves(left[2], right[2]):
                        continue
                    tree = Split(feature, threshold, left[2], right[2])
                    yield left[0] + right[0], left[1] + right[1], tree

    def _key(self, tree, rows):
        """Return leaves, loss, and then what tells trees apart that agree in both."""
        if isinstance(tree, Leaf):
            return 1, min(label_losses(self.problem, rows)), ()
        yes, no = parts(self.problem, rows, tree.feature, tree.threshold)
        left, right = self._key(tree.yes, yes), self._key(tree.no, no)
        shape = tree.feature, tree.threshold, left, right
        return left[0] + right[0], left[1] + right[1], shape


def are_equal_leaves(yes, no):
    return isinstance(yes, Leaf) and yes == no


def distinct_questions(problem):
    """Yield each question, a threshold being half-way between two values."""
    seen = set()
    for feature in range(problem.n_features):
        values = sorted({row[feature] for row in problem.rows})
        for low, high in pairwise(values):
            threshold = (low + high) / 2
            yes, no = parts(problem, problem.all_rows, feature, threshold)
            if yes in seen or no in seen:
                continue
            seen.add(yes)
            yield feature, threshold
