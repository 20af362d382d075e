"""The integer grid of the objectives that are not sums over rows.

The engines minimise ``cost = floor(resolution * loss) + penalty * leaves``, where the
resolution is the number of units in a loss of one, about 2**58. The penalty is the leaf
penalty in the same units, rounded down if it is not a whole number of them. Therefore
``cost / resolution`` never exceeds the objective of a tree, and a lower bound on costs
is one on objectives.

The grid is exact if costs rank trees as their objectives do. Objectives are rational
numbers. If the denominators of all of them are at most D, two that differ do so by at
least ``1 / D**2``. With a resolution of ``D**2`` or more and a penalty that is a whole
number of units, their costs then differ too, and in the same order.

- The area under a ROC curve counts pairs of rows, in halves: a resolution of two per
  pair is exact. Left of a false positive rate ``t / d``, the last leaf counts in part;
  twice the pairs then have the denominator ``d**2 n`` with n negatives in that leaf.
- An F-score is a ratio of two integers.
- Of a callable nothing is known. Its values are compared exactly in the end.

If a grid is not exact, the difference between the objective of the tree and the bound
is reported; see `ostrya._solve.conclusion`. Weights that do not fit are rounded. With
``e0`` and ``e1`` the largest relative errors that this can cause in the weight of some
rows of the negative or of the positive class, the loss changes by at most

- ``e1 + e0 / rate`` for areas: no point of the curve moves further than e0 to the side
  or e1 down,
- ``(2 d0 + (2 b + 1) d1) / (b P)`` for F-scores, with b the square of beta, P the
  positives and d0, d1 the errors themselves: numerator and denominator of the loss
  change by at most ``d0 + b d1`` and ``d0 + (1 + b) d1``, the loss is at most 1, and
  its denominator is at least ``b P``.

A callable is asked for the loss of as many errors less as rounding may have added.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ostrya._solve.grid import (
    MOST_COST,
    MOST_LOSS,
    MOST_ROUNDED,
    MOST_SUM,
    Grid,
    rounded_weights,
)
from ostrya._solve.measures import FScore, Measure, Monotone, RocArea
from ostrya._solve.multiples import (
    Multiples,
    equal_multiples,
    exact_multiples,
    written_ratio,
)
from ostrya._solve.training_data import TrainingData

# The engine holds the weight of all rows below this, and products of two weights in 128
# bits.
MOST_WEIGHT = MOST_LOSS - 1
# Units of the greatest loss and all penalties of a tree. Bounds may be twice as large.
MOST_UNITS = MOST_COST // 2
# The same under a callable, of which some errors may cost many times the mean of all.
MOST_UNITS_OF_CALLABLE = MOST_SUM // 64
# With fewer units of the loss a leaf penalty is too large to search with.
LEAST_UNITS = 1024
# A false positive rate is a ratio of integers up to this in the engine; and the square
# of beta is one up to the other.
MOST_RATE = 2**20
MOST_SQUARE = 2**24
# The engine multiplies weights, parts of the square of beta and units in 127 bits.
MOST_PRODUCT = 2**126
# The largest multiple of a pair of rows that an int64 holds.
MOST_MULTIPLE = 2**62


class IntegerRocArea(NamedTuple):
    """A ROC area in integers."""

    numerator: int  # of the largest false positive rate
    denominator: int
    multiple: int  # a pair of rows counts multiple / divisor units
    divisor: int


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

    measure: Measure = field(kw_only=True)  # of weights on the grid
    given: Measure = field(kw_only=True)  # of the caller's weights
    has_rounded: bool = field(kw_only=True)  # weights, or a parameter of the measure
    resolution: Fraction = field(kw_only=True)  # units of a loss of one
    span: Fraction = field(kw_only=True)  # from the least loss to the greatest
    in_integers: IntegerMeasure = field(kw_only=True)

    def cost_of(self, loss: Fraction, n_leaves: int) -> int:
        """Return the cost of a tree of this exact loss."""
        units = math.floor((loss - self.least) * self.resolution)
        return units + self.penalty * n_leaves

    def anchored_at(self, loss: Fraction) -> MeasureGrid:
        """Return the grid of a callable moved so that this loss is a whole number.

        Rounding down then hides no tree that loses less. All losses are the same number
        of units as before, or one more.
        """
        assert isinstance(self.measure, Monotone)
        units = (loss - self.least) * self.resolution
        least = self.least + (units - math.ceil(units)) * self.unit
        function, span = self.measure.function, self.span + self.unit
        in_units = _on_grid(function, least, span, self.resolution)
        return replace(
            self, least=least, span=span, in_integers=IntegerMonotone(in_units)
        )


class _Rows(NamedTuple):
    """The rows of both classes on the grid, and the penalty of a leaf."""

    weights: Multiples
    masses: tuple[int, int]
    counts: tuple[int, int]
    penalty: Fraction
    most_leaves: int  # that a tree can be worth having, one more included

    @property
    def off(self) -> tuple[Fraction, Fraction]:
        """What rounding may add to the weight of some rows of each class."""
        if self.weights.is_exact:
            return Fraction(0), Fraction(0)
        return MOST_ROUNDED * self.counts[0], MOST_ROUNDED * self.counts[1]

    def finest(self, span: Fraction, most: int = MOST_UNITS) -> Fraction:
        """Return the finest resolution of losses that differ by at most `span`."""
        return most / (span + self.penalty * self.most_leaves)


class _Scale(NamedTuple):
    """The measure on the grid, and what is true of it."""

    measure: Measure
    in_integers: IntegerMeasure
    resolution: Fraction
    is_exact: bool  # if the penalty is whole and nothing was rounded
    slack: Fraction
    least: Fraction = Fraction(0)  # the least loss
    span: Fraction = Fraction(1)  # from the least loss to the greatest


def to_measure_grid(data: TrainingData, measure: Measure) -> MeasureGrid:
    """Put a two-class problem and its measure on the integer grid."""
    rows = _rows(data)
    if isinstance(measure, RocArea):
        scale = _scale_of_area(rows, measure)
    elif isinstance(measure, FScore):
        scale = _scale_of_f_score(rows, measure)
    else:
        assert isinstance(measure, Monotone)
        scale = _scale_of_callable(rows, measure)
    if rows.finest(scale.span) * scale.span < LEAST_UNITS:
        span = float(scale.span)
        raise ValueError(
            f"leaf_penalty must be at most {span:g}, the largest difference between "
            f"two losses: beyond that a single leaf is always optimal; got "
            f"{data.leaf_penalty}. Choose a smaller leaf_penalty."
        )
    rate = rows.penalty * scale.resolution
    is_whole = rate.denominator == 1
    has_rounded = not rows.weights.is_exact or (
        scale.measure != measure and not isinstance(measure, Monotone)
    )
    return MeasureGrid(
        weights=rows.weights.integers,
        costs=1 - np.eye(2, dtype=np.int64),
        scale=1,
        penalty=math.floor(rate),
        unit=1 / scale.resolution,
        least=scale.least,
        is_exact=scale.is_exact and is_whole and not has_rounded,
        slack=scale.slack,
        measure=scale.measure,
        given=measure,
        has_rounded=has_rounded,
        resolution=scale.resolution,
        span=scale.span,
        in_integers=scale.in_integers,
    )


def _rows(data: TrainingData) -> _Rows:
    weights = _weights(data)
    masses, counts = [], []
    for code in (0, 1):
        own = weights.integers[data.codes == code]
        masses.append(int(own.sum()))
        counts.append(len(own))
    penalty = written_ratio(data.leaf_penalty)
    # Leaves beyond these cost more than any loss; the first trees may have 64.
    most = min(data.n_samples, 64 + math.ceil(1 / penalty) if penalty else 64) + 1
    rows = _Rows(weights, (masses[0], masses[1]), (counts[0], counts[1]), penalty, most)
    for code in (0, 1):
        if rows.masses[code] <= 2 * rows.off[code]:
            of_class = data.class_masses
            raise ValueError(
                "sample_weight must leave each class enough weight to be counted next "
                f"to the other; got {of_class[code]:g} of {of_class.sum():g} for class "
                f"{code}. Use weights of more similar size, or round them to whole "
                f"multiples of one number that add up to less than {MOST_WEIGHT:.1g}."
            )
    return rows


def _weights(data: TrainingData) -> Multiples:
    """Return integer weights of which pairs can be counted."""
    if data.weights is None:
        return equal_multiples(data.n_samples)
    exact = exact_multiples(data.weights)
    if exact is not None and exact.total <= MOST_WEIGHT:
        return exact
    return rounded_weights(data.weights, MOST_WEIGHT)


def _scale_of_area(rows: _Rows, measure: RocArea) -> _Scale:
    rate = measure.max_fpr.limit_denominator(MOST_RATE)
    rate = max(rate, Fraction(1, MOST_RATE))
    negatives, positives = rows.masses
    off = rows.off
    # Between two rates, the mean of a height in [0, 1] changes by at most this.
    slack = abs(rate - measure.max_fpr) / min(rate, measure.max_fpr)
    slack += off[1] / (positives - off[1])
    slack += off[0] / (negatives - off[0]) / rate
    pairs = 2 * rate * negatives * positives  # of a loss of one
    finest = rows.finest(Fraction(1))
    # The penalty is a whole number of units at these multiples of a pair.
    step = (rows.penalty * pairs).denominator
    needed = 1 if rate == 1 else (rate.denominator * negatives) ** 2
    most = min(math.floor(finest / pairs), MOST_MULTIPLE)
    if step > most:
        multiple = max(most, 1)
    elif rate == 1:
        multiple = step  # whole pairs: finer units would say no more
    else:
        multiple = most // step * step
    divisor = 1 if most >= 1 else math.ceil(pairs / finest)
    return _Scale(
        measure=RocArea(rate),
        in_integers=IntegerRocArea(*rate.as_integer_ratio(), multiple, divisor),
        resolution=pairs * multiple / divisor,
        is_exact=multiple >= needed and divisor == 1,
        slack=slack,
    )


def _scale_of_f_score(rows: _Rows, measure: FScore) -> _Scale:
    square = _short_square(measure.square)
    negatives, positives = rows.masses
    off = rows.off
    # The loss changes with the square of beta by at most this.
    slack = abs(square - measure.square) / min(square, measure.square)
    slack += (2 * off[0] + (2 * square + 1) * off[1]) / (square * positives)
    top, bottom = square.as_integer_ratio()
    finest = min(
        math.floor(rows.finest(Fraction(1))),
        MOST_PRODUCT // ((top + bottom) * (negatives + positives)),
    )
    step = rows.penalty.denominator
    resolution = finest // step * step if step <= finest else finest
    greatest = (top + bottom) * positives + bottom * negatives
    return _Scale(
        measure=FScore(square),
        in_integers=IntegerFScore(top, bottom, resolution),
        resolution=Fraction(resolution),
        is_exact=resolution >= greatest**2 * step,
        slack=slack,
    )


def _short_square(square: Fraction) -> Fraction:
    """Return the square of beta as a ratio of integers that the engines can use."""
    if max(square.numerator, square.denominator) <= MOST_SQUARE:
        return square
    if square <= 1:
        return max(square.limit_denominator(MOST_SQUARE), Fraction(1, MOST_SQUARE))
    return 1 / (1 / square).limit_denominator(MOST_SQUARE)


def _scale_of_callable(rows: _Rows, measure: Monotone) -> _Scale:
    unit, off = rows.weights.unit, rows.off
    function = _in_weights(measure.function, unit, off)
    negatives, positives = rows.masses
    corners = [(0, 0), (negatives, 0), (0, positives), (negatives, positives)]
    losses = [function(fp, fn) for fp, fn in corners]
    least, span = losses[0], losses[-1] - losses[0]
    span = span if span > 0 else Fraction(1)  # any, if all trees lose the same
    finest = rows.finest(span, MOST_UNITS_OF_CALLABLE)
    # The penalty is a whole number of units if it can be, and so are losses if they are
    # multiples of one number.
    penalty = rows.penalty
    denominators = [(loss - least).denominator for loss in losses]
    common = math.lcm(penalty.denominator, *denominators)
    resolution = finest
    if common <= finest:
        resolution = Fraction(math.floor(finest / common) * common)
    elif penalty * finest >= 1:
        resolution = math.floor(penalty * finest) / penalty
    return _Scale(
        measure=Monotone(function),
        in_integers=IntegerMonotone(_on_grid(function, least, span, resolution)),
        resolution=resolution,
        is_exact=False,
        slack=Fraction(0),
        least=least,
        span=span,
    )


def _in_weights(
    function: Callable[[int, int], Fraction],
    unit: Fraction,
    off: tuple[Fraction, Fraction],
) -> Callable[[int, int], Fraction]:
    """Return the caller's function of grid weights, given in the caller's weights.

    Where weights were rounded it is asked for the fewest errors that these may stand
    for, so that no tree loses less than this.
    """
    if unit == 1 and not any(off):
        return function

    def of_weights(fp: int, fn: int) -> Fraction:
        fewest_fp = unit * max(fp - off[0], Fraction(0))
        fewest_fn = unit * max(fn - off[1], Fraction(0))
        return function(plain_number(fewest_fp), plain_number(fewest_fn))

    return of_weights


def plain_number(count: Fraction) -> Any:
    """Return a weight as callers expect it: whole ones as integers."""
    return int(count) if count.denominator == 1 else float(count)


def _on_grid(
    function: Callable[[int, int], Fraction],
    least: Fraction,
    span: Fraction,
    resolution: Fraction,
) -> Callable[[int, int], int]:
    """Return the caller's function in units of the grid."""
    # Searches ask thousands of times: fractions would take most of their time.
    fine, parts = resolution.as_integer_ratio()
    start, below = least.as_integer_ratio()
    parts *= below
    most = math.floor(span * resolution)

    def units(fp: int, fn: int) -> int:
        top, bottom = function(fp, fn).as_integer_ratio()
        value = (top * below - start * bottom) * fine // (bottom * parts)
        if not 0 <= value <= most:
            raise ValueError(
                "objective must never decrease when errors increase; got "
                f"{function(fp, fn)} for fp={fp}, fn={fn}, outside its values without "
                "and with all errors"
            )
        return value

    return units
