"""Section G: what bit vectors and incremental computation save.

The engine cannot do without either, so a small search over sets of leaves in Python is
run in four forms, with and without both. All forms look at the same trees in the same
order; only how the rows and the numbers of a leaf are found differs. The saving is that
of interpreted code, on the first trees of a search.

- With bit vectors, the rows of a leaf are an integer, and a child is one AND. Without,
  they are a list, which is filtered row by row.
- Incrementally, a leaf keeps its rows and counts, and a tree takes over the sums of its
  parent. Otherwise every leaf of every tree is found anew from its conditions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from benchmarks.osdt.runs import PENALTY, compas
from benchmarks.papers.kept import place, write_table

Conditions = tuple[tuple[int, bool], ...]  # column and answer, in order of the path
#: With and without bit vectors, with and without incremental computation.
FORMS = ((True, True), (True, False), (False, True), (False, False))
COLUMNS = (
    *(
        "bit_vectors",
        "incremental",
        "trees",
        "best",
        "seconds",
        "microseconds_per_tree",
    ),
    "time_saved",
)


class Leaf(NamedTuple):
    """A leaf: its path, its rows, its errors, and those that no tree avoids."""

    conditions: Conditions
    rows: Any
    errors: int
    unavoidable: int


class Tree(NamedTuple):
    """A tree: leaves that stay, leaves that may be split, and sums over them."""

    fixed: tuple[Leaf, ...]
    open: tuple[Leaf, ...]
    fixed_errors: int
    open_errors: int
    open_unavoidable: int


@dataclass
class Search:
    """The search of OSDT over sets of leaves, one split at a time.

    A tree fixes its first open leaf, or splits it by a column. It is closed if its
    fixed errors, the unavoidable ones of its open leaves and the penalties reach the
    best objective (Theorem 3.1, Lemma 3.2, Proposition B.1).
    """

    X: np.ndarray
    y: np.ndarray
    penalty: Fraction
    has_bit_vectors: bool
    is_incremental: bool

    def __post_init__(self) -> None:
        self.n_rows, self.n_columns = self.X.shape
        answers = self.X.astype(bool)
        labels = self.y.astype(bool)
        minority = np.zeros(self.n_rows, dtype=bool)
        _, group = np.unique(self.X, axis=0, return_inverse=True)
        for each in range(group.max() + 1):
            own = np.flatnonzero(group.ravel() == each)
            wrong = own[labels[own] != (2 * labels[own].sum() >= len(own))]
            minority[wrong] = True
        if self.has_bit_vectors:
            self.columns: list[Any] = [_bits(column) for column in answers.T]
            self.labels, self.minority = _bits(labels), _bits(minority)
            self.every: Any = (1 << self.n_rows) - 1
        else:
            self.columns = [column.tolist() for column in answers.T]
            self.labels, self.minority = labels.tolist(), minority.tolist()
            self.every = list(range(self.n_rows))
        # Costs in units that make a penalty whole.
        self.per_error = self.penalty.denominator
        self.per_leaf = self.penalty.numerator * self.n_rows

    def run(self, most_trees: int | None = None) -> tuple[int, Fraction]:
        """Return the number of trees, and the best objective among them."""
        root = self.leaf((), None)
        tree = self.sums((), (root,))
        best = self.cost(tree)
        order = count()
        queue = [(self.bound(tree), next(order), tree)]
        n_trees = 1
        while queue:
            _, _, parent = heappop(queue)
            for child in self.children(parent):
                n_trees += 1
                best = min(best, self.cost(child))
                if child.open and self.bound(child) + self.per_leaf < best:
                    heappush(queue, (self.bound(child), next(order), child))
                if n_trees == most_trees:
                    return n_trees, self.objective(best)
        return n_trees, self.objective(best)

    def children(self, parent: Tree) -> Any:
        """Yield the tree with the first open leaf fixed, and those that split it."""
        first, *rest = parent.open
        yield self.changed(parent, (*parent.fixed, first), tuple(rest), first, ())
        used = {column for column, _ in first.conditions}
        for column in range(self.n_columns):
            if column not in used:
                pair = tuple(
                    self.leaf((*first.conditions, (column, answer)), first)
                    for answer in (True, False)
                )
                leaves = (*rest, *pair)
                yield self.changed(parent, parent.fixed, leaves, first, pair)

    def changed(
        self,
        parent: Tree,
        fixed: tuple[Leaf, ...],
        leaves: tuple[Leaf, ...],
        gone: Leaf,
        new: tuple[Leaf, ...],
    ) -> Tree:
        """Return a child: from the sums of its parent, or from nothing."""
        if not self.is_incremental:
            return self.sums(
                tuple(self.leaf(each.conditions, None) for each in fixed),
                tuple(self.leaf(each.conditions, None) for each in leaves),
            )
        return Tree(
            fixed,
            leaves,
            parent.fixed_errors + (0 if new else gone.errors),
            parent.open_errors - gone.errors + sum(each.errors for each in new),
            parent.open_unavoidable
            - gone.unavoidable
            + sum(each.unavoidable for each in new),
        )

    def sums(self, fixed: tuple[Leaf, ...], leaves: tuple[Leaf, ...]) -> Tree:
        """Return a tree with sums over all its leaves."""
        return Tree(
            fixed,
            leaves,
            sum(each.errors for each in fixed),
            sum(each.errors for each in leaves),
            sum(each.unavoidable for each in leaves),
        )

    def leaf(self, conditions: Conditions, parent: Leaf | None) -> Leaf:
        """Return a leaf: from the rows of its parent, or from all rows."""
        rows, rest = self.every, conditions
        if parent is not None and self.is_incremental:
            rows, rest = parent.rows, conditions[-1:]
        for column, answer in rest:
            rows = self.part(rows, column, answer)
        if self.has_bit_vectors:
            n, positive = rows.bit_count(), (rows & self.labels).bit_count()
            unavoidable = (rows & self.minority).bit_count()
        else:
            n, positive = len(rows), sum(self.labels[row] for row in rows)
            unavoidable = sum(self.minority[row] for row in rows)
        return Leaf(conditions, rows, min(positive, n - positive), unavoidable)

    def part(self, rows: Any, column: int, answer: bool) -> Any:
        """Return the rows with an answer."""
        values = self.columns[column]
        if self.has_bit_vectors:
            return rows & values if answer else rows & ~values
        return [row for row in rows if values[row] == answer]

    def cost(self, tree: Tree) -> int:
        """Return the cost of a tree as it is."""
        errors = tree.fixed_errors + tree.open_errors
        return errors * self.per_error + self.n_leaves(tree) * self.per_leaf

    def bound(self, tree: Tree) -> int:
        """Return what no descendant of a tree undercuts."""
        errors = tree.fixed_errors + tree.open_unavoidable
        return errors * self.per_error + self.n_leaves(tree) * self.per_leaf

    def n_leaves(self, tree: Tree) -> int:
        """Return the number of leaves."""
        return len(tree.fixed) + len(tree.open)

    def objective(self, cost: int) -> Fraction:
        """Return a cost as error plus penalties."""
        return Fraction(cost, self.n_rows * self.per_error)


def report(most_trees: int) -> str:
    """Run all four forms, write the table, and return it."""
    X, y, _ = compas()
    penalty = Fraction(str(PENALTY))
    rows: list[dict[str, Any]] = []
    for has_bit_vectors, is_incremental in FORMS:
        search = Search(X, y, penalty, has_bit_vectors, is_incremental)
        start = time.process_time()
        n_trees, best = search.run(most_trees)
        seconds = time.process_time() - start
        rows.append(
            {"bit_vectors": has_bit_vectors, "incremental": is_incremental}
            | {"trees": n_trees, "best": float(best), "seconds": seconds}
            | {"microseconds_per_tree": 1e6 * seconds / n_trees}
        )
    slowest = rows[-1]["seconds"]
    for row in rows:
        row["time_saved"] = 1 - row["seconds"] / slowest
    path = write_table(
        place("osdt", "incremental.csv"),
        COLUMNS,
        rows,
        f"osdt incremental --trees {most_trees}",
        "processor seconds of interpreted code, for the first trees of each search",
    )
    lines = ["| bit vectors | incremental | trees | s | us per tree | time saved |"]
    lines.append("|---|---|" + "---:|" * 4)
    lines += [
        f"| {r['bit_vectors']} | {r['incremental']} | {r['trees']:,} | "
        f"{r['seconds']:.3g} | {r['microseconds_per_tree']:.3g} | "
        f"{r['time_saved']:.1%} |"
        for r in rows
    ]
    return "\n".join([*lines, f"written: {path}"])


def _bits(rows: np.ndarray) -> int:
    packed = np.packbits(rows, bitorder="little")
    return int.from_bytes(packed.tobytes(), "little")
