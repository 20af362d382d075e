"""GuessReport: what was guessed, and what it can have cost."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

#: What a model file does not keep.
MODELS = ("reference", "refit")
#: What guesses can do without; see `GuessReport.cut_short`.
PARTS_CUT = ("rows", "choice", "trees", "elimination", "check")


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
        No tree over the thresholds kept, within the limits, has an objective better by
        more than this (Thm. 4.3 of the guesses paper, or a sharper bound where there
        is one). It says nothing of trees over other thresholds.
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
    lower_bound_of_all_thresholds : float or None
        No tree over any thresholds, within the limits, has an objective below this: as
        far as a search of them came in about a quarter of the time of the fit, at most
        two seconds. It depends on the machine. None when there was no time left.
    gap_of_all_thresholds : float or None
        The objective less that bound: no tree is better by more than this.
    cut_short : tuple of str
        What there was no time for, or what was stopped; empty where there was enough.
        What is proved stays proved. "rows": the reference was fitted on a sample of
        the rows. "choice": it is the default one, not one chosen on held-out rows.
        "trees": it has fewer trees than it should. "elimination": thresholds are kept
        that it might have done without. "check": it was not held against others.
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
    lower_bound_of_all_thresholds: float | None = None
    gap_of_all_thresholds: float | None = None
    cut_short: tuple[str, ...] = ()

    @property
    def numbers(self) -> dict[str, float | int | None]:
        """All numbers, by name."""
        others = (*MODELS, "cut_short")
        names = [field.name for field in fields(self) if field.name not in others]
        return {name: getattr(self, name) for name in names}

    @property
    def record(self) -> dict[str, Any]:
        """All of it but the models, as JSON has it."""
        return {**self.numbers, "cut_short": list(self.cut_short)}

    @property
    def promise(self) -> str:
        """How good the tree is at least, in words."""
        kept = f"within {self.guarantee:.4f} of the best tree"
        if self.n_thresholds_after is None:
            return f"{kept} over all thresholds"
        kept += f" over the {self.n_thresholds_after} thresholds kept"
        if self.gap_of_all_thresholds is None:
            return f"{kept}; over all thresholds no bound is known"
        return f"{kept}, within {self.gap_of_all_thresholds:.4f} over all"
