"""The integer grid of the objectives that no sum over rows gives.

The engines minimise ``cost = scale * floor(resolution * loss) + penalty * leaves``, the
loss in units that make it whole or nearly so. The area under a whole ROC curve is exact
on this grid: pairs of rows are counted. Other losses are rounded down to one part in
2**40 or finer, bounds and trees alike; a lower bound stays one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ostrya._solve.grid import MOST_COST, Grid, rounded_weights
from ostrya._solve.measures import FScore, Measure, Monotone, RocArea
from ostrya._solve.multiples import (
    Multiples,
    equal_multiples,
    exact_multiples,
    written_ratio,
)
from ostrya._solve.training_data import TrainingData

# Twice the number of pairs of rows, in weights, stays below this.
MOST_PAIRS = 2**50
# Parts of the loss, where it is a ratio.
PARTS = 2**40


class IntegerRocArea(NamedTuple):
    """A ROC area in integers."""

    reach: int  # negatives left of the largest false positive rate, over denominator
    denominator: int
    resolution: int  # units of a pair of rows


class IntegerFScore(NamedTuple):
    """An F-score in integers."""

    numerator: int  # of beta squared
    denominator: int
    resolution: int  # units of a loss of one


class IntegerMonotone(NamedTuple):
    """A loss of the caller's own in integers."""

    loss: Callable[[int, int], int]


IntegerMeasure = IntegerRocArea | IntegerFScore | IntegerMonotone


@dataclass(frozen=True, eq=False)
class MeasureGrid(Grid):
    """A two-class problem and its measure in integers."""

    measure: Measure = field(kw_only=True)
    resolution: Fraction = field(kw_only=True)  # units of a loss of one
    in_integers: IntegerMeasure = field(kw_only=True)

    def cost_of(self, loss: Fraction, n_leaves: int) -> int:
        """Return the cost of a tree of this exact loss."""
        units = math.floor((loss - self.least) * self.resolution)
        return self.scale * units + self.penalty * n_leaves


def to_measure_grid(data: TrainingData, measure: Measure) -> MeasureGrid:
    """Put a two-class problem and its measure on the integer grid."""
    weights = _weights(data)
    negatives, positives = (
        int(weights.integers[data.codes == code].sum()) for code in (0, 1)
    )
    if min(negatives, positives) == 0:
        masses = data.class_masses
        lighter = int(masses.argmin())
        raise ValueError(
            f"the rows of class {lighter} weigh {masses[lighter]:g} of "
            f"{masses.sum():g}, too little beside the others to be counted in pairs; "
            "use weights of more even size"
        )
    least, span = Fraction(0), Fraction(1)  # of the loss
    in_integers: IntegerMeasure
    if isinstance(measure, RocArea):
        # How many parts of a pair of rows the grid can hold apart.
        fine = max(1, MOST_PAIRS // (2 * negatives * positives))
        fine = 1 if measure.max_fpr == 1 else fine
        resolution = 2 * fine * negatives * positives * measure.max_fpr
        top, bottom = measure.max_fpr.as_integer_ratio()
        in_integers = IntegerRocArea(top * negatives, bottom, fine)
    elif isinstance(measure, FScore):
        resolution = Fraction(PARTS)
        in_integers = IntegerFScore(*measure.square.as_integer_ratio(), PARTS)
    else:
        assert isinstance(measure, Monotone)
        measure = Monotone(_in_weights(measure.function, weights.unit))
        least = measure.function(0, 0)
        span = measure.function(negatives, positives) - least
        span = span if span > 0 else Fraction(1)  # any, where all trees lose the same
        resolution = PARTS / span
        in_integers = IntegerMonotone(_on_grid(measure.function, least, resolution))
    rate = written_ratio(data.leaf_penalty) * resolution
    # Leaves beyond these cost more than any loss; the first trees may have 64.
    whole = resolution * span  # the greatest loss
    most = min(data.n_samples, 64 + math.ceil(whole / rate) if rate else 64) + 1
    room = (MOST_COST // 2) // math.ceil(whole + rate * most + 1)
    if room < 1:
        raise ValueError(
            f"leaf_penalty={data.leaf_penalty} is too large beside losses that differ "
            f"by at most {float(span):g}; from leaf_penalty={float(span):g} on, a lone "
            "leaf is optimal"
        )
    ratio = rate.limit_denominator(room)
    if isinstance(measure, Monotone):
        # Losses come from the caller's function on the grid already.
        ratio = Fraction(math.floor(rate))
    return MeasureGrid(
        weights=weights.integers,
        costs=1 - np.eye(2, dtype=np.int64),
        scale=ratio.denominator,
        penalty=ratio.numerator,
        unit=1 / (ratio.denominator * resolution),
        measure=measure,
        resolution=resolution,
        least=least,
        in_integers=in_integers,
    )


def _weights(data: TrainingData) -> Multiples:
    """Return integer weights of which pairs can be counted."""
    if data.weights is None:
        return equal_multiples(data.n_samples)
    exact = exact_multiples(data.weights)
    limit = math.isqrt(MOST_PAIRS)
    if exact is not None and exact.total <= limit:
        return exact
    return rounded_weights(data.weights, limit)


def _in_weights(
    function: Callable[[int, int], Fraction], unit: Fraction
) -> Callable[[int, int], Fraction]:
    """Return the caller's function of grid weights, given in the caller's weights."""
    if unit == 1:
        return function

    def of_weights(fp: int, fn: int) -> Fraction:
        counts = (unit * fp, unit * fn)
        plain = [int(c) if c.denominator == 1 else float(c) for c in counts]
        return function(plain[0], plain[1])  # type: ignore[arg-type]

    return of_weights


def _on_grid(
    function: Callable[[int, int], Fraction], least: Fraction, resolution: Fraction
) -> Callable[[int, int], int]:
    """Return the caller's function in units of the grid."""
    # Searches ask thousands of times: fractions would take most of their time.
    fine, parts = resolution.as_integer_ratio()
    start, below = least.as_integer_ratio()
    parts *= below

    def units(fp: int, fn: int) -> int:
        top, bottom = function(fp, fn).as_integer_ratio()
        value = (top * below - start * bottom) * fine // (bottom * parts)
        if not 0 <= value <= PARTS:
            raise ValueError(
                f"objective must never fall when errors grow; got {function(fp, fn)} "
                f"for fp={fp}, fn={fn}, outside its values without and with all errors"
            )
        return value

    return units
