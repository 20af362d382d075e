"""TableReader: tables as `OptimalTreeClassifier` reads them, for other searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.fit_monitor import FitMonitor
from ostrya._weights import check_cost_matrix
from ostrya.estimators._search import CodedLabels
from ostrya.estimators.lazy_rows import read_groups
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.preprocessing.compression import is_lazy
from ostrya.preprocessing.training_table import TrainingTable


class TableReader(OptimalTreeClassifier):
    """A classifier that only reads tables, for `ostrya.frontier` and `ostrya.estimate`.

    These also accept what `ostrya.solve` does: class codes with a cost matrix that has
    more classes than there are in the rows.
    """

    def read(
        self, X: Any, y: Any, sample_weight: Any, monitor: FitMonitor
    ) -> TrainingTable:
        """Return the table encoded, or raise; a lazy table is read in groups."""
        if not is_lazy(X):
            return self._read(X, y, sample_weight, monitor)
        self._check_options()
        return read_groups(self, X, y, sample_weight, None, monitor)

    def _code(
        self, labels: npt.NDArray[Any], weights: npt.NDArray[np.float64] | None
    ) -> CodedLabels:
        costs = check_cost_matrix(self.cost_matrix)
        if costs is None or not _are_some_codes(labels, len(costs)):
            return super()._code(labels, weights)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        in_loss = self._row_weights(codes, weights)
        self.classes_ = np.arange(len(costs))
        return CodedLabels(labels.astype(np.intp), weights, in_loss, costs)


def _are_some_codes(labels: npt.NDArray[Any], n_classes: int) -> bool:
    """Return True for some of the codes 0, 1, ..., below `n_classes`, but not all."""
    if labels.dtype.kind not in "iu" or not len(labels):
        return False
    least, largest = int(labels.min()), int(labels.max())
    return least >= 0 and largest < n_classes and len(np.unique(labels)) < n_classes
