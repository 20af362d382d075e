"""Scorer: whether predictions are any better than one label for all rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import roc_auc_score

from ostrya._guesses.label_loss import LabelLoss

#: More than this many standard errors are no chance.
CLEARLY = 2.5


@dataclass(frozen=True, eq=False)
class Scorer:
    """Rows with their labels, and the loss that counts.

    Predictions are class codes; where the loss is of ranks, numbers that are large
    where the second class is likely.
    """

    loss: LabelLoss
    codes: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float64] | None
    n_classes: int

    def loss_of(self, predicted: npt.NDArray[Any]) -> float:
        """Return what the predictions lose."""
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
        """How far losses reach."""
        return self.loss.span(self.codes, self.weights)

    @property
    def one_label(self) -> npt.NDArray[np.intp]:
        """The predictions that give all rows the label of least loss."""
        label = self.loss.of_one_label(self.codes, self.weights, self.n_classes)
        return np.full_like(self.codes, label)

    def is_clearly_better(self, predicted: npt.NDArray[Any]) -> bool:
        """Return True when the predictions beat one label by more than chance does.

        Where losses spread so widely that chance hides much, it is enough to lose less
        than one label does, and to get clearly more rows right than one label can.
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
        """Return True when rows lose clearly less, by an additive loss."""
        constant = replace(self, loss=loss).one_label
        saved = loss.of_rows(constant, self.codes) - loss.of_rows(predicted, self.codes)
        weights = np.ones(len(saved)) if self.weights is None else self.weights
        mean = np.average(saved, weights=weights)
        error = np.sqrt(np.sum((weights * (saved - mean)) ** 2)) / weights.sum()
        return bool(mean > CLEARLY * error)
