"""Count a tree again from the training rows, apart from the engine that found it.

Rows are routed by compiled code, but by none that a search uses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.measure_grid import MeasureGrid, plain_number
from ostrya._solve.measures import Measure, Monotone
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import RowRouter, TreeShape
from ostrya.tree import Tree

Leaves = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Recount:
    """A tree with what was counted of it."""

    tree: Tree
    loss: float
    cost: int  # on the integer grid, penalties included
    exact_loss: Fraction  # the loss before it became a float, if it was one


def recount(
    shape: TreeShape,
    data: TrainingData,
    grid: Grid,
    leaves: Leaves | None = None,
    labels: npt.NDArray[np.int32] | None = None,
) -> Recount:
    """Route the rows through the tree of this shape, label it, and add up its cost.

    Labels are those of least integer loss; ties go to the smallest class code. Where
    the grid had to round, they are those of least loss in the caller's numbers.
    `labels` are those of the leaves, where constraints may demand others. `leaves` are
    those that the rows reach, where they are known.
    """
    counted = _count(shape, data, grid, leaves)
    losses = _losses(shape, data, grid, counted)
    label = losses.argmin(axis=1)
    is_leaf = shape.is_leaf
    if labels is not None:
        label[is_leaf] = labels[is_leaf]
    leaf_losses = int(losses[is_leaf, label[is_leaf]].sum())
    may_relabel = grid.slack > 0 and labels is None
    if may_relabel and data.row_costs is None:
        label = _given_losses(counted.value, data).argmin(axis=1)
    tree = _labelled(shape, data, counted, label)
    if data.row_costs is not None:
        tree, loss = _with_costs(tree, data, may_relabel)
    elif data.weights is None and data.costs is None:
        loss = leaf_losses / float(counted.counts[0].sum())  # misclassified share
    else:
        loss = _loss(tree.value[is_leaf], tree.label[is_leaf], data)
    cost = grid.scale * leaf_losses + grid.penalty * tree.n_leaves
    exact_loss = Fraction(loss)
    if grid.slack == 0:
        exact_loss = grid.least + leaf_losses * grid.scale * grid.unit
    return Recount(tree, loss, cost, exact_loss)


def recount_measure(
    shape: TreeShape,
    data: TrainingData,
    grid: MeasureGrid,
    leaves: Leaves | None = None,
) -> Recount:
    """Do the same under a measure of two classes.

    The leaves have the labels that the measure wants, other nodes the more common
    class. The loss is counted in the caller's weights if the grid had to round them.
    """
    counted = _count(shape, data, grid, leaves)
    label = counted.masses.argmax(axis=1)
    is_leaf = shape.is_leaf
    loss, labels = grid.measure.weigh(counted.masses[is_leaf])
    cost = grid.cost_of(loss, int(is_leaf.sum()))
    if grid.has_rounded:
        loss, labels = _weigh_given(counted.value[is_leaf], labels, grid.given)
    label[is_leaf] = labels
    tree = _labelled(shape, data, counted, label)
    return Recount(tree, float(loss), cost, loss)


def _weigh_given(
    value: npt.NDArray[np.float64], labels: list[int], measure: Measure
) -> tuple[Fraction, list[int]]:
    """Return the loss of leaves in the caller's weights, and the best labels.

    A callable keeps the labels that are best on the grid.
    """
    leaves: list[Any] = [(Fraction(n), Fraction(p)) for n, p in value.tolist()]
    if not isinstance(measure, Monotone):
        return measure.weigh(leaves)
    pairs = list(zip(leaves, labels, strict=True))
    fp = sum((leaf[0] for leaf, label in pairs if label == 1), Fraction(0))
    fn = sum((leaf[1] for leaf, label in pairs if label == 0), Fraction(0))
    return measure.function(plain_number(fp), plain_number(fn)), labels


def exact_loss(
    shape: TreeShape, data: TrainingData, grid: MeasureGrid
) -> tuple[Fraction, int]:
    """Return the exact loss of a tree under a measure, and its leaves."""
    leaves = masses_of(shape, data, grid)[shape.is_leaf]
    return grid.measure.loss(leaves), len(leaves)


def losses_of(
    shape: TreeShape, data: TrainingData, grid: Grid
) -> npt.NDArray[np.int64]:
    """Return the loss of each label in each node of a tree, on the grid."""
    return _losses(shape, data, grid, _count(shape, data, grid))


def _losses(
    shape: TreeShape, data: TrainingData, grid: Grid, counted: _Counted
) -> npt.NDArray[np.int64]:
    """Return the loss of each label in each node of a tree, on the grid."""
    losses: npt.NDArray[np.int64]
    if grid.gains is None:
        losses = counted.masses @ grid.costs
        return losses
    router = RowRouter(shape)
    place = router.leaves(data.X, is_checked=True)
    gains = np.zeros((shape.n_nodes, data.n_classes), dtype=np.int64)
    for label in range(data.n_classes):
        # Sums of gains stay below 2**52, so float64 holds them exactly.
        of_label = np.bincount(place, grid.gains[:, label], minlength=shape.n_nodes)
        gains[:, label] = of_label
    gains = router.add_up(gains.astype(np.float64)).astype(np.int64)
    losses = gains.sum(axis=1, keepdims=True) - gains
    return losses


def _given_losses(
    value: npt.NDArray[np.float64], data: TrainingData
) -> npt.NDArray[np.float64]:
    """Return the loss of each label in each node, in the caller's numbers."""
    if data.costs is None:
        return -value
    # Weights may be far apart, so that a sum of products could overflow.
    largest = value.max(axis=1, keepdims=True)
    shares = value / np.where(largest > 0, largest, 1.0)
    losses: npt.NDArray[np.float64] = shares @ data.costs
    return losses


