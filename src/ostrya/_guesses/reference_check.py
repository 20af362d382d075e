"""Look at a reference before guessing from it, and choose one where none is given.

Guesses 2022, appendix D: a search guided by a poor reference ends in a poor tree, so
look at the reference first. It is held against plain gradient boosting on rows that
neither was fitted on, and against one label for all rows: where both are at chance,
the former says nothing. Appendix C: of references that do equally well, the one with
the fewest thresholds makes the fastest search.
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

#: (trees, depth) of the paper's references, those with few thresholds first.
SIZES = ((40, 1), (30, 2), (50, 2), (20, 3))
#: How far behind the yardstick still counts as equal, on top of one standard error.
MARGIN = 0.01

# By which share of the time for guesses a reference is chosen.
CHOICE_SHARE = 0.4

HELD_OUT = "held-out rows"
TRAINING = "the training rows"


def choose_reference(
    hold_out: HoldOut, *, check: bool, clock: GuessClock | None = None
) -> Any:
    """Return the smallest of the paper's references that is good enough.

    Where none is, the best one is taken, and `check` says to warn of it. Where there
    are too few rows to tell, or too little time, the default is returned.
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
    scorer, wanted = hold_out.scorer, _yardstick(hold_out, clock, CHOICE_SHARE)
    predictions = {}
    for trees, depth in SIZES:
        model = GradientBoostingClassifier(
            n_estimators=trees, max_depth=depth, random_state=0
        )
        predictions[model] = hold_out.predictions(model, clock, CHOICE_SHARE)
        if scorer.loss_of(predictions[model]) <= wanted + _margin(scorer):
            break
    else:
        model = min(predictions, key=lambda each: scorer.loss_of(predictions[each]))
    if check:
        _compare(model, scorer, predictions[model], wanted, HELD_OUT)
    return model


def check_reference(
    reference: Any,
    hold_out: HoldOut,
    scorer: Scorer,
    predicted: npt.NDArray[Any],
    clock: GuessClock,
) -> None:
    """Warn when a reference that was given is clearly behind a yardstick.

    One that is not fitted is tried on held-out rows; of a fitted one, what it has
    `predicted` of all training rows, those of the `scorer`, must do. Nothing is said
    where there is no time to tell.
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
    """Warn of a reference that gives every row the same label, though they differ."""
    why, remedy = "", "give a stronger one as guess=Guess(reference=...)"
    if "trees" in clock.cut_short:
        why = ", for the time ended before it had all its trees"
        remedy = "raise time_limit, or set guess=None"
    warnings.warn(
        f"The reference predicts one label only{why}, so there is little to guess from "
        f"it; {remedy}.",
        ReferenceWarning,
        stacklevel=4,
    )


def warn_of_no_elimination(n_thresholds: int, max_drop: float) -> None:
    """Warn of a reference that is worse for being fitted again, so that all stays."""
    warnings.warn(
        f"The reference {shortfall(n_thresholds, max_drop)}; raise max_drop in Guess, "
        "or give a reference that leaves less to chance.",
        ReferenceWarning,
        stacklevel=4,
    )


def _yardstick(hold_out: HoldOut, clock: GuessClock, share: float = 1.0) -> float:
    """Return what plain gradient boosting, 100 trees of depth 3, loses."""
    model = GradientBoostingClassifier(random_state=0)
    predicted = hold_out.predictions(model, clock, share)
    return hold_out.scorer.loss_of(predicted)


def _margin(scorer: Scorer) -> float:
    """Return what the losses of two equally good models may differ by."""
    return float(scorer.span * (MARGIN + 0.5 / np.sqrt(len(scorer.codes))))


def _compare(
    model: Any, scorer: Scorer, predicted: npt.NDArray[Any], wanted: float, rows: str
) -> None:
    """Warn of predictions at chance level, or clearly behind gradient boosting.

    Chance level is worse than one label, or better by no more than chance may do.
    """
    lost, remedy = scorer.loss_of(predicted), "Give a stronger one"
    if not scorer.is_clearly_better(predicted):
        other, chance = "one label for all rows", scorer.loss_of(scorer.one_label)
        if scorer.loss.is_share:
            other = "always saying the commonest label"
        verdict = _words(scorer, lost, rows, other, chance)
        end = "so it has learnt nothing to guess from"
        if lost < chance:
            end = f"{len(scorer.codes):,} rows are too few to tell that from chance"
            remedy = "Give more rows, or a stronger one"
    elif lost > wanted + _margin(scorer):
        other = "plain gradient boosting"
        verdict = _words(scorer, lost, rows, other, wanted)
        if rows != HELD_OUT:
            verdict += f" of {HELD_OUT}" if scorer.loss.is_share else f" on {HELD_OUT}"
        end = "a tree guided by it can be as poor"
    else:
        return
    warnings.warn(
        f"The reference {model!r} {verdict}; {end}. {remedy} as "
        "guess=Guess(reference=...).",
        ReferenceWarning,
        stacklevel=5,
    )


def _words(scorer: Scorer, lost: float, rows: str, other: str, wanted: float) -> str:
    if scorer.loss.is_share:
        return (
            f"gets {1 - lost:.1%} of {rows} right where {other} gets {1 - wanted:.1%}"
        )
    return f"loses {lost:.4g} on {rows} where {other} loses {wanted:.4g}"
