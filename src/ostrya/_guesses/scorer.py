"""Scorer: decide whether predictions are better than a single label for all rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import roc_auc_score

from ostrya._guesses.label_loss import LabelLoss

#: Differences of more than this many standard errors are significant.
CLEARLY = 2.5


@dataclass(frozen=True, eq=False)
class Scorer:
    """Rows with their labels and a loss.

    Predictions are class codes, or for a loss of ranks, scores that increase with the
    probability of the second class.
    """

    loss: LabelLoss
    codes: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float64] | None
    n_classes: int

    def loss_of(self, predicted: npt.NDArray[Any]) -> float:
        """Return the loss of predictions."""
        loss = self.loss(predicted, self.codes, self.weights)
        if loss is not None:
            return loss
        reach = self.loss.max_fpr if self.loss.max_fpr < 1 else None
        area = roc_auc_score(
            self.codes, predicted, sample_weight=self.weights, max_fpr=reach
        )
        return 1.0 - float(area)

    @property
    def span(self) -> float:
        """The range of the loss."""
        return self.loss.span(self.codes, self.weights)

    @property
    def one_label(self) -> npt.NDArray[np.intp]:
        """Predictions of the best single label for all rows."""
        label = self.loss.of_one_label(self.codes, self.weights, self.n_classes)
        return np.full_like(self.codes, label)

    def is_clearly_better(self, predicted: npt.NDArray[Any]) -> bool:
        """Return True if predictions are significantly better than a single label.

        Losses of some objectives vary so much that few differences are significant. So
        a lower loss together with a significantly higher accuracy also suffices.
        """
        saved = self.loss_of(self.one_label) - self.loss_of(predicted)
        if self.loss.is_additive:
            is_clear = self._is_beyond_chance(self.loss, predicted)
        else:
            counts = np.bincount(self.codes, minlength=self.n_classes)
            is_clear = bool(saved > self.span / np.sqrt(max(counts.min(), 1)))
        if is_clear or self.loss.is_of_ranks:
            return is_clear
        return saved > 0 and self._is_beyond_chance(LabelLoss(), predicted)

    def _is_beyond_chance(self, loss: LabelLoss, predicted: npt.NDArray[Any]) -> bool:
        """Return True if an additive loss is significantly lower."""
        constant = replace(self, loss=loss).one_label
        saved = loss.of_rows(constant, self.codes) - loss.of_rows(predicted, self.codes)
        weights = np.ones(len(saved)) if self.weights is None else self.weights
        mean = np.average(saved, weights=weights)
        error = np.sqrt(np.sum((weights * (saved - mean)) ** 2)) / weights.sum()
        return bool(mean > CLEARLY * error)
