"""Floats recognised as integer multiples of one unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

# Ratios of integers are looked for up to this denominator. Its square is well below
# 2**53, so a float lies within rounding of one such ratio at most.
MOST_PARTS = 2**24
MILLION = 10**6
# Decimals of up to twelve digits behind the point are taken as they are written.
MOST_DECIMAL = 10**12
# A sum or product of a few floats is off by this many units in its last place.
ROUNDING = 2
_BYTES_OF_ONE = np.int64(1).tobytes()  # immutable, and so is every array made of it
ONE = Fraction(1)
# Multiples beyond this are not looked for: sums of them would soon leave int64.
MOST_MULTIPLE = 2**52


@dataclass(frozen=True, eq=False)
class Multiples:
    """Numbers ``integers * unit``."""

    integers: Integers  # >= 0
    unit: Fraction  # > 0
    is_exact: bool = True  # False: some were rounded to a multiple

    @cached_property
    def total(self) -> int:
        """Sum of the integers; above 2**53 to the precision of a float."""
        if self.integers.strides == (0,):  # one number, seen many times
            return self.integers.size * int(self.integers[0])
        # Below 2**53 float64 adds integers exactly, and above it cannot overflow.
        return int(self.integers.sum(dtype=np.float64))

    @cached_property
    def largest(self) -> int:
        """The largest of the integers."""
        return int(self.integers.max())


def equal_multiples(n: int) -> Multiples:
    """Return `n` ones, which take the memory of a single one.

    Examples
    --------
    >>> equal_multiples(3).integers
    array([1, 1, 1])
    """
    return Multiples(np.ndarray(n, np.int64, _BYTES_OF_ONE, strides=(0,)), ONE)


def written_ratio(value: float) -> Fraction:
    """Return the ratio a float was written as: a short fraction or a decimal.

    A float of many digits was computed rather than written. It stands for the simplest
    ratio that rounds to the same float, which has about half as many digits.

    Examples
    --------
    >>> written_ratio(1 / 3), written_ratio(0.123456789)
    (Fraction(1, 3), Fraction(123456789, 1000000000))
    >>> written_ratio(2**0.5)
    Fraction(131836323, 93222358)
    """
    # Most numbers that people write have few digits; below one, a float lies within
    # rounding of one short ratio at most, and it is found sooner this way.
    parts = round(value * MILLION) if 0 <= value < 1 else 0
    if parts / MILLION == value:
        return Fraction(parts, MILLION)
    short = _short_ratio(value)
    if short is not None:
        return short
    decimal = Fraction(repr(value))
    off = Fraction(math.ulp(value)) / 2
    if decimal.denominator <= MOST_DECIMAL or value <= off:
        return decimal
    return simplest_between(Fraction(value) - off, Fraction(value) + off)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the ratio of least denominator from `low` to `high`, both at least 0."""
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    whole -= 1
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def exact_multiples(values: Floats) -> Multiples | None:
    """Return values >= 0 as the least possible multiples, or None.

    Values count as exact when each is, to within rounding, a ratio of small integers;
    or when each has such a ratio to the largest value.

    Examples
    --------
    >>> found = exact_multiples(np.array([0.1, 0.25, 1 / 3]))
    >>> found.integers, found.unit
    (array([ 6, 15, 20]), Fraction(1, 60))
    >>> exact_multiples(np.array([1.0, 2**0.5])) is None
    True
    """
    if values.max() <= MOST_MULTIPLE and np.array_equal(values, np.floor(values)):
        integers = values.astype(np.int64)
        divisor = max(int(np.gcd.reduce(integers, axis=None)), 1)
        return Multiples(integers // divisor, Fraction(divisor))
    distinct, place = np.unique(values, return_inverse=True)
    largest = float(distinct[-1])
    for base in (1.0, largest):
        ratios = _short_ratios((distinct / base).tolist())
        if ratios is None:
            continue
        unit = Fraction(
            math.gcd(*(ratio.numerator for ratio in ratios)),
            math.lcm(*(ratio.denominator for ratio in ratios)),
        )
        if ratios[-1] / unit <= MOST_MULTIPLE:
            integers = np.array([int(ratio / unit) for ratio in ratios], dtype=np.int64)
            return Multiples(
                integers[place].reshape(values.shape), unit * Fraction(base)
            )
    return None


def _short_ratios(values: Iterable[float]) -> list[Fraction] | None:
    """Return each value as a short ratio, or None at the first that is none.

    Unrelated values are found out early: their common denominator soon grows beyond
    any use.
    """
    ratios = []
    common = 1
    for value in values:
        ratio = _short_ratio(value)
        if ratio is None:
            return None
        common = math.lcm(common, ratio.denominator)
        if common.bit_length() > 128:
            return None
        ratios.append(ratio)
    return ratios


def _short_ratio(value: float) -> Fraction | None:
    ratio = Fraction(value).limit_denominator(MOST_PARTS)
    top, bottom = value.as_integer_ratio()
    step, steps = math.ulp(value).as_integer_ratio()
    # |ratio - value| <= ROUNDING * ulp, in integers
    apart = abs(ratio.numerator * bottom - top * ratio.denominator) * steps
    is_close = apart <= ROUNDING * step * bottom * ratio.denominator
    is_lost = ratio == 0 and value != 0  # the least floats lie within rounding of zero
    return ratio if is_close and not is_lost else None
