"""Column elimination: drop the least important thresholds until something is lost.

Guesses 2022 (AAAI), section 4.1: fit the reference on the thresholds left; remove the
least important one; fit again; go on until the training performance drops below that
of the reference itself, or by more than is allowed. The last set before the drop is
kept, and of it always one threshold. So the model on the thresholds kept is never worse
than the reference, which is what Thm. 4.1 stands on.

A threshold that a model never asks about is the least important and changes nothing
when it goes: the model is its own refit. So all such are dropped at once. Of equally
important ones the first in the order of columns and thresholds goes first.

Refits of a reference that leaves splits to chance differ from it even on all its
thresholds. When that one is already too poor, nothing is eliminated. When time is up,
what is kept by then stays: every set on the way is as good as the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._guesses.guess_clock import OutOfTimeError
from ostrya._guesses.refits import NEVER, Refits

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Elimination:
    """What is left: which thresholds, the model fitted on them, and its right rows."""

    kept: Mask
    model: Any
    right: float


def eliminate(
    refits: Refits, right_before: float, total: float, max_drop: float
) -> Elimination | None:
    """Drop thresholds, the least important first, while performance allows.

    `right_before` is the weight of the rows that the reference itself predicts right,
    `total` that of all rows; `max_drop` is the share of `total` that may be lost. None
    when the reference loses more than that by being fitted again on all its thresholds,
    so that none can go. Raises `OutOfTimeError` if there is no time even for that fit.
    """
    floor = Fraction(right_before) - Fraction(repr(float(max_drop))) * Fraction(total)
    kept = np.ones(len(refits.column), dtype=bool)
    model = refits.fit(kept)
    right = refits.right(model, kept)
    if Fraction(right) < floor:
        return None
    while kept.sum() > 1:
        gains, first = refits.usage(model, kept)
        # Asked about but of no gain, as the first split of an exclusive or, is used.
        unused = kept & (first == NEVER)
        if unused.any():
            kept = _without(kept, np.flatnonzero(unused)[: kept.sum() - 1])
            continue
        removed = int(np.where(kept, gains, np.inf).argmin())
        fewer = _without(kept, removed)
        try:
            refitted = refits.refit(model, fewer, removed)
        except OutOfTimeError:
            refits.clock.cut("elimination")
            break
        right_after = refits.right(refitted, fewer)
        if Fraction(right_after) < floor:
            break
        kept, model, right = fewer, refitted, right_after
    return Elimination(kept, model, right)


def _without(kept: Mask, removed: Any) -> Mask:
    fewer: Mask = kept.copy()
    fewer[removed] = False
    return fewer
