"""Column elimination: drop the least important thresholds until something is lost.

Guesses 2022 (AAAI), section 4.1: fit the reference on the thresholds left; remove the
least important one; fit again; go on until the training performance drops. The last
set before the drop is kept, and of it always one threshold.

A threshold that a model never asks about is the least important and changes nothing
when it goes: the model is its own refit. So all such are dropped at once. Of equally
important ones the first in the order of columns and thresholds goes first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.preprocessing.refits import Refits

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Elimination:
    """What is left: which thresholds, the model fitted on them, and its right rows."""

    kept: Mask
    model: Any
    right: float


def right_weight(
    predicted: npt.NDArray[Any],
    labels: npt.NDArray[Any],
    weights: npt.NDArray[np.float64] | None,
) -> float:
    """Return the weight of the rows predicted right, correctly rounded.

    Equal sets of weights give equal sums, in whatever order the rows are; so a drop
    is a drop and not a rounding.
    """
    is_right = predicted == labels
    if weights is None:
        return float(np.count_nonzero(is_right))
    return math.fsum(weights[is_right])


def eliminate(
    refits: Refits, right_before: float, total: float, max_drop: float
) -> Elimination:
    """Drop thresholds, the least important first, while performance allows.

    Parameters
    ----------
    refits : Refits
        Fits the reference on some of the thresholds.
    right_before : float
        The weight of the rows that the reference itself predicts right. Where fitting
        it again on all its thresholds gets fewer right, those.
    total : float
        The weight of all rows.
    max_drop : float
        The share of `total` that may be lost.
    """
    kept = np.ones(len(refits.column), dtype=bool)
    model = refits.fit(kept)
    right = _right(refits, model, kept)
    floor = Fraction(min(right_before, right))
    floor -= Fraction(repr(float(max_drop))) * Fraction(total)
    while kept.sum() > 1:
        gains = np.where(kept, refits.gains(model, kept), np.inf)
        unused = gains <= 0
        if unused.any():
            kept = _without(kept, np.flatnonzero(unused)[: kept.sum() - 1])
            continue
        removed = int(gains.argmin())
        fewer = _without(kept, removed)
        refitted = refits.refit(model, fewer, removed)
        right_after = _right(refits, refitted, fewer)
        if Fraction(right_after) < floor:
            break
        kept, model, right = fewer, refitted, right_after
    return Elimination(kept, model, right)


def _right(refits: Refits, model: Any, kept: Mask) -> float:
    return right_weight(refits.predict(model, kept), refits.labels, refits.weights)


def _without(kept: Mask, removed: Any) -> Mask:
    fewer: Mask = kept.copy()
    fewer[removed] = False
    return fewer
