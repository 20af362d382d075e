"""Read tables for searches in the same way as `OptimalTreeClassifier` does."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.fit_monitor import FitMonitor
from ostrya._weights import check_cost_matrix
from ostrya.estimators.lazy_rows import read_groups
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.preprocessing.checks import check_table
from ostrya.preprocessing.compression import is_lazy
from ostrya.preprocessing.labels import classes_of, require_as_many
from ostrya.preprocessing.table import count_rows
from ostrya.preprocessing.training_table import (
    TrainingTable,
    check_labels_and_weights,
    without_weightless_rows,
)


class SearchTableReader(OptimalTreeClassifier):
    """A classifier that only reads tables, for `frontier` and `estimate_runtime`.

    These also accept what `ostrya.solve` does: class codes with a cost matrix that has
    more classes than there are in the rows.
    """

    def read(
        self, X: Any, y: Any, sample_weight: Any, monitor: FitMonitor
    ) -> TrainingTable:
        """Return the table encoded, or raise; a lazy table is read in groups."""
        self._check_options()
        if is_lazy(X):
            return read_groups(self, X, y, sample_weight, None, monitor)
        labels, weights = check_labels_and_weights(X, y, sample_weight)
        # Whatever can be refused without the table is refused before it is read.
        self._labelled(*_weighing(labels, weights))
        X = check_table(self, X, reset=True)
        require_as_many(labels, count_rows(X))
        rows = without_weightless_rows(X, labels, weights)
        return self._encode(*rows, monitor.report)

    def _labelled(
        self, labels: npt.NDArray[Any], weights: npt.NDArray[np.float64] | None
    ) -> tuple[
        npt.NDArray[np.intp],
        npt.NDArray[np.float64] | None,
        npt.NDArray[np.float64] | None,
    ]:
        costs = check_cost_matrix(self.cost_matrix)
        if costs is None or not _are_some_codes(labels, len(costs)):
            return super()._labelled(labels, weights)
        self.classes_, codes = classes_of(labels)
        weights = self._row_weights(codes, weights)
        self.classes_ = np.arange(len(costs))
        return labels.astype(np.intp), weights, costs


def _weighing(
    labels: npt.NDArray[Any], weights: npt.NDArray[np.float64] | None
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Return labels and weights of the rows that weigh anything."""
    if weights is None:
        return labels, None
    return labels[weights > 0], weights[weights > 0]


def _are_some_codes(labels: npt.NDArray[Any], n_classes: int) -> bool:
    """Return True for some of the codes 0, 1, ..., below `n_classes`, but not all."""
    if labels.dtype.kind not in "iu" or not len(labels):
        return False
    least, largest = int(labels.min()), int(labels.max())
    return least >= 0 and largest < n_classes and len(np.unique(labels)) < n_classes
