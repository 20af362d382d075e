"""GuessReport: what was guessed, and what it can have cost."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

#: What a model file does not keep.
MODELS = ("reference", "refit")


@dataclass(frozen=True)
class GuessReport:
    """What was guessed, and what it can have cost.

    A comparison is None where the objective is "auc" or "partial_auc": labels, which
    are what a reference predicts, are not ranked.

    Attributes
    ----------
    reference : FittedReference or None
        The reference model, fitted: predicts labels from tables. None in a model that
        was loaded from a file.
    refit : FittedReference or None
        The same fitted again on the thresholds kept, which guides the search; None
        where thresholds were not guessed.
    n_thresholds_before, n_thresholds_after : int or None
        Thresholds of the reference and those kept; None when all were searched.
    reference_score_before, reference_score_after : float
        Weighted training accuracy of the reference, before and after thresholds went.
    max_depth : int or None
        The depth limit guessed; None when depth was not. What is proved of the tree is
        proved among trees of this depth.
    guarantee : float
        No tree on the columns searched, within the limits, has an objective better by
        more than this (Thm. 4.3 of the guesses paper, or a sharper bound where there
        is one).
    reference_loss : float or None
        Training loss of the reference, before thresholds went, counted by the
        objective as that of the tree is.
    loss_above_reference : float or None
        Loss of the tree less that of the reference (Cor. 4.3.1).
    least_leaves_to_match : int or None
        Every tree on the columns searched, within the limits, that predicts what the
        reference predicts has at least this many leaves. None also when the penalty
        is 0.
    refit_loss, loss_above_refit : float or None
        The same for the reference fitted again; None where thresholds were not guessed.
    least_leaves_to_match_refit : int or None
        The same for trees that predict what the refitted reference predicts: those of
        the corollary.
    """

    reference: Any
    refit: Any
    n_thresholds_before: int | None
    n_thresholds_after: int | None
    reference_score_before: float
    reference_score_after: float
    max_depth: int | None
    guarantee: float
    reference_loss: float | None
    loss_above_reference: float | None
    least_leaves_to_match: int | None
    refit_loss: float | None
    loss_above_refit: float | None
    least_leaves_to_match_refit: int | None

    @property
    def numbers(self) -> dict[str, float | int | None]:
        """All of it but the models, by name."""
        names = [field.name for field in fields(self) if field.name not in MODELS]
        return {name: getattr(self, name) for name in names}