def _with_costs(
    tree: Tree, data: TrainingData, may_relabel: bool
) -> tuple[Tree, float]:
    """Return the tree with the mean cost of each label in each node, and its loss.

    `may_relabel` gives each node the label of least cost, in the caller's numbers.
    Sums are rounded once per leaf, so that the order of the rows does not matter.
    """
    assert data.row_costs is not None
    router = RowRouter(TreeShape(**tree.shape))
    place = router.leaves(data.X, is_checked=True)
    order = np.argsort(place, kind="stable")
    costs, weights = data.row_costs, data.weights
    if weights is not None:
        costs = costs * weights[:, np.newaxis]
    sums = np.zeros((tree.n_nodes, data.n_classes))
    masses = np.zeros((tree.n_nodes, 1))
    ends = np.searchsorted(place[order], np.arange(tree.n_nodes + 1))
    for leaf in np.flatnonzero(tree.feature < 0):
        rows = order[ends[leaf] : ends[leaf + 1]]
        sums[leaf] = [math.fsum(column) for column in costs[rows].T.tolist()]
        masses[leaf] = (
            len(rows) if weights is None else math.fsum(weights[rows].tolist())
        )
    sums, masses = router.add_up(sums), router.add_up(masses)
    if may_relabel:
        tree = replace(tree, label=sums.argmin(axis=1).astype(tree.label.dtype))
    is_leaf = tree.feature < 0
    loss = math.fsum(sums[is_leaf, tree.label[is_leaf]].tolist()) / float(masses[0, 0])
    means = sums / np.where(masses > 0, masses, 1.0)
    return replace(tree, costs=means), loss


def masses_of(
    shape: TreeShape, data: TrainingData, grid: Grid
) -> npt.NDArray[np.int64]:
    """Return the weight of each class in each node of a tree, on the grid."""
    return _count(shape, data, grid).masses


class _Counted(NamedTuple):
    counts: npt.NDArray[np.float64]  # rows of each class in each node
    masses: npt.NDArray[np.int64]  # the same in grid weights
    value: npt.NDArray[np.float64]  # the same in the caller's weights
    squares: npt.NDArray[np.float64] | None  # sum of squared weights; None: all one


