"""GOSDT's Algorithms 1 to 6 in plain Python, to compare schedules.

J. Lin, C. Zhong, D. Hu, C. Rudin and M. Seltzer, "Generalized and scalable optimal
sparse decision trees", ICML 2020, section 4 and appendix H. Written from the pseudocode
for yes/no columns and two classes; it is slow, and nothing but a reference.

Two lines of the printed Algorithm 1 cannot be meant literally. Lines 12 to 22 replace
the bounds of a problem by those of its best split, which would forget that it can be a
leaf; here the leaf stays an upper bound. And equal bounds of two children do not stop
line 34 from queueing problems that are solved; here they are not queued.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from typing import Protocol

import numpy as np

Support = int  # bit u is set if distinct row u belongs to the problem


@dataclass
class Node:
    """A problem of the dependency graph: its bounds, and who depends on it."""

    lower: int
    upper: int
    is_expanded: bool = False
    parents: set[Support] = field(default_factory=set)


@dataclass
class Counts:
    """What a search did."""

    pops: int = 0
    problems: int = 0
    updates: int = 0


class Queue(Protocol):
    """Where problems wait."""

    def push(self, support: Support, *, is_signal: bool) -> None:
        """Add a problem; a signal tells a parent that a bound moved."""

    def pop(self) -> Support:
        """Take the next problem."""


class PriorityQueue:
    """The paper's queue: signals to parents first, then children as they came."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Support]] = []
        self._waiting: set[tuple[int, Support]] = set()
        self._n = 0

    def push(self, support: Support, *, is_signal: bool) -> None:
        """Add a problem once per priority."""
        priority = 0 if is_signal else 1
        if (priority, support) not in self._waiting:
            self._waiting.add((priority, support))
            self._n += 1
            heappush(self._heap, (priority, self._n, support))

    def pop(self) -> Support:
        """Take the oldest signal, or else the oldest child."""
        priority, _, support = heappop(self._heap)
        self._waiting.discard((priority, support))
        return support


class FirstInFirstOut:
    """No priorities: signals wait behind children."""

    def __init__(self) -> None:
        self._queue: deque[Support] = deque()
        self._waiting: set[Support] = set()

    def push(self, support: Support, *, is_signal: bool) -> None:
        """Add a problem to the end, unless it waits already."""
        if support not in self._waiting:
            self._waiting.add(support)
            self._queue.append(support)

    def pop(self) -> Support:
        """Take the problem that waited longest."""
        support = self._queue.popleft()
        self._waiting.discard(support)
        return support


class LastInFirstOut:
    """Depth first: the newest problem goes first, parents return after children."""

    def __init__(self) -> None:
        self._stack: list[Support] = []

    def push(self, support: Support, *, is_signal: bool) -> None:
        """Put a signal below everything new, and a child on top."""
        self._stack.append(support)

    def pop(self) -> Support:
        """Take the newest problem."""
        return self._stack.pop()


SCHEDULES: dict[str, Callable[[], Queue]] = {
    "signals first (paper)": PriorityQueue,
    "first in, first out": FirstInFirstOut,
    "last in, first out": LastInFirstOut,
}


