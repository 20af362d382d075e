"""The problem and the tree, as plain values.

cost(tree) = scale * sum of weight * costs[label][predicted] + penalty * leaves,
all integers. A lone leaf is always legal; every leaf of a tree that splits holds at
least `min_samples_leaf` rows, whatever their weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Problem:
    rows: tuple[tuple[float, ...], ...]
    labels: tuple[int, ...]
    weights: tuple[int, ...]
    costs: tuple[tuple[int, ...], ...]
    scale: int = 1
    penalty: int = 0
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1

    @property
    def n_classes(self) -> int:
        return len(self.costs)

    @property
    def n_features(self) -> int:
        return len(self.rows[0])

    @property
    def all_rows(self) -> tuple[int, ...]:
        return tuple(range(len(self.rows)))


class Leaf(NamedTuple):
    label: int


class Split(NamedTuple):
    """Rows with `row[feature] <= threshold` go to `yes`, the others to `no`."""

    feature: int
    threshold: float
    yes: Leaf | Split
    no: Leaf | Split


def tree_leaves(tree: Leaf | Split) -> int:
    if isinstance(tree, Leaf):
        return 1
    return tree_leaves(tree.yes) + tree_leaves(tree.no)


def tree_depth(tree: Leaf | Split) -> int:
    if isinstance(tree, Leaf):
        return 0
    return 1 + max(tree_depth(tree.yes), tree_depth(tree.no))


def parts(problem, rows, feature, threshold):
    """The rows that answer yes, and those that answer no."""
    yes = tuple(i for i in rows if problem.rows[i][feature] <= threshold)
    no = tuple(i for i in rows if problem.rows[i][feature] > threshold)
    return yes, no


def splits(problem, rows):
    """Every legal way to part `rows`: (feature, threshold, yes rows, no rows)."""
    for feature in range(problem.n_features):
        values = sorted({problem.rows[i][feature] for i in rows})
        for threshold in values[:-1]:
            yes, no = parts(problem, rows, feature, threshold)
            if min(len(yes), len(no)) >= problem.min_samples_leaf:
                yield feature, threshold, yes, no
