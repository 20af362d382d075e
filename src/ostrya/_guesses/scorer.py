"""Judge: whether a model's answers are any better than one label for all rows."""

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
class Judge:
    """Rows with their labels, and the loss that counts.

    Answers are class codes; where the loss is of ranks, numbers that are large where
    the second class is likely.
    """

    loss: LabelLoss
    codes: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float64] | None
    n_classes: int

    def lost(self, answers: npt.NDArray[Any]) -> float:
        """Return what the answers lose."""
        loss = self.loss(answers, self.codes, self.weights)
        if loss is not None:
            return loss
        reach = self.loss.max_fpr if self.loss.max_fpr < 1 else None
        area = roc_auc_score(
            self.codes, answers, sample_weight=self.weights, max_fpr=reach
        )
        return 1.0 - float(area)

    @property
    def span(self) -> float:
        """How far losses reach."""
        return self.loss.span(self.codes, self.weights)

    @property
    def one_label(self) -> npt.NDArray[np.intp]:
        """The answers that give all rows the label of least loss."""
        label = self.loss.of_one_label(self.codes, self.weights, self.n_classes)
        return np.full_like(self.codes, label)

    def is_clearly_better(self, answers: npt.NDArray[Any]) -> bool:
        """Return True when the answers beat one label by more than chance does.

        Where losses spread so widely that chance hides much, it is enough to lose less
        than one label does, and to get clearly more rows right than one label can.
        """
        saved = self.lost(self.one_label) - self.lost(answers)
        if self.loss.is_additive:
            is_clear = self._is_beyond_chance(self.loss, answers)
        else:
            counts = np.bincount(self.codes, minlength=self.n_classes)
            is_clear = bool(saved > self.span / np.sqrt(max(counts.min(), 1)))
        if is_clear or self.loss.is_of_ranks:
            return is_clear
        return saved > 0 and self._is_beyond_chance(LabelLoss(), answers)

    def _is_beyond_chance(self, loss: LabelLoss, answers: npt.NDArray[Any]) -> bool:
        """Return True when rows lose clearly less, by an additive loss."""
        constant = replace(self, loss=loss).one_label
        saved = loss.of_rows(constant, self.codes) - loss.of_rows(answers, self.codes)
        weights = np.ones(len(saved)) if self.weights is None else self.weights
        mean = np.average(saved, weights=weights)
        error = np.sqrt(np.sum((weights * (saved - mean)) ** 2)) / weights.sum()
        return bool(mean > CLEARLY * error)
