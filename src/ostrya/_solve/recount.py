"""Count a tree again from the training rows, apart from the engine that found it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.measure_grid import MeasureGrid
from ostrya._solve.training_data import Problem
from ostrya._tree_shape import SHAPE, leaves_of_rows
from ostrya.tree import Tree


@dataclass(frozen=True)
class Recount:
    """A tree with what was counted of it."""

    tree: Tree
    loss: float
    cost: int  # on the integer grid, penalties included


def recount(shape: Mapping[str, Any], problem: Problem, grid: Grid) -> Recount:
    """Route the rows through the tree of this shape, label it, and add up its cost.

    Parameters
    ----------
    shape : mapping
        The arrays ``feature``, ``threshold``, ``yes`` and ``no`` of a tree.
    problem : Problem
        The training rows.
    grid : Grid
        The same problem in integers.

    Returns
    -------
    Recount
        The labels of the tree are those of least integer loss; ties go to the
        smallest class code.
    """
    counted = _count(shape, problem, grid)
    losses = counted.masses @ grid.costs
    tree = _labelled(shape, problem, counted, losses.argmin(axis=1))
    is_leaf = tree.feature < 0
    leaf_losses = int(losses[is_leaf].min(axis=1).sum())
    return Recount(
        tree=tree,
        loss=_loss(tree.value[is_leaf], tree.label[is_leaf], problem),
        cost=grid.scale * leaf_losses + grid.penalty * tree.n_leaves,
    )


def recount_measure(
    shape: Mapping[str, Any], problem: Problem, grid: MeasureGrid
) -> Recount:
    """Do the same under a measure of two classes.

    Returns
    -------
    Recount
        The leaves have the labels that the measure wants, other nodes the more common
        class.
    """
    counted = _count(shape, problem, grid)
    label = counted.masses.argmax(axis=1)
    is_leaf = np.asarray(shape["feature"]) < 0
    leaves = [(int(n), int(p)) for n, p in counted.masses[is_leaf]]
    label[is_leaf] = grid.measure.labels(leaves)
    loss = grid.measure.loss(leaves)
    tree = _labelled(shape, problem, counted, label)
    return Recount(tree, float(loss), grid.cost_of(loss, tree.n_leaves))


def exact_loss(
    shape: Mapping[str, Any], problem: Problem, grid: MeasureGrid
) -> tuple[Fraction, int]:
    """Return the exact loss of a tree under a measure, and its leaves."""
    masses = masses_of(shape, problem, grid)[np.asarray(shape["feature"]) < 0]
    leaves = [(int(n), int(p)) for n, p in masses]
    return grid.measure.loss(leaves), len(leaves)


def masses_of(
    shape: Mapping[str, Any], problem: Problem, grid: Grid
) -> npt.NDArray[np.int64]:
    """Return the weight of each class in each node of a tree, on the grid."""
    return _count(shape, problem, grid).masses


class _Counted(NamedTuple):
    counts: npt.NDArray[np.float64]  # rows of each class in each node
    masses: npt.NDArray[np.int64]  # the same in grid weights
    value: npt.NDArray[np.float64]  # the same in the caller's weights


def _count(shape: Mapping[str, Any], problem: Problem, grid: Grid) -> _Counted:
    """Route the rows through the tree and count them in every node."""
    place = leaves_of_rows(shape, problem.X, is_checked=True)
    if len(shape["feature"]) * problem.n_classes >= 2**31:
        place = place.astype(np.int64)
    place *= problem.n_classes
    place += problem.codes
    counts = _sum_up(shape, place, problem.n_classes, None)
    # Equal weights are all one on the grid.
    masses = value = counts
    if problem.weights is not None:
        # Sums of grid weights stay below 2**52, so float64 holds them exactly.
        masses = _sum_up(shape, place, problem.n_classes, grid.weights)
        # Floats are added in the order of their size: that of rows must not matter.
        order = np.argsort(problem.weights)
        weights = problem.weights[order]
        value = _sum_up(shape, place[order], problem.n_classes, weights)
    return _Counted(counts, masses.astype(np.int64), value)


def _labelled(
    shape: Mapping[str, Any],
    problem: Problem,
    counted: _Counted,
    label: npt.NDArray[Any],
) -> Tree:
    """Return the tree of this shape with its counts and labels."""
    return Tree(
        **{name: shape[name] for name in SHAPE},
        label=label,
        value=counted.value,
        n_samples=counted.counts.sum(axis=1),
        n_features=problem.X.shape[1],
    )


def _sum_up(
    shape: Mapping[str, Any],
    place: npt.NDArray[Any],
    n_classes: int,
    weights: npt.NDArray[Any] | None,
) -> npt.NDArray[np.float64]:
    """Return the weight of each class in each node, from each row's leaf and class."""
    n_nodes = len(shape["feature"])
    flat = np.bincount(place, weights, minlength=n_nodes * n_classes)
    sums = flat.astype(np.float64).reshape(n_nodes, n_classes)
    yes, no = shape["yes"].tolist(), shape["no"].tolist()
    for node in range(n_nodes - 1, -1, -1):  # children come after their parent
        if yes[node] >= 0:
            sums[node] = sums[yes[node]] + sums[no[node]]
    return sums


def _loss(
    value: npt.NDArray[np.float64], label: npt.NDArray[Any], problem: Problem
) -> float:
    """Return the weighted mean cost of the leaves' labels."""
    if problem.costs is None:
        wrong = value.sum() - value[np.arange(len(label)), label].sum()
        return float(wrong / value.sum())
    share = value / value.sum()
    return float((share * problem.costs[:, label].T).sum())
