"""The mixed-integer program of regularised BinOCT, for yes/no columns.

Equations (25) and (26) in appendix J of Hu, Rudin and Seltzer, NeurIPS 2019, on top of
S. Verwer and Y. Zhang, "Learning optimal classification trees using a binary linear
program formulation", AAAI 2019. A yes/no column has one threshold, so the variables
that choose among thresholds, and the constraint on values outside them, disappear.

Two details differ from the print. The penalty in (25) is added to a number of errors,
so it is the penalty of OSDT times the number of rows here. And rows that are 0 go to
the left: the printed pair of constraints would send both halves to the same side.

A leaf above the last level is a node that repeats a column asked above it, so that one
side stays empty. The root cannot do so: the program has no tree of a single leaf,
unless a column never changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Program:
    """Minimise `cost @ v` with `lower <= A v <= upper`, `0 <= v <= top`.

    `A` is stored by columns: `starts`, `places` (rows of A), `values`. The variables
    are, in this order: feature per node, class per leaf, leaf in use, errors per leaf
    and class, row in leaf.
    """

    depth: int
    n_features: int
    n_classes: int
    n_rows: int
    cost: Floats
    top: Floats
    is_integer: npt.NDArray[np.bool_]
    lower: Floats
    upper: Floats
    starts: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    values: Floats

    @property
    def n_nodes(self) -> int:
        """Inner nodes of the complete tree."""
        return 2**self.depth - 1

    @property
    def n_leaves(self) -> int:
        """Leaves of the complete tree."""
        return 2**self.depth

    def tree(self, solution: Floats) -> tuple[npt.NDArray[np.int64], ...]:
        """Return the feature of each node and the class of each leaf."""
        split = self.n_nodes * self.n_features
        features = solution[:split].reshape(self.n_nodes, -1).argmax(axis=1)
        end = split + self.n_leaves * self.n_classes
        classes = solution[split:end].reshape(self.n_leaves, -1).argmax(axis=1)
        return features, classes


def program(
    X: npt.NDArray[np.bool_], y: npt.NDArray[np.int64], depth: int, penalty: float
) -> Program:
    """Return the program of a table of yes/no columns."""
    n_rows, n_features = X.shape
    n_classes = int(y.max()) + 1
    n_nodes, n_leaves = 2**depth - 1, 2**depth
    sizes = (n_nodes * n_features, n_leaves * n_classes, n_leaves,
             n_leaves * n_classes, n_rows * n_leaves)  # fmt: skip
    offset = np.concatenate([[0], np.cumsum(sizes)])
    feature = np.arange(offset[0], offset[1]).reshape(n_nodes, n_features)
    label = np.arange(offset[1], offset[2]).reshape(n_leaves, n_classes)
    used = np.arange(offset[2], offset[3])
    errors = np.arange(offset[3], offset[4]).reshape(n_leaves, n_classes)
    reaches = np.arange(offset[4], offset[5]).reshape(n_rows, n_leaves)
    made = _Constraints()
    for node in range(n_nodes):
        made.add(feature[node], 1.0, 1.0, 1.0)
    for row in range(n_rows):
        made.add(reaches[row], 1.0, 1.0, 1.0)
    for leaf in range(n_leaves):
        made.add(label[leaf], 1.0, 1.0, 1.0)
    for node in range(n_nodes):
        left, right = leaves_below(node, depth)
        for column in range(n_features):
            for rows, leaves in (
                (np.flatnonzero(~X[:, column]), right),
                (np.flatnonzero(X[:, column]), left),
            ):
                # If the node asks this column, none of the rows goes the other way.
                variables = reaches[np.ix_(rows, leaves)].ravel()
                made.add(
                    np.append(variables, feature[node, column]),
                    np.append(np.ones(variables.size), float(rows.size)),
                    -np.inf,
                    float(rows.size),
                )
    for leaf in range(n_leaves):
        for c in range(n_classes):
            rows = np.flatnonzero(y == c)
            others = label[leaf, [c]], errors[leaf, [c]]
            made.add(
                np.concatenate([reaches[rows, leaf], *others]),
                np.concatenate([np.ones(rows.size), [-float(rows.size), -1.0]]),
                -np.inf,
                0.0,
            )
        made.add(
            np.append(reaches[:, leaf], used[leaf]),
            np.append(np.ones(n_rows), -float(n_rows)),
            -np.inf,
            0.0,
        )
    n_variables = int(offset[-1])
    cost, top = np.zeros(n_variables), np.ones(n_variables)
    cost[errors] = 1.0
    cost[used] = penalty * n_rows
    top[errors] = np.inf
    is_integer = np.zeros(n_variables, dtype=bool)
    is_integer[: offset[3]] = True
    return Program(
        *(depth, n_features, n_classes, n_rows, cost, top, is_integer),
        *made.stored(n_variables),
    )


def leaves_below(node: int, depth: int) -> tuple[range, range]:
    """Return the leaves to the left and to the right of a node.

    Nodes are numbered by levels from the root; the children of n are 2n + 1 and 2n + 2.
    """
    level = (node + 1).bit_length() - 1
    width = 2 ** (depth - level)
    first = (node + 1 - 2**level) * width
    middle = first + width // 2
    return range(first, middle), range(middle, first + width)


def leaf_of(X: npt.NDArray[np.bool_], features: npt.NDArray[np.int64], depth: int):
    """Return the leaf that each row reaches."""
    node = np.zeros(len(X), dtype=np.int64)
    for _ in range(depth):
        goes_right = X[np.arange(len(X)), features[node]]
        node = 2 * node + 1 + goes_right
    return node - (2**depth - 1)


class _Constraints:
    """Rows of the matrix, collected one by one."""

    def __init__(self) -> None:
        self._variables: list[npt.NDArray[np.int64]] = []
        self._values: list[Floats] = []
        self._lower: list[float] = []
        self._upper: list[float] = []

    def add(
        self,
        variables: npt.NDArray[np.int64],
        values: Floats | float,
        lower: float,
        upper: float,
    ) -> None:
        self._variables.append(variables)
        self._values.append(np.broadcast_to(values, variables.shape).astype(float))
        self._lower.append(lower)
        self._upper.append(upper)

    def stored(self, n_variables: int):
        """Return the sides, and the matrix by columns."""
        sizes = [len(each) for each in self._variables]
        rows = np.repeat(np.arange(len(sizes)), sizes)
        columns = np.concatenate(self._variables)
        values = np.concatenate(self._values)
        order = np.lexsort((rows, columns))
        counts = np.bincount(columns, minlength=n_variables)
        starts = np.concatenate([[0], np.cumsum(counts)])
        sides = np.array(self._lower), np.array(self._upper)
        return *sides, starts, rows[order], values[order]
