"""Subproblem: the known bounds and the open splits of the rows below a path."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ostrya._cluster.task import Path, SharedProblem, Step, Stretch, rows_below
from ostrya._solve.limits import Limits
from ostrya._solve.root_part import Flags, SplitBounds, SplitTable
from ostrya._solve.search import SearchResult
from ostrya._tree_shape import TreeShape

Places = npt.NDArray[np.intp]


@dataclass(eq=False)
class Splits:
    """The splits of an opened subproblem, with the state of the tasks on them."""

    table: SplitTable
    is_busy: Flags  # a task is working on the split
    is_parted: Flags  # its children are separate subproblems
    tries: npt.NDArray[np.int64]  # number of tasks on it that ran out of time
    last: npt.NDArray[np.int64]  # the worker of the last of these tasks, or -1

    @classmethod
    def of(cls, table: SplitTable) -> Splits:
        """Return splits without running tasks."""
        n = len(table.feature)
        off = np.zeros(n, dtype=bool)
        return cls(
            table, off, off.copy(), np.zeros(n, np.int64), np.full(n, -1, np.int64)
        )

    @property
    def lowers(self) -> npt.NDArray[np.int64]:
        """A lower bound for trees with each split at the root."""
        return self.table.bounds.rest + self.table.base


class Subproblem:
    """The rows below a path, with the best tree, bounds, splits and children.

    Lower bounds only rise and upper bounds only fall; both are passed to the parent.
    The subproblem was opened to find trees that cost less than `ceiling`. Other trees
    are not covered, so no lower bound exceeds it.
    """

    def __init__(
        self,
        problem: SharedProblem,
        path: Path,
        limits: Limits,
        parent: tuple[Subproblem, int] | None = None,
    ) -> None:
        self.problem = problem
        self.path = path
        self.limits = limits
        self.parent = parent
        grid = problem.grid
        rows = rows_below(problem.data, path)
        masses = np.zeros(len(grid.costs), dtype=np.int64)
        np.add.at(masses, problem.data.codes[rows], grid.weights[rows])
        self.n_rows = int(rows.sum())
        self.leaf = grid.scale * int((masses @ grid.costs).min()) + grid.penalty
        self.lower, self.upper = 0, self.leaf
        self.shape = TreeShape.single_leaf()
        self.ceiling: int | None = None
        self.splits: Splits | None = None
        self.is_busy = False  # a task is opening it
        self.tries = 0  # number of tasks that ran out of time while opening it
        self.children: dict[int, tuple[Subproblem, Subproblem]] = {}  # no, yes

    def is_settled(self, cap: int) -> bool:
        """Return True if no tree can cost less than `cap` and the best tree."""
        return self.lower >= min(cap, self.upper)

    def learn(self, found: SearchResult) -> None:
        """Add the result of a task; the task that opens it also sets `ceiling`."""
        if found.upper < self.upper:
            self.upper, self.shape = found.upper, found.shape
        table = found.splits
        if self.splits is None:
            self.lower = max(self.lower, min(found.lower, self.upper))
            if table is not None:
                self.splits = Splits.of(table)
        elif table is not None:
            for mine, theirs in zip(
                self.splits.table.bounds, table.bounds, strict=True
            ):
                np.maximum(mine, theirs, out=mine)
        self._refresh()

    def _refresh(self) -> None:
        if self.splits is not None:
            lower = min(int(self.splits.lowers.min(initial=2**62)), self.upper)
            if self.ceiling is not None:
                lower = min(lower, self.ceiling)
            self.lower = max(self.lower, lower)
        if self.parent is None:
            return
        if self.lower >= self.upper:
            self.splits, self.children = None, {}
        self.parent[0].hear_of(self.parent[1])

    def part(self, split: int) -> None:
        """Turn the children of a split into separate subproblems."""
        assert self.splits is not None
        table = self.splits.table
        depth = self.limits.max_depth
        limits = replace(self.limits, max_depth=None if depth is None else depth - 1)
        feature, cut = int(table.feature[split]), float(table.cut[split])
        no, yes = (
            Subproblem(
                self.problem,
                (*self.path, Step(feature, cut, is_yes)),
                limits,
                (self, split),
            )
            for is_yes in (False, True)
        )
        no.lower = int(table.bounds.no[split]) + self._base(no, split, is_yes=False)
        yes.lower = int(table.bounds.yes[split]) + self._base(yes, split, is_yes=True)
        for child in (no, yes):
            if child.limits.max_depth == 0:
                child.lower = child.upper
        self.children[split] = no, yes
        self.splits.is_parted[split] = True

    def _base(self, child: Subproblem, split: int, *, is_yes: bool) -> int:
        """Return the constant that the bounds of one side of a split omit."""
        assert self.splits is not None
        table = self.splits.table
        return child.leaf - int((table.yes_leaf if is_yes else table.no_leaf)[split])

    def hear_of(self, split: int) -> None:
        """Update bounds and tree from the children of a split."""
        if self.splits is None or split not in self.children:
            return
        no, yes = self.children[split]
        if no.upper + yes.upper < self.upper:
            self.upper = no.upper + yes.upper
            self.shape = self._joined(split, yes.shape, no.shape)
        bounds = self.splits.table.bounds
        for side, child in ((bounds.no, no), (bounds.yes, yes)):
            base = self._base(child, split, is_yes=child is yes)
            side[split] = max(side[split], child.lower - base)
        rest = no.lower + yes.lower - self.splits.table.base
        bounds.rest[split] = max(bounds.rest[split], rest)
        self._refresh()

    def _joined(self, split: int, yes: TreeShape, no: TreeShape) -> TreeShape:
        """Return the tree of both children, with the threshold between two values."""
        assert self.splits is not None
        feature = int(self.splits.table.feature[split])
        cut = float(self.splits.table.cut[split])
        values = self.problem.data.X[rows_below(self.problem.data, self.path), feature]
        above = float(values[values > cut].min())
        middle = cut / 2 + above / 2
        threshold = middle if cut <= middle < above else cut
        return TreeShape(
            np.concatenate([[np.int32(feature)], yes.feature, no.feature]),
            np.concatenate([[threshold], yes.threshold, no.threshold]),
            np.concatenate(
                [[np.int32(1)], _moved(yes.yes, 1), _moved(no.yes, 1 + yes.n_nodes)]
            ),
            np.concatenate(
                [
                    [np.int32(1 + yes.n_nodes)],
                    _moved(yes.no, 1),
                    _moved(no.no, 1 + yes.n_nodes),
                ]
            ),
        )

    def stretch(self, places: Places) -> Stretch:
        """Return some splits in the form sent to a task."""
        assert self.splits is not None
        bounds = SplitBounds(*(each.copy() for each in self.splits.table.bounds))
        return Stretch(places, bounds)


def _moved(places: npt.NDArray[np.int32], by: int) -> npt.NDArray[np.int32]:
    moved: npt.NDArray[np.int32] = np.where(places < 0, -1, places + by).astype(
        np.int32
    )
    return moved
