"""What a tree loses by its own counts, under the objective of its file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.measures import FScore, Measure, RocArea
from ostrya._solve.objective_validation import check_objective
from ostrya._solve.objective_weights import check_kind, is_sum
from ostrya._weights import check_cost_matrix
from ostrya.export.json_checks import FlawError, short
from ostrya.tree import Tree

_SLACK = 1e-9
# Searches round weights and costs to integers whose sums stay below these.
_MOST_LOSS, _MOST_COST = 2**52, 2**60
_MOST_MASS = 2**25


@dataclass(frozen=True, eq=False)
class Loss:
    """A loss: a sum over rows, with its costs, or a measure of two classes."""

    costs: npt.NDArray[np.float64]
    measure: Measure | None
    leaf_penalty: float

    @classmethod
    def of(cls, estimator: Any, n_classes: int) -> Loss:
        """Return the loss that an estimator minimises, by its parameters.

        Raises
        ------
        ValueError, TypeError
            When they make none.
        """
        objective = estimator.objective
        try:
            check_kind(objective)
        except (ValueError, TypeError):
            known = False
        else:
            known = not callable(objective)
        if not known:
            raise FlawError(f"parameters.objective {short(objective)} is not known")
        costs = 1.0 - np.eye(n_classes)
        if estimator.cost_matrix is not None:
            given = check_cost_matrix(estimator.cost_matrix, n_classes)
            costs = np.asarray(given, dtype=np.float64)
            if not (np.isfinite(costs) & (costs >= 0)).all():
                raise FlawError(
                    "parameters.cost_matrix must contain finite numbers >= 0"
                )
        measure = None
        if not is_sum(objective):
            if n_classes != 2 or hasattr(estimator, "k"):
                raise FlawError(
                    f"parameters.objective {short(objective)} is for two classes, and "
                    "not for top-k trees"
                )
            measure = check_objective(objective)
        return cls(costs, measure, estimator.leaf_penalty_)

    @property
    def is_additive(self) -> bool:
        """True when rows are lost one by one."""
        return self.measure is None

    @property
    def dearest(self) -> float:
        """The loss that no tree exceeds."""
        return float(self.costs.max()) if self.is_additive else 1.0

    def of_tree(self, tree: Tree) -> float:
        """Return what a tree loses."""
        is_leaf = tree.feature < 0
        return self._of_leaves(tree.value[is_leaf], tree.label[is_leaf])

    def as_one_leaf(self, tree: Tree) -> float:
        """Return the loss of a single leaf on the rows of a tree."""
        return self._of_leaves(tree.value[:1], tree.label[:1])

    def slack(self, tree: Tree) -> float:
        """Return how far a loss may be from the one counted here, by rounding."""
        if self.is_additive or _is_counted(tree):
            return _SLACK * self.dearest
        # Each row of the search weighs up to half a unit more or less than here.
        masses, n = tree.value[0], int(tree.n_samples[0])
        if n >= _MOST_MASS or not masses.all():
            return math.inf
        unit = masses.sum() / (_MOST_MASS - n)
        return float(_SLACK + 4 * n * unit / masses.min())

    def better_labels(self, tree: Tree) -> Iterator[tuple[int, int]]:
        """Yield the nodes that have not the label of least loss, and that label."""
        if isinstance(self.measure, FScore):
            # Its leaves have the labels that are best together: their loss shows it.
            places = np.flatnonzero(tree.feature >= 0)
        else:
            places = np.arange(tree.n_nodes)
        costs = self.costs if self.is_additive else 1.0 - np.eye(2)
        losses = (tree.value[places] / tree.value[0].sum()) @ costs
        if _is_counted(tree) and (costs == np.rint(costs)).all():
            losses = tree.value[places] @ costs  # whole numbers, so equal or not
            slack = 0.0
        else:
            slack = self._label_slack(tree)
        best, label = losses.argmin(axis=1), tree.label[places]
        at = np.arange(len(places))
        is_worse = losses[at, label] > losses[at, best] + slack
        if slack == 0:
            is_worse |= label != best
        for place in np.flatnonzero(is_worse).tolist():
            yield int(places[place]), int(best[place])

    def _label_slack(self, tree: Tree) -> float:
        """Return how much more a label may lose than the best, by rounding alone."""
        if not self.is_additive:
            return self.slack(tree)
        n = int(tree.n_samples[0])
        dearest = self.dearest or 1.0
        room = _MOST_COST / (1 + self.leaf_penalty / dearest * (n + 2))
        return float(dearest * (_SLACK + 2 * math.sqrt(n / min(room, _MOST_LOSS))))

    def _of_leaves(
        self, value: npt.NDArray[np.float64], label: npt.NDArray[Any]
    ) -> float:
        if self.measure is None:
            shares = value / value.sum()
            return float((shares * self.costs[:, label].T).sum())
        if not value.sum(axis=0).all():
            raise FlawError("tree.value has no weight of one of the two classes")
        leaves = [(Fraction(n), Fraction(p)) for n, p in value.tolist()]
        if isinstance(self.measure, RocArea):
            return float(self.measure.loss(leaves))  # type: ignore[arg-type]
        assert isinstance(self.measure, FScore)
        fp = sum(n for (n, _), said in zip(leaves, label, strict=True) if said == 1)
        fn = sum(p for (_, p), said in zip(leaves, label, strict=True) if said == 0)
        positives = sum(p for _, p in leaves)
        return float(self.measure.of_errors(fp, fn, positives))


@dataclass(frozen=True, eq=False)
class RowCosts:
    """The loss of a tree that was grown with costs per row: their mean."""

    dearest: float  # the largest cost of a label in a node, whatever its sign
    costs: None = None
    is_additive: bool = True

    @classmethod
    def of(cls, estimator: Any) -> RowCosts:
        """Return the loss of the tree of a policy."""
        return cls(float(np.abs(estimator.tree_.costs).max()))

    def of_tree(self, tree: Tree) -> float:
        """Return what a tree loses."""
        is_leaf = tree.feature < 0
        shares = tree.value[is_leaf].sum(axis=1) / tree.value[0].sum()
        return float((shares * _chosen(tree)[is_leaf]).sum())

    def as_one_leaf(self, tree: Tree) -> float:
        """Return the loss of a single leaf on the rows of a tree."""
        return float(_chosen(tree)[0])

    def slack(self, tree: Tree) -> float:
        """Return how far a loss may be from the one counted here, by rounding."""
        return _SLACK * self.dearest

    def better_labels(self, tree: Tree) -> Iterator[tuple[int, int]]:
        """Yield the nodes that have not the label of least cost, and that label."""
        assert tree.costs is not None
        is_worse = _chosen(tree) > tree.costs.min(axis=1) + self.slack(tree)
        for node in np.flatnonzero(is_worse).tolist():
            yield int(node), int(tree.costs[node].argmin())


def _chosen(tree: Tree) -> npt.NDArray[np.float64]:
    """Return the mean cost of the label of each node."""
    assert tree.costs is not None
    return tree.costs[np.arange(tree.n_nodes), tree.label]


def _is_counted(tree: Tree) -> bool:
    """Return True when every row weighs one, by the counts."""
    whole = (tree.value == np.rint(tree.value)).all()
    return bool(whole and (tree.value.sum(axis=1) == tree.n_samples).all())
