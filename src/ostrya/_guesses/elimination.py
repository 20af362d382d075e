"""Column elimination: remove the least important thresholds while accuracy holds.

Guesses 2022 (AAAI), section 4.1: fit the reference on the remaining thresholds, remove
the least important one, fit again, and so on, until the training accuracy falls below
that of the reference itself by more than the allowed drop. The last set before this is
kept; it always contains at least one threshold. So the model on the kept thresholds is
never worse than the reference by more than the drop, as Thm. 4.1 requires.

A threshold that a model does not use is the least important, and removing it changes
nothing: the model is its own refit. So all unused thresholds are removed at once. Of
equally important ones, the first in the order of columns and thresholds is removed.

If the reference is randomised, refits differ from it even on all of its thresholds. If
the first refit is already too inaccurate, nothing is eliminated. If time runs out, the
current thresholds are kept: every intermediate set satisfies the condition.
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
    """The kept thresholds, the model fitted on them, and the weight it gets correct."""

    kept: Mask
    model: Any
    right: float


def eliminate(
    refits: Refits, right_before: float, total: float, max_drop: float
) -> Elimination | None:
    """Remove thresholds, the least important first, while the accuracy allows it.

    `right_before` is the weight of the rows that the reference classifies correctly,
    `total` the weight of all rows, and `max_drop` the share of `total` that may be
    lost. Return None if the refit on all thresholds already loses more than this. Raise
    `OutOfTimeError` if there is not even time for this refit.
    """
    floor = Fraction(right_before) - Fraction(repr(float(max_drop))) * Fraction(total)
    kept = np.ones(len(refits.column), dtype=bool)
    model = refits.fit(kept)
    right = refits.right(model, kept)
    if Fraction(right) < floor:
        return None
    while kept.sum() > 1:
        gains, first = refits.usage(model, kept)
        # A threshold without gain may be in use, as the first split of an XOR.
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
