"""The integer grid of a problem in which each row has its own cost for each label.

With weights ``w`` and costs ``c``, label ``l`` gains ``g[l] = w * (max(c) - c[l])`` on
a row over the most expensive label. The engine minimises ``T - sum of the gains of the
labels of the leaves``, where T is the sum of all gains, so for ``g = u * G``, G whole,

    loss = (sum(w * max(c)) - u * T) / sum(w) + (u / sum(w)) * (T - sum(G[label]))

If weights and costs are multiples of one unit each and fit the limits of `grid`, this
is exact. Otherwise gains are rounded to the finest grid that fits. A rounded gain is
off by at most two units: half a unit from rounding, and at most 3/2 from the three
operations on floats before it, because gains stay below 2**52 units. The loss of a tree
is then off by at most two units per row. The slack of the grid is this, and what the
rounding of the weighted costs adds.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ostrya._solve.grid import LEAST_LEVELS, MOST_COST, MOST_LOSS, Grid
from ostrya._solve.multiples import (
    Floats,
    Integers,
    Multiples,
    equal_multiples,
    exact_multiples,
    written_ratio,
)
from ostrya._solve.training_data import TrainingData

# A gain rounded to the grid is off by at most this many units.
MOST_OFF = 2


class _Gains(NamedTuple):
    """Gains in units of the grid, and the sums of weights and highest costs."""

    integers: Integers  # (n_samples, n_labels)
    unit: Fraction
    mass: Fraction  # sum of the weights
    highest_sum: Fraction  # sum of weight times highest cost
    off: Fraction  # by how much a loss may be off, before it is divided by the mass


def to_row_cost_grid(data: TrainingData) -> Grid:
    """Put the costs of the rows and the penalty on the integer grid."""
    assert data.row_costs is not None
    weights = None
    if data.weights is not None:
        weights = exact_multiples(data.weights)
    else:
        weights = equal_multiples(data.n_samples)
    penalty = written_ratio(data.leaf_penalty)
    limit = _limit(data, penalty)
    gains = None if weights is None else _exact(data.row_costs, weights, limit)
    if gains is None:
        gains = _rounded(data.row_costs, data.weights, limit)
    total = int(gains.integers.sum())
    rate = penalty / gains.unit * gains.mass
    most = data.n_samples + 1  # no tree has more leaves than rows
    largest = total + -(-rate.numerator * most // rate.denominator)
    finest = (MOST_COST - 1 - most) // max(largest, 1)
    scale = rate.denominator if rate.denominator <= finest else finest
    slack = gains.off / gains.mass
    n_labels = data.n_classes
    return Grid(
        weights=equal_multiples(data.n_samples).integers,
        costs=1 - np.eye(n_labels, dtype=np.int64),
        scale=scale,
        penalty=math.floor(rate * scale),
        unit=gains.unit / (scale * gains.mass),
        least=(gains.highest_sum - gains.unit * total) / gains.mass,
        is_exact=slack == 0 and scale == rate.denominator,
        slack=slack,
        gains=gains.integers,
    )


def _limit(data: TrainingData, penalty: Fraction) -> int:
    """Return the largest sum of gains that leaves room for the penalties."""
    assert data.row_costs is not None
    n = data.n_samples
    gained = _mean_gain(data.row_costs, data.weights)
    if not gained:
        return MOST_LOSS - 1
    a_leaf = penalty / Fraction(gained)
    room = math.floor((MOST_COST - 4 * n) / (1 + a_leaf * (n + 2)))
    if room < LEAST_LEVELS * n:
        raise ValueError(
            f"leaf_penalty must be less than what labels can save, {gained:g} per row "
            f"on average; got {data.leaf_penalty}. From there on, a single leaf is "
            "always optimal"
        )
    return min(room, MOST_LOSS - 1)


def _mean_gain(costs: Floats, weights: Floats | None) -> float:
    """Return the mean over the rows of what all labels gain together."""
    gains = (costs.max(axis=1, keepdims=True) - costs).sum(axis=1)
    if weights is None:
        return math.fsum(gains.tolist()) / len(gains)
    return math.fsum((gains * (weights / weights.max())).tolist()) / math.fsum(
        (weights / weights.max()).tolist()
    )


def _exact(costs: Floats, weights: Multiples, limit: int) -> _Gains | None:
    """Return the gains as exact integers, or None if there are none that fit."""
    sizes = exact_multiples(np.abs(costs))
    if sizes is None:
        return None
    wholes = np.where(costs < 0, -sizes.integers, sizes.integers)
    highest = wholes.max(axis=1)
    gains = highest[:, np.newaxis] - wholes
    # In floats first, because the integers may overflow.
    rows = gains.sum(axis=1, dtype=np.float64) * weights.integers
    if rows.sum() > 0.99 * limit or weights.total * sizes.largest >= MOST_COST:
        return None
    unit = sizes.unit * weights.unit
    highest_sum = int((highest * weights.integers).sum())
    return _Gains(
        integers=np.ascontiguousarray(gains * weights.integers[:, np.newaxis]),
        unit=unit,
        mass=weights.total * weights.unit,
        highest_sum=highest_sum * unit,
        off=Fraction(0),
    )


def _rounded(costs: Floats, weights: Floats | None, limit: int) -> _Gains:
    """Return the gains rounded to the finest grid whose sums stay within the limit."""
    n, n_labels = costs.shape
    highest = costs.max(axis=1)
    gains = highest[:, np.newaxis] - costs
    if weights is not None:
        gains = gains * weights[:, np.newaxis]
        highest = highest * weights
    mass = Fraction(n if weights is None else math.fsum(weights.tolist()))
    largest = float(gains.max())
    factor = 1.0
    if largest > 0:
        shares = gains / largest
        total = math.fsum(shares.sum(axis=1).tolist())
        # Rounding adds at most two units per gain.
        factor = (limit - MOST_OFF * n * n_labels) / total
        gains = shares
    unit = Fraction(largest or 1.0) / Fraction(factor)
    highest_sum = math.fsum(highest.tolist())
    integers = np.rint(gains * factor).astype(np.int64)
    # Products and sums of them are rounded, by half a unit in the last place each.
    sizes = Fraction(math.fsum(np.abs(highest).tolist())) + unit * int(integers.sum())
    noise = sizes / 2**50
    return _Gains(
        integers=np.ascontiguousarray(integers),
        unit=unit,
        mass=mass,
        highest_sum=Fraction(highest_sum),
        off=(MOST_OFF * n * unit if largest > 0 else 0) + noise,
    )
