"""Check a reference before guessing from it, and choose one if none is given.

Guesses 2022, appendix D: a search that is guided by an inaccurate reference finds an
inaccurate tree, so the reference is checked first. It is compared on held-out rows with
plain gradient boosting, and with a single label for all rows, because the first
comparison is meaningless if both models are at chance level. Appendix C: of equally
accurate references, the one with the fewest thresholds gives the fastest search.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import GradientBoostingClassifier

from ostrya._guesses.guess_clock import GuessClock, OutOfTimeError
from ostrya._guesses.hold_out import HoldOut
from ostrya._guesses.reference_model import (
    default_reference,
    is_fitted,
    shortfall,
    unfrozen,
)
from ostrya._guesses.scorer import Scorer
from ostrya.exceptions import ReferenceWarning

#: (trees, depth) of the references in the paper, with increasing numbers of thresholds.
SIZES = ((40, 1), (30, 2), (50, 2), (20, 3))
#: (trees, depth) of the baseline that references are compared with.
BASELINE = (100, 3)
#: Most trees of the baseline for a choice. Each class has a tree of its own in each
#: round, so a choice for ten classes would take ten times as long.
MOST_TREES = 400
#: The allowed difference to the baseline, in addition to one standard error.
MARGIN = 0.01

# The share of the time for guesses after which a reference must be chosen.
CHOICE_SHARE = 0.4

HELD_OUT = "held-out rows"
TRAINING = "the training rows"


def choose_reference(
    hold_out: HoldOut, *, check: bool, clock: GuessClock | None = None
) -> Any:
    """Return the smallest reference of the paper that is accurate enough.

    If none is, return the most accurate one, and warn if `check`. If there are too few
    rows or too little time to compare them, return the default reference.
    """
    clock = GuessClock() if clock is None else clock
    if not hold_out.is_possible:
        return default_reference()
    try:
        return _choose(hold_out, check, clock)
    except OutOfTimeError:
        clock.cut("choice")
        return default_reference()


def _choose(hold_out: HoldOut, check: bool, clock: GuessClock) -> Any:
    """Compare the references with the baseline, the smallest first.

    Models of one depth are fitted once, because their first trees are the smaller
    model. The first trees of the baseline are the largest reference.
    """
    hold_out = hold_out.quick()
    judge = hold_out.judge
    predictions: dict[tuple[int, int], npt.NDArray[Any]] = {}

    def grow(*sizes: tuple[int, int]) -> None:
        depth = sizes[0][1]
        model = GradientBoostingClassifier(max_depth=depth, random_state=0)
        trees = [trees for trees, _ in sizes]
        staged = hold_out.staged_predictions(model, trees, clock, CHOICE_SHARE)
        predictions.update(zip(sizes, staged, strict=True))

    n_classes = len(np.unique(hold_out.classes))
    rounds, depth = BASELINE
    baseline = (max(min(rounds, MOST_TREES // n_classes), 20), depth)
    grow(baseline, *_of_depth(depth))
    wanted = judge.loss_of(predictions[baseline])
    chosen = None
    for size in SIZES:
        if size not in predictions:
            grow(*_of_depth(size[1]))
        if judge.loss_of(predictions[size]) <= wanted + _margin(judge):
            chosen = size
            break
    if chosen is None:
        chosen = min(SIZES, key=lambda each: judge.loss_of(predictions[each]))
    model = GradientBoostingClassifier(
        n_estimators=chosen[0], max_depth=chosen[1], random_state=0
    )
    if check:
        _compare(model, judge, predictions[chosen], wanted, HELD_OUT)
    return model


def _of_depth(depth: int) -> list[tuple[int, int]]:
    return [size for size in SIZES if size[1] == depth]


def check_reference(
    reference: Any,
    hold_out: HoldOut,
    scorer: Scorer,
    predicted: npt.NDArray[Any],
    clock: GuessClock,
) -> None:
    """Warn if a given reference is clearly worse than a baseline.

    A reference that is not fitted is evaluated on held-out rows. For a fitted one, its
    predictions of the training rows (those of the `scorer`) are used. There is no
    warning if there is no time for the comparison.
    """
    model = unfrozen(reference)
    try:
        wanted = _yardstick(hold_out, clock) if hold_out.is_possible else np.inf
        if is_fitted(model):
            _compare(model, scorer, predicted, wanted, TRAINING)
        elif hold_out.is_possible:
            held_out = hold_out.predictions(model, clock)
            _compare(model, hold_out.scorer, held_out, wanted, HELD_OUT)
    except OutOfTimeError:
        clock.cut("check")


def warn_of_one_label(clock: GuessClock) -> None:
    """Warn if a reference predicts a single label although the labels differ."""
    why, remedy = "", "Set a more accurate one with guess=Guess(reference=...)"
    if "trees" in clock.cut_short:
        why = " because the time limit ended its fit early"
        remedy = "Increase time_limit, or set guess=None"
    warnings.warn(
        "The guess is of little use: the reference model predicts the same label for "
        f"all rows{why}. {remedy}.",
        ReferenceWarning,
        stacklevel=4,
    )


def warn_of_no_elimination(n_thresholds: int, max_drop: float) -> None:
    """Warn if no threshold was eliminated because refits are less accurate."""
    warnings.warn(
        f"{shortfall('the reference model', n_thresholds, max_drop)}. Increase "
        "max_drop in Guess, or use a reference with less randomness.",
        ReferenceWarning,
        stacklevel=4,
    )


def _yardstick(hold_out: HoldOut, clock: GuessClock, share: float = 1.0) -> float:
    """Return the held-out loss of gradient boosting with 100 trees of depth 3."""
    trees, depth = BASELINE
    model = GradientBoostingClassifier(
        n_estimators=trees, max_depth=depth, random_state=0
    )
    predicted = hold_out.predictions(model, clock, share)
    return hold_out.scorer.loss_of(predicted)


def _margin(scorer: Scorer) -> float:
    """Return the largest difference between losses that counts as equal."""
    return float(scorer.span * (MARGIN + 0.5 / np.sqrt(len(scorer.codes))))


def _compare(
    model: Any, scorer: Scorer, predicted: npt.NDArray[Any], wanted: float, rows: str
) -> None:
    """Warn if predictions are at chance level or clearly worse than boosting.

    Predictions are at chance level unless they are significantly better than a single
    label.
    """
    lost, remedy = scorer.loss_of(predicted), "Set a more accurate reference"
    if not scorer.is_clearly_better(predicted):
        other, chance = "a single label for all rows", scorer.loss_of(scorer.one_label)
        if scorer.loss.is_share:
            other = "the most frequent label for all rows"
        verdict = _words(scorer, lost, rows, other, chance)
        start = "The guess is of little use"
        if lost < chance:
            verdict += f", which is not significant for {len(scorer.codes):,} rows"
            remedy = "Use more rows, or set a more accurate reference"
    elif lost > wanted + _margin(scorer):
        other = "plain gradient boosting"
        verdict = _words(scorer, lost, rows, other, wanted)
        if rows != HELD_OUT:
            verdict += f" on {HELD_OUT}"
        start = "The tree may be inaccurate"
    else:
        return
    warnings.warn(
        f"{start}: the reference model {model!r} {verdict}. {remedy} with "
        "guess=Guess(reference=...).",
        ReferenceWarning,
        stacklevel=5,
    )


def _words(scorer: Scorer, lost: float, rows: str, other: str, wanted: float) -> str:
    if scorer.loss.is_share:
        return (
            f"has an accuracy of {1 - lost:.1%} on {rows}, compared with "
            f"{1 - wanted:.1%} for {other}"
        )
    return f"has a loss of {lost:.4g} on {rows}, compared with {wanted:.4g} for {other}"
