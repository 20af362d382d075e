"""The integer grid: weights, costs and penalty as exact integers.

The search minimises ``cost = scale * sum(W * C) + penalty * leaves`` in integers.
With weights ``w = u * W`` and costs ``c = v * C``, W and C whole, the objective is

    sum(w * c) / sum(w) + leaf_penalty * leaves
        = (v / sum(W)) * (sum(W * C) + rate * leaves),  rate = leaf_penalty * sum(W) / v

so the cost is the objective in units of ``v / sum(W) / scale`` if ``penalty / scale``
is ``rate``. All of this is exact whenever the numbers given are ratios of small
integers, to the precision of a float, and fit the limits below; otherwise weights
and costs are rounded to the finest grid that fits, and the rate is rounded down.

What rounding can do to the proof is bounded by ``slack``: the objective of a tree, in
the numbers that the caller gave, is at least that of its integer cost minus the slack.
With shares ``s = w / sum(w)`` in the caller's weights and ``s'`` in those of the grid,
the loss of a tree changes by at most ``largest cost * sum(|s - s'|) / 2``, because both
shares sum to one. A weight ``w`` is off by at most 3/2 units of the grid, half a unit
from rounding to an integer and one from the float that is rounded, which is below
2**52. Over n rows, ``sum(|s - s'|) / 2`` is therefore at most the sum of these errors
over ``sum(w)``, that is ``3 n / (2 sum(W) - 3 n)``. Costs are off by at most 3/2 units
for the same reasons.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ostrya._solve.multiples import (
    ONE,
    Floats,
    Integers,
    Multiples,
    equal_multiples,
    exact_multiples,
    written_ratio,
)
from ostrya._solve.training_data import TrainingData

# The engine adds costs in int64: no sum of weights * costs may reach MOST_LOSS, and
# no cost of a tree MOST_COST, which is half of what the engine calls unreachable.
MOST_LOSS = 2**52
MOST_COST = 2**60
# Searches whose losses are sums for a while only, at prices that are chosen again, may
# use more: their sums and penalties are below this, and no scale is multiplied in.
MOST_SUM = 2**58
# A rounded weight or cost is off by at most this many units of the grid.
MOST_ROUNDED = Fraction(3, 2)
# The mean weight spans at least this many levels of the grid, and many more where costs
# have to give way to them. Every cost above zero spans this many: rounding then moves
# none by more than a thousandth.
LEAST_LEVELS = 16
LEAST_WEIGHT_LEVELS = 1024
LEAST_COST_LEVELS = 512


@dataclass(frozen=True, eq=False)
class Grid:
    """A problem in integers; see the module for their meaning."""

    weights: Integers  # (n_samples,)
    costs: Integers  # (n_classes, n_classes)
    scale: int
    penalty: int
    unit: Fraction  # what one more of cost adds to the objective
    least: Fraction = Fraction(0)  # the objective of cost 0
    # A tree of greater cost has a greater objective, and equal costs are equal ones.
    is_exact: bool = True
    slack: Fraction = Fraction(0)  # no objective is further below that of its cost
    # (n_samples, n_classes): what each class saves on each row over the most expensive
    # one, where rows have costs of their own; weights and costs are then unused.
    gains: Integers | None = None

    @cached_property
    def _ratio(self) -> tuple[int, int, int]:
        """The unit and the least objective over one denominator."""
        unit, least = self.unit, self.least
        bottom = math.lcm(unit.denominator, least.denominator)
        up = bottom // unit.denominator, bottom // least.denominator
        return unit.numerator * up[0], least.numerator * up[1], bottom

    @property
    def leaf_penalty(self) -> Fraction:
        """The leaf penalty that the integers stand for."""
        return self.penalty * self.unit

    @property
    def floor(self) -> Fraction:
        """No tree has a loss below this."""
        return self.least if self.gains is None else self.least - self.slack

    def to_objective(self, cost: int) -> float:
        """Return the objective of an integer cost, correctly rounded.

        Examples
        --------
        >>> Grid(None, None, scale=1, penalty=1, unit=Fraction(1, 10)).to_objective(3)
        0.3
        """
        unit, least, bottom = self._ratio
        return (least + cost * unit) / bottom  # Python rounds such a quotient correctly

    def to_bound(self, cost: int) -> Fraction:
        """Return what no tree of this integer cost has an objective below."""
        return self.least + cost * self.unit - self.slack

    def to_lower_bound(self, cost: int) -> float:
        """Return the same as a float, rounded down unless the grid is exact."""
        if self.is_exact:
            return self.to_objective(cost)
        return down(max(self.to_bound(cost), self.floor))

    def to_cost(self, objective: float) -> int:
        """Return the least cost that is not below `objective`.

        A float that stands for a cost means that cost: within four units in the
        last place it is taken to have been rounded on its way here. Every tree whose
        objective is below `objective` costs less than this, rounding included.
        """
        exact = (Fraction(objective) - self.least + self.slack) / self.unit
        nearest = round(exact)
        slack = Fraction(4 * math.ulp(objective)) / self.unit
        cost = nearest if abs(exact - nearest) <= slack else math.ceil(exact)
        return min(max(cost, 0), MOST_COST - 1)


def down(value: Fraction) -> float:
    """Return the largest float that is not above `value`."""
    nearest = float(value)
    return math.nextafter(nearest, -math.inf) if nearest > value else nearest


def to_grid(data: TrainingData) -> Grid:
    """Put the weights, costs and penalty of a problem on the integer grid."""
    penalty = written_ratio(data.leaf_penalty)
    limit = _loss_limit(data, penalty)
    weights, costs = _weights_and_costs(data, limit)
    rate = penalty / costs.unit * weights.total
    most = data.n_samples + 1  # no tree has more leaves than rows
    penalties = -(-rate.numerator * most // rate.denominator)  # rounded up
    largest = weights.total * costs.largest + penalties
    finest = (MOST_COST - 1 - most) // max(largest, 1)
    scale = rate.denominator if rate.denominator <= finest else finest
    slack = _slack(data, weights, costs)
    return Grid(
        weights=weights.integers,
        costs=costs.integers,
        scale=scale,
        penalty=math.floor(rate * scale),
        unit=costs.unit / (scale * weights.total),
        is_exact=slack == 0 and scale == rate.denominator,
        slack=slack,
    )


def _slack(data: TrainingData, weights: Multiples, costs: Multiples) -> Fraction:
    """Return how much rounding can lower the objective of a tree; see the module."""
    slack = Fraction(0)
    if not weights.is_exact:
        off = MOST_ROUNDED * data.n_samples
        slack += off / (weights.total - off) * costs.unit * costs.largest
    if not costs.is_exact:
        slack += MOST_ROUNDED * costs.unit
    return slack


def _loss_limit(data: TrainingData, penalty: Fraction) -> int:
    """Return the largest sum of weights * costs that leaves room for the penalties."""
    n = data.n_samples
    dearest = 1.0 if data.costs is None else float(data.costs.max())
    # as a share of the largest loss
    a_leaf = penalty if dearest in (0.0, 1.0) else penalty / Fraction(dearest)
    # over 1 + a_leaf * (n + 2), in integers
    most_leaves = a_leaf.denominator + a_leaf.numerator * (n + 2)
    room = (MOST_COST - 4 * n) * a_leaf.denominator // most_leaves
    if room < LEAST_LEVELS * n:
        raise ValueError(
            f"leaf_penalty must be less than the largest cost, {dearest}; got "
            f"{data.leaf_penalty}. From leaf_penalty={dearest} on, a single leaf is "
            "always optimal"
        )
    return min(room, MOST_LOSS - 1)


def _weights_and_costs(data: TrainingData, limit: int) -> tuple[Multiples, Multiples]:
    """Return integer weights and costs with a largest loss of at most `limit`.

    What is exact and leaves the other enough levels is kept; the rest is rounded.
    """
    weights, costs = _exact_weights(data), _exact_costs(data)
    if weights and costs and weights.total * costs.largest <= limit:
        return weights, costs
    levels = math.isqrt(limit // data.n_samples)
    if weights and weights.total <= limit // levels:
        assert data.costs is not None  # 0/1 costs are exact and fit
        return weights, _rounded_costs(data, limit // weights.total)
    if costs is None or costs.largest > levels:
        assert data.costs is not None
        wanted = _wanted_levels(data.costs) if costs is None else costs.largest
        most = limit // data.n_samples // LEAST_WEIGHT_LEVELS
        if costs is None or wanted > most:
            costs = _rounded_costs(data, max(levels, min(wanted, most)))
    assert data.weights is not None  # equal weights are exact and fit
    return rounded_weights(data.weights, limit // max(costs.largest, 1)), costs


def _exact_weights(data: TrainingData) -> Multiples | None:
    if data.weights is None:
        return equal_multiples(data.n_samples)
    return exact_multiples(data.weights)


def _exact_costs(data: TrainingData) -> Multiples | None:
    if data.costs is None:
        zero_one = np.ones((data.n_classes, data.n_classes), dtype=np.int64)
        zero_one.flat[:: data.n_classes + 1] = 0
        return Multiples(zero_one, ONE)
    return exact_multiples(data.costs)


def rounded_weights(weights: Floats, limit: int) -> Multiples:
    """Round to the finest grid on which the weights sum to at most `limit`."""
    # Rounding adds at most two units per row.
    shares = weights / weights.max()
    total = np.sort(shares).sum()  # the same in any order of rows
    factor = (limit - 2 * len(weights)) / total
    unit = Fraction(weights.max()) / Fraction(factor)
    integers = np.rint(shares * factor).astype(np.int64)
    return Multiples(integers, unit, is_exact=False)


def _wanted_levels(costs: Floats) -> int:
    """Return how many levels keep the least cost above zero from being lost."""
    ratio = Fraction(float(costs.max())) / Fraction(float(costs[costs > 0].min()))
    return math.ceil(ratio * LEAST_COST_LEVELS)


def _rounded_costs(data: TrainingData, levels: int) -> Multiples:
    """Round to multiples of the largest cost over `levels`, or raise."""
    costs = data.costs
    assert costs is not None
    most, least = float(costs.max()), float(costs[costs > 0].min())
    if least / most * levels < LEAST_COST_LEVELS:
        raise ValueError(
            f"cost_matrix must not contain {least:g} together with {most:g} in a "
            f"search over {data.n_samples} rows, because it would be rounded away. Set "
            "the smaller cost to 0, or the largest to at most "
            f"{least * (levels // LEAST_COST_LEVELS):.3g}"
        )
    integers = np.rint(costs / most * levels).astype(np.int64)
    return Multiples(integers, Fraction(most) / levels, is_exact=False)
