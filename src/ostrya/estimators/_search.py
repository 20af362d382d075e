"""What the estimators that search for one tree share: rows in, report out."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.arguments import multiply_weights
from ostrya.estimators._base import TreeClassifier, importances, worded
from ostrya.estimators.labels import (
    check_cost_matrix,
    check_labels,
    check_sample_weight,
)
from ostrya.estimators.objectives import class_factors, objective_factors
from ostrya.estimators.rows import TrainingRows
from ostrya.exceptions import OptimalityWarning
from ostrya.outcome import Outcome
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.checks import check_table, feature_names
from ostrya.preprocessing.table import count_rows, keep_rows

REMEDIES = {
    "time_limit": "raise time_limit or leaf_penalty, or set max_depth",
    "memory_limit": "raise memory_limit or leaf_penalty, or set max_depth",
    "interrupted": "fit again and let the search end",
}


class SearchedTreeClassifier(TreeClassifier):
    """A classifier whose tree comes from one call of `solve`."""

    objective: Any
    omega: float
    class_weight: Any
    cost_matrix: npt.ArrayLike | None
    _sought = "the optimum"  # what the bounds of an unfinished search are about

    def _read(self, X: Any, y: Any, sample_weight: Any) -> TrainingRows:
        """Check the training table and encode it; sets ``classes_`` and ``encoder_``.

        Rows of weight 0 are left out.
        """
        X = check_table(self, X, reset=True)
        labels = check_labels(y, count_rows(X))
        weights = check_sample_weight(sample_weight, len(labels))
        if weights is not None and not weights.all():
            X, labels = keep_rows(X, weights > 0), labels[weights > 0]
            weights = weights[weights > 0]

        self.classes_, codes = np.unique(labels, return_inverse=True)
        costs = check_cost_matrix(self.cost_matrix, len(self.classes_))
        weights = self._row_weights(codes, weights)
        self.encoder_ = TableEncoder(X, feature_names(self))
        return TrainingRows(
            table=X,
            encoder=self.encoder_,
            matrix=self.encoder_.encode(X),
            classes=self.classes_,
            codes=codes,
            weights=weights,
            costs=costs,
            names=feature_names(self),
        )

    def _row_weights(
        self, codes: npt.NDArray[np.intp], weights: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64] | None:
        """Return what each row weighs in the loss, or None when all weigh one."""
        masses = np.bincount(codes, weights).astype(np.float64)
        known = self.classes_, masses
        asked = objective_factors(self.objective, self.omega, *known)
        if asked is not None:
            name = "omega" if self.objective == "weighted_accuracy" else "objective"
            weights = multiply_weights(name, weights, asked[codes])
        asked = class_factors(self.class_weight, *known)
        if asked is not None:
            weights = multiply_weights("class_weight", weights, asked[codes])
        return weights

    def _keep(self, outcome: Outcome, rows: TrainingRows) -> None:
        """Keep the tree and what was proved of it, and warn of what was not."""
        self.tree_ = worded(outcome.tree, rows.matrix, self.encoder_, self.classes_)
        self.feature_importances_ = self._importances(rows.costs)
        self.objective_, self.loss_ = outcome.objective, outcome.loss
        self.lower_bound_, self.gap_ = outcome.lower_bound, outcome.gap
        self.status_, self.trace_ = outcome.status, outcome.trace
        self.n_leaves_, self.depth_ = outcome.n_leaves, outcome.tree.depth
        self.result_is_claimed_ = False  # by a file; it was found here
        if outcome.status in REMEDIES:
            warnings.warn(self._unproved(outcome), OptimalityWarning, stacklevel=3)

    def _unproved(self, outcome: Outcome) -> str:
        """Return what is not known of a tree whose search stopped, and the remedy."""
        limit = getattr(self, outcome.status, None)
        stop = outcome.status if limit is None else f"{outcome.status}={limit}"
        return (
            f"The search stopped ({stop}) before its proof, with {self._sought} in "
            f"[{outcome.lower_bound:.4g}, {outcome.objective:.4g}]; the tree is "
            f"the best found. To close the gap, {REMEDIES[outcome.status]}."
        )

    def _importances(self, costs: npt.ArrayLike | None) -> npt.NDArray[np.float64]:
        """Return what each input feature's splits save."""
        return importances(self.tree_, self.encoder_.source, self.n_features_in_, costs)
