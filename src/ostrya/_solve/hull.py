"""The convex hull of losses against leaves: which size is best for which penalty.

A tree of n leaves and loss l costs ``l + p * n`` at the penalty p, a line over p. The
least of all lines is concave, so every tree on it is best on one interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple


class SizedLoss(NamedTuple):
    """What is known of the trees of at most so many leaves, in integers."""

    n_leaves: int  # of the best tree known
    upper: int  # its loss
    lower: int  # no tree of so many leaves loses less


class Interval(NamedTuple):
    """Where one size is best; penalties in units of the loss."""

    place: int  # of the size
    least: Fraction
    most: Fraction | None  # None: no end
    is_proved: bool


def hull_of(sizes: Sequence[SizedLoss]) -> list[Interval]:
    """Return the intervals, from the fewest leaves to the most.

    ``sizes[h - 1]`` is about trees of at most h leaves; what the last says holds for
    larger trees too.

    Examples
    --------
    >>> sizes = [SizedLoss(1, 9, 9), SizedLoss(2, 7, 7), SizedLoss(3, 2, 2)]
    >>> [(each.place, each.least, each.most) for each in hull_of(sizes)]
    [(0, Fraction(7, 2), None), (2, Fraction(0, 1), Fraction(7, 2))]
    """
    corners: list[int] = []
    for place in range(len(sizes)):
        while corners and _is_beside_the_hull(sizes, corners, place):
            corners.pop()
        if not corners or sizes[place].upper < sizes[corners[-1]].upper:
            corners.append(place)
    ends = [_slope(sizes[one], sizes[next_one]) for one, next_one in pairwise(corners)]
    intervals = []
    for place, least, most in zip(
        corners, [*ends, Fraction(0)], [None, *ends], strict=True
    ):
        ends_of_interval = (least,) if most is None else (least, most)
        # Costs are lines over penalties: what is best at both ends is best between.
        is_proved = all(_is_best(sizes, place, end) for end in ends_of_interval)
        intervals.append(Interval(place, least, most, is_proved))
    return intervals


def _slope(few: SizedLoss, many: SizedLoss) -> Fraction:
    """Return the penalty at which two trees cost the same."""
    return Fraction(few.upper - many.upper, many.n_leaves - few.n_leaves)


def _is_beside_the_hull(
    sizes: Sequence[SizedLoss], corners: list[int], place: int
) -> bool:
    """Return whether the last corner is none, once the tree at `place` is known."""
    last, new = sizes[corners[-1]], sizes[place]
    if new.upper >= last.upper:
        return False
    if new.n_leaves <= last.n_leaves:
        return True
    return len(corners) > 1 and _slope(sizes[corners[-2]], last) <= _slope(last, new)


def _is_best(sizes: Sequence[SizedLoss], place: int, penalty: Fraction) -> bool:
    """Return whether no tree of any size costs less at this penalty."""
    cost = sizes[place].upper + penalty * sizes[place].n_leaves
    return all(size.lower + penalty * h >= cost for h, size in enumerate(sizes, 1))