class Gosdt:
    """One search; `objective` holds the optimum after `run`."""

    def __init__(self, X: np.ndarray, y: np.ndarray, penalty: Fraction) -> None:
        distinct, group = np.unique(X.astype(bool), axis=0, return_inverse=True)
        group = group.ravel()
        self._n_rows = len(y)
        # Costs are errors times `_unit` plus leaves times `_leaf`, in integers.
        per_leaf = penalty * self._n_rows
        self._unit, self._leaf = per_leaf.denominator, per_leaf.numerator
        ones = np.bincount(group, weights=y == 1, minlength=len(distinct)).astype(int)
        zeros = np.bincount(group, weights=y != 1, minlength=len(distinct)).astype(int)
        self._ones, self._zeros = ones.tolist(), zeros.tolist()
        self._all: Support = (1 << len(distinct)) - 1
        self._yes: list[Support] = [
            sum(1 << int(u) for u in np.flatnonzero(column)) for column in distinct.T
        ]
        self._graph: dict[Support, Node] = {}
        self.counts = Counts()

    @property
    def objective(self) -> float:
        """The objective of the root: error plus penalty per leaf."""
        return self._graph[self._all].upper / self._unit / self._n_rows

    def run(self, queue: Queue, most_pops: int | None = None) -> bool:
        """Search until the root's bounds meet; False if `most_pops` come first."""
        root = self._node(self._all)
        queue.push(self._all, is_signal=False)
        while root.lower != root.upper:
            if self.counts.pops == most_pops:
                return False
            support = queue.pop()
            self.counts.pops += 1
            node = self._node(support)
            if node.lower == node.upper:
                continue
            pairs = self._children(support)
            if not node.is_expanded:
                node.is_expanded = True
                for pair in pairs:
                    for child in pair:
                        self._node(child).parents.add(support)
            if self._update(node, pairs):
                self.counts.updates += 1
                for parent in sorted(node.parents):
                    queue.push(parent, is_signal=True)
            if node.lower >= node.upper:
                continue
            for pair in pairs:
                children = [self._node(child) for child in pair]
                lower = sum(child.lower for child in children)
                if lower < node.upper:
                    for child, own in zip(pair, children, strict=True):
                        if own.lower < own.upper and not own.is_expanded:
                            queue.push(child, is_signal=False)
        return True

    def _update(self, node: Node, pairs: list[tuple[Support, Support]]) -> bool:
        """Take the bounds of the best split (lines 12 to 22); True if one moved."""
        lower = upper = node.upper
        for left, right in pairs:
            one, other = self._graph[left], self._graph[right]
            lower = min(lower, one.lower + other.lower)
            upper = min(upper, one.upper + other.upper)
        lower = max(node.lower, min(lower, upper))
        moved = (lower, upper) != (node.lower, node.upper)
        node.lower, node.upper = lower, upper
        return moved

    def _children(self, support: Support) -> list[tuple[Support, Support]]:
        """Return the parts of every split that has rows on both sides (Algorithm 5)."""
        pairs = ((support & ~yes, support & yes) for yes in self._yes)
        return [(left, right) for left, right in pairs if left and right]

    def _node(self, support: Support) -> Node:
        """Find or create a problem; bounds by Algorithms 2 and 3, closed by 4."""
        node = self._graph.get(support)
        if node is None:
            places = [u for u in range(len(self._ones)) if support >> u & 1]
            ones = sum(self._ones[u] for u in places)
            zeros = sum(self._zeros[u] for u in places)
            least = sum(min(self._ones[u], self._zeros[u]) for u in places)
            lower = self._leaf + self._unit * least
            upper = self._leaf + self._unit * min(ones, zeros)
            # A split adds a leaf: with at most one penalty between the bounds, or an
            # upper bound of two, none of them pays.
            if upper - lower <= self._leaf or upper <= 2 * self._leaf:
                lower = upper
            node = self._graph[support] = Node(lower, upper)
            self.counts.problems += 1
        return node

    def tree(self, support: Support | None = None) -> tuple[int, ...] | tuple:
        """Return the optimal tree (Algorithm 6): `(label,)` or (feature, no, yes)."""
        support = self._all if support is None else support
        node = self._graph[support]
        ones = sum(n for u, n in enumerate(self._ones) if support >> u & 1)
        zeros = sum(n for u, n in enumerate(self._zeros) if support >> u & 1)
        if node.upper == self._leaf + self._unit * min(ones, zeros):
            return (int(ones > zeros),)
        for feature, yes in enumerate(self._yes):
            left, right = support & ~yes, support & yes
            if left in self._graph and right in self._graph:
                total = self._graph[left].upper + self._graph[right].upper
                if total == node.upper:
                    return (feature, self.tree(left), self.tree(right))
        raise RuntimeError("The search must be complete before its tree is read.")
