"""What the estimators that search for one tree share: rows in, report out."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ostrya._solve.fit_monitor import FitMonitor
from ostrya._solve.settings import check_settings
from ostrya._solve.training_data import TrainingData
from ostrya._solve.validation import check_codes, check_leaf_penalty, check_rows
from ostrya._solver import find_tree
from ostrya._weights import (
    check_cost_matrix,
    check_smoothing,
    multiply_weights,
    require_few_classes,
)
from ostrya.estimators._base import TreeClassifier
from ostrya.estimators.importances import importances
from ostrya.estimators.lone_leaf import hint_at_single_leaf
from ostrya.estimators.objectives import class_factors, objective_factors
from ostrya.estimators.row_numbers import hint_at_row_numbers
from ostrya.estimators.words import in_words, with_short_thresholds
from ostrya.exceptions import OptimalityWarning
from ostrya.outcome import Outcome, Phase
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.checks import feature_names
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.training_table import TrainingTable, check_training
from ostrya.preprocessing.typical import with_typical_values
from ostrya.tree import Tree

# What stops a search before its proof, and what of that can be had more of.
STOPS = {
    "time_limit": "a longer time_limit",
    "memory_limit": "a larger memory_limit",
    "interrupted": "letting the search end",
}


class SearchedTreeClassifier(TreeClassifier):
    """A classifier whose tree comes from searches of `ostrya.solve`."""

    leaf_penalty: float | Literal["auto"]
    max_depth: Any
    max_leaves: int | None
    min_samples_leaf: int
    memory_limit: int | None
    objective: Any
    omega: float
    class_weight: Any
    cost_matrix: npt.ArrayLike | None
    smoothing: float
    _sought = "the optimum"  # what the bounds of an unfinished search are about

    def _read(
        self, X: Any, y: Any, sample_weight: Any, monitor: FitMonitor
    ) -> TrainingTable:
        """Check the training table and encode it; sets ``classes_`` and ``encoder_``.

        Rows of weight 0 are left out.
        """
        monitor.report("preparing")
        checked = check_training(self, X, y, sample_weight)
        return self._encode(*checked, monitor.report)

    def _encode(
        self,
        X: Any,
        labels: npt.NDArray[Any],
        weights: npt.NDArray[np.float64] | None,
        report: Callable[[Phase], bool],
        encoder: Callable[..., TableEncoder] = TableEncoder,
    ) -> TrainingTable:
        """Encode a checked table; sets ``classes_`` and ``encoder_``."""
        report("preparing")
        self.classes_, codes = np.unique(labels, return_inverse=True)
        require_few_classes("y", len(self.classes_))
        costs = check_cost_matrix(self.cost_matrix, len(self.classes_))
        check_smoothing(self.smoothing)
        given, weights = weights, self._row_weights(codes, weights)
        classes = ClassWeights(codes, weights)
        report("preparing")
        self.encoder_ = encoder(X, feature_names(self), classes)
        report("preparing")
        matrix = self.encoder_.encode(X)
        report("preparing")
        return TrainingTable(
            raw=X,
            encoder=self.encoder_,
            matrix=matrix,
            classes=self.classes_,
            codes=codes,
            weights=weights,
            sample_weights=given,
            costs=costs,
            names=feature_names(self),
        )

    def _row_weights(
        self, codes: npt.NDArray[np.intp], weights: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64] | None:
        """Return what each row weighs in the loss, or None when all weigh one."""
        masses = np.bincount(codes, weights).astype(np.float64)
        known = self.classes_, masses
        factors = objective_factors(self.objective, self.omega, *known)
        if factors is not None:
            name = "omega" if self.objective == "weighted_accuracy" else "objective"
            weights = multiply_weights(name, weights, factors[codes])
        factors = class_factors(self.class_weight, *known)
        if factors is not None:
            weights = multiply_weights("class_weight", weights, factors[codes])
        return weights

    def _find_tree(
        self,
        table: TrainingTable,
        columns: npt.NDArray[np.float64] | None = None,
        **settings: Any,
    ) -> Outcome:
        """Do what `ostrya.solve` does; weights and costs of the table are checked.

        `columns` are searched in place of the encoded rows; `settings` are further
        arguments of `ostrya.solve`, as the user gave them.
        """
        started = time.perf_counter()
        data = self._training_data(table, columns)
        checked = check_settings(
            data,
            max_leaves=self.max_leaves,
            min_samples_leaf=self.min_samples_leaf,
            memory_limit=self.memory_limit,
            **settings,
        )
        return find_tree(data, checked, started)

    def _training_data(
        self, table: TrainingTable, columns: npt.NDArray[np.float64] | None = None
    ) -> TrainingData:
        """Return the table, or `columns` in place of its rows, as searches take it."""
        matrix = check_rows(table.matrix if columns is None else columns)
        codes = check_codes(table.codes, len(matrix), None)
        return TrainingData(
            X=matrix,
            codes=codes,
            # Some of the rows, as folds are, may lack the last classes.
            n_classes=int(codes.max()) + 1 if table.costs is None else len(table.costs),
            weights=table.weights,
            costs=table.costs,
            leaf_penalty=check_leaf_penalty(
                self.leaf_penalty, table.n_rows, table.sample_weights
            ),
            counts=table.counts,
        )

    def _keep(
        self,
        outcome: Outcome,
        table: TrainingTable,
        columns: npt.NDArray[np.float64] | None = None,
    ) -> None:
        """Keep the tree found over `columns`, and its proof; warn if there is none."""
        self._take(outcome, table, columns)
        if outcome.status in STOPS:
            warnings.warn(self._unproved(outcome), OptimalityWarning, stacklevel=3)
        else:
            hint_at_single_leaf(self, table)
        hint_at_row_numbers(self, table)

    def _take(
        self,
        outcome: Outcome,
        table: TrainingTable,
        columns: npt.NDArray[np.float64] | None = None,
    ) -> None:
        """Become a classifier by the tree found over `columns`."""
        self._take_tree(outcome.tree, table, columns)
        asked = self.tree_.feature[self.tree_.feature >= 0]
        self.encoder_ = with_typical_values(
            self.encoder_, asked.tolist(), table.matrix, table.counts
        )
        self.feature_importances_ = self._importances(table.costs)
        self.leaf_penalty_ = outcome.leaf_penalty
        self.objective_, self.loss_ = outcome.objective, outcome.loss
        self.lower_bound_, self.gap_ = outcome.lower_bound, outcome.gap
        self.status_, self.trace_ = outcome.status, outcome.trace
        self.n_leaves_, self.depth_ = outcome.n_leaves, outcome.tree.depth
        self.proved_depth_ = outcome.proved_depth
        self.cuts_ = table.cuts
        self.result_is_claimed_ = False  # by a file; it was found here

    def _take_tree(
        self,
        found: Tree,
        table: TrainingTable,
        columns: npt.NDArray[np.float64] | None = None,
    ) -> None:
        """Predict by a tree over `columns`, in words of the table."""
        searched = table.matrix if columns is None else columns
        tree = with_short_thresholds(
            found, searched, table.matrix, self.encoder_, table.least
        )
        tree = replace(tree, smoothing=check_smoothing(self.smoothing))
        self.tree_ = in_words(tree, self.encoder_, self.classes_)

    def _unproved(self, outcome: Outcome) -> str:
        """Return what is not known of a tree whose search stopped, and the remedy."""
        limit = getattr(self, outcome.status, None)
        stop = outcome.status if limit is None else f"{outcome.status}={limit}"
        return (
            f"The search stopped ({stop}) before its proof, with {self._sought} in "
            f"[{outcome.lower_bound:.4g}, {outcome.objective:.4g}]; the tree is "
            f"the best found. What helps, best first: "
            f"{'; '.join([*self._shortcuts(), STOPS[outcome.status]])}."
        )

    def _shortcuts(self) -> list[str]:
        """Return what makes a search like this one shorter, best first."""
        is_open = self.max_depth is None or self.max_depth == "auto"
        return ["max_depth=3 or 4"] if is_open else []

    def _importances(
        self, costs: npt.NDArray[np.float64] | None
    ) -> npt.NDArray[np.float64]:
        """Return what each input feature's splits save."""
        return importances(self.tree_, self.encoder_.source, self.n_features_in_, costs)
