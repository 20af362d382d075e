"""GuessReport: what was guessed, and how far the result may be from the optimum."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

#: Attributes that a model file does not contain.
MODELS = ("reference", "refit")
#: The steps that can be cut short; see `GuessReport.cut_short`.
PARTS_CUT = ("rows", "choice", "trees", "elimination", "check")


@dataclass(frozen=True)
class GuessReport:
    """What was guessed, and how far the result may be from the optimum.

    Comparisons with the reference are None for the objectives "auc" and `PartialAUC`,
    because they rank rows, and a reference predicts labels.

    Attributes
    ----------
    reference : FittedReference or None
        The fitted reference model, which predicts labels from tables. None in a model
        loaded from a file.
    refit : FittedReference or None
        The reference fitted again on the kept thresholds, which guides the search. None
        if thresholds were not guessed.
    n_thresholds_before, n_thresholds_after : int or None
        Number of thresholds of the reference, and of those that were kept. None if all
        thresholds were searched.
    reference_score_before, reference_score_after : float
        Weighted training accuracy of the reference before and after thresholds were
        eliminated.
    max_depth : int or None
        The guessed depth limit, or None if depth was not guessed. Proofs cover only
        trees up to this depth.
    guarantee : float
        No tree over the kept thresholds, within the limits, has an objective that is
        better by more than this (Thm. 4.3 of the guesses paper, or a stronger bound).
        It does not cover trees over other thresholds.
    reference_loss : float or None
        Training loss of the reference before elimination, for the same objective as
        that of the tree.
    loss_above_reference : float or None
        Loss of the tree minus loss of the reference (Cor. 4.3.1).
    least_leaves_to_match : int or None
        Every tree over the searched columns, within the limits, with the predictions of
        the reference has at least this many leaves. Also None if the penalty is 0.
    refit_loss, loss_above_refit : float or None
        The same values for the refitted reference; None if thresholds were not guessed.
    least_leaves_to_match_refit : int or None
        The same for the predictions of the refitted reference, as in the corollary.
    lower_bound_of_all_thresholds : float or None
        No tree over any thresholds, within the limits, has an objective below this. It
        is the result of a search over all thresholds for about a quarter of the time of
        the fit, at most two seconds, so it depends on the machine. None if there was no
        time left.
    gap_of_all_thresholds : float or None
        The objective minus this bound: no tree is better by more than this.
    cut_short : tuple of str
        The steps that ran out of time or memory or were stopped. Proofs stay valid.
        "rows": the reference was fitted on a sample of the rows. "choice": the default
        reference was used instead of one chosen on held-out rows. "trees": the
        reference has fewer trees than intended. "elimination": more thresholds were
        kept than necessary. "check": the reference was not compared with others.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifier
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = OptimalTreeClassifier(leaf_penalty=0.01, guess="thresholds").fit(X, y)
    >>> clf.guess_.n_thresholds_after < clf.guess_.n_thresholds_before
    True
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
        """All attributes except the models, as written to JSON files."""
        return {**self.numbers, "cut_short": list(self.cut_short)}

    @property
    def promise(self) -> str:
        """The guarantee for the tree, in words."""
        kept = _distance(self.guarantee)
        if self.n_thresholds_after is None:
            return f"{kept} over all thresholds"
        ending = "" if self.n_thresholds_after == 1 else "s"
        kept += f" over the {self.n_thresholds_after} kept threshold{ending}"
        if self.gap_of_all_thresholds is None:
            return f"{kept}; no bound is known over all thresholds"
        over_all = _distance(self.gap_of_all_thresholds)
        return f"{kept}, and {over_all} over all thresholds"


def _distance(gap: float) -> str:
    """Return how far a tree is from the best one, in words."""
    if gap == 0:
        return "proved optimal"
    return f"at most {gap:.2g} above the lowest objective"