def _count(
    shape: TreeShape, data: TrainingData, grid: Grid, leaves: Leaves | None = None
) -> _Counted:
    """Route the rows through the tree and count them in every node."""
    router = RowRouter(shape)
    if data.weights is None and data.counts is None and leaves is None:
        counts = router.count(data.X, data.codes, data.n_classes)
        # Equal weights are all one on the grid.
        return _Counted(counts, counts.astype(np.int64), counts, None)
    place = router.leaves(data.X, is_checked=True) if leaves is None else leaves.copy()
    if shape.n_nodes * data.n_classes >= 2**31:
        place = place.astype(np.int64)
    place *= data.n_classes
    place += data.codes
    counts = _sum_up(router, place, data.n_classes, data.counts)
    masses = value = counts
    squares = None
    if data.weights is not None:
        # Sums of grid weights stay below 2**52, so float64 holds them exactly.
        masses = _sum_up(router, place, data.n_classes, grid.weights)
        # Floats are added in the order of their size: that of rows must not matter.
        order = np.argsort(data.weights)
        weights = data.weights[order]
        value = _sum_up(router, place[order], data.n_classes, weights)
        squares = _squared_weights(data)[order]
        squares = _sum_up(router, place[order], data.n_classes, squares)
    return _Counted(counts, masses.astype(np.int64), value, squares)


def _squared_weights(data: TrainingData) -> npt.NDArray[np.float64]:
    """Return the squared weight of each row, as a share of the largest weight.

    A row that stands for several has the sum of their squares, as if they weighed
    the same.
    """
    assert data.weights is not None
    rows = 1 if data.counts is None else np.maximum(data.counts, 1)
    largest = (data.weights / rows).max()
    squares: npt.NDArray[np.float64] = (data.weights / rows / largest) ** 2 * rows
    return squares


def _labelled(
    shape: TreeShape,
    data: TrainingData,
    counted: _Counted,
    label: npt.NDArray[Any],
) -> Tree:
    """Return the tree of this shape with its counts and labels."""
    return Tree(
        **shape._asdict(),
        label=label,
        value=counted.value,
        n_samples=counted.counts.sum(axis=1),
        n_features=data.X.shape[1],
        n_effective=_effective_rows(counted, data),
    )


def _effective_rows(
    counted: _Counted, data: TrainingData
) -> npt.NDArray[np.float64] | None:
    """Return Kish's effective sample size of each node; None: its number of rows."""
    if counted.squares is None:
        return None
    assert data.weights is not None
    rows = 1 if data.counts is None else np.maximum(data.counts, 1)
    total = counted.value.sum(axis=1) / (data.weights / rows).max()
    squares, n_samples = counted.squares.sum(axis=1), counted.counts.sum(axis=1)
    # Squares of tiny weights may underflow relative to those of other nodes.
    sizes = np.where(total > 0, 1.0, 0.0)
    np.divide(total**2, squares, out=sizes, where=squares > 0)
    # Rounded, so that grouped rows give the same size as the rows themselves.
    sizes = np.minimum(sizes.round(6), n_samples)
    return None if np.array_equal(sizes, n_samples) else sizes


def _sum_up(
    router: RowRouter,
    place: npt.NDArray[Any],
    n_classes: int,
    weights: npt.NDArray[Any] | None,
) -> npt.NDArray[np.float64]:
    """Return the weight of each class in each node, from each row's leaf and class."""
    n_nodes = router.shape.n_nodes
    flat = np.bincount(place, weights, minlength=n_nodes * n_classes)
    return router.add_up(flat.reshape(n_nodes, n_classes))


def _loss(
    value: npt.NDArray[np.float64], label: npt.NDArray[Any], data: TrainingData
) -> float:
    """Return the weighted mean cost of the leaves' labels."""
    if data.costs is None:
        total = value.sum()
        wrong = total - value[np.arange(len(label)), label].sum()
        return float(max(wrong, 0.0) / total)  # rounding may fall below 0
    share = value / value.sum()
    return float((share * data.costs[:, label].T).sum())
