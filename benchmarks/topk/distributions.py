"""The distributions D(h, K) of the theorems, enumerated point by point.

Each has h features that together explain the label, and K - 1 features that each
explain a little of it; `width` is the K of the paper. Every point of the cube occurs
once for each label, weighted by its probability, so accuracies are exact and nothing is
sampled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import numpy.typing as npt

Bits = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Distribution:
    """Points, labels, and how often each is drawn, as whole numbers."""

    X: npt.NDArray[np.float64]
    y: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


def parity_mixture(h: int, width: int, eps: Fraction) -> Distribution:
    """Parity of h bits; with probability `eps` a random one of the others.

    Blanc et al. 2023 (NeurIPS), section 4.1.
    """
    return _mixture(h, width, eps, lambda x: Fraction(sum(x) % 2), _mean)


def tribes_mixture(h: int, width: int, eps: Fraction, tribe: int = 2) -> Distribution:
    """Tribes of h bits; with probability `eps` the majority of the others.

    Tribes asks whether all bits of some block of `tribe` are set; both functions only
    rise with their bits. Blanc et al. 2023 (NeurIPS), section 4.2.
    """

    def tribes(x: Bits) -> Fraction:
        blocks = (x[at : at + tribe] for at in range(0, h, tribe))
        return Fraction(any(all(block) for block in blocks))

    def majority(x: Bits) -> Fraction:
        return Fraction(2 * sum(x) > len(x)) if len(x) % 2 else _half_up(x)

    return _mixture(h, width, eps, tribes, majority)


def _mean(x: Bits) -> Fraction:
    return Fraction(sum(x), len(x))


def _half_up(x: Bits) -> Fraction:
    """Majority of an even number of bits: a tie is a coin toss."""
    return Fraction((2 * sum(x) > len(x)) + (2 * sum(x) >= len(x)), 2)


def _mixture(
    h: int,
    width: int,
    eps: Fraction,
    rule: Callable[[Bits], Fraction],
    noise: Callable[[Bits], Fraction],
) -> Distribution:
    points = list(product((0, 1), repeat=h + width - 1))
    ones = [(1 - eps) * rule(x[:h]) + eps * noise(x[h:]) for x in points]
    unit = np.lcm.reduce([share.denominator for share in ones])
    positive = np.array([int(share * int(unit)) for share in ones])
    weights = np.concatenate([positive, unit - positive]).astype(np.float64)
    y = np.repeat([1, 0], len(points))
    X = np.array(points * 2, dtype=np.float64)
    return Distribution(X[weights > 0], y[weights > 0], weights[weights > 0])
