"""The objectives of two classes that no sum over rows gives.

A leaf is a pair ``(negatives, positives)`` of weights on an integer grid; all leaves of
a tree are rows of an array. Losses are exact fractions; class 1 is the positive one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ostrya._solve.labelings import best_labels

Leaf = tuple[int, int]
#: As an array of int64 they are counted without a fraction for each.
Leaves = Sequence[Leaf] | npt.NDArray[np.int64]

# Shares of so much weight that differ do so as floats, in the same order: they are
# 2**-52 apart, and rounding moves them by 2**-54.
MOST_EXACT = 2**26
# Twice as many pairs of rows are below 2**63.
MOST_PAIRS = 2**61
# Labelings by their loss in floats that are compared exactly; rounding is far below.
ROUNDING = 1e-9


class Measure(Protocol):
    """What a tree loses, given its leaves."""

    def weigh(self, leaves: Leaves) -> tuple[Fraction, list[int]]:
        """Return the loss of a tree with these leaves, and the label of each."""
        ...

    def loss(self, leaves: Leaves) -> Fraction:
        """Return the loss of a tree with these leaves, best labels included."""
        ...


def ranking(leaves: Leaves) -> list[int]:
    """Return the leaves' places, those with the greatest share of positives first.

    Examples
    --------
    >>> ranking([(3, 1), (0, 2), (1, 1)])
    [1, 2, 0]
    """
    if isinstance(leaves, np.ndarray):
        total = leaves.sum(axis=1)
        if total.sum() <= MOST_EXACT:
            share = leaves[:, 1] / np.maximum(total, 1)
            order: list[int] = np.argsort(-share, kind="stable").tolist()
            return order
        leaves = leaves.tolist()

    def exact_share(place: int) -> Fraction:
        negatives, positives = leaves[place]
        return Fraction(positives, negatives + positives or 1)

    # Of equal shares the first place comes first, for sorting keeps their order.
    return sorted(range(len(leaves)), key=lambda place: -exact_share(place))


@dataclass(frozen=True)
class RocArea:
    """One minus the area under the ROC convex hull left of `max_fpr`, over its width.

    Examples
    --------
    >>> RocArea(Fraction(1)).loss([(1, 3), (3, 1)])
    Fraction(1, 4)
    >>> RocArea(Fraction(1, 4)).loss([(1, 3), (3, 1)])
    Fraction(5, 8)
    """

    max_fpr: Fraction

    def weigh(self, leaves: Leaves) -> tuple[Fraction, list[int]]:
        """Return the loss, and the more common class of each leaf, 0 if they tie."""
        return self.loss(leaves), [int(p > n) for n, p in leaves]

    def loss(self, leaves: Leaves) -> Fraction:
        """Return the share of the area that is missing."""
        order = ranking(leaves)
        if isinstance(leaves, np.ndarray):
            return self._loss_of_counts(leaves[order])
        negatives = sum(leaf[0] for leaf in leaves)
        positives = sum(leaf[1] for leaf in leaves)
        reach = self.max_fpr * negatives
        passed, above, missing = Fraction(0), positives, Fraction(0)
        for place in order:
            n, p = leaves[place]
            width = min(Fraction(n), reach - passed)
            if n:
                missing += width * (2 * above - p * width / n)
            passed += width
            above -= p
        return missing / (2 * reach * positives)

    def _loss_of_counts(self, ranked: npt.NDArray[np.int64]) -> Fraction:
        """Do the same with whole numbers; a fraction is the leaf the area ends in."""
        n, p = ranked[:, 0], ranked[:, 1]
        negatives, positives = int(n.sum()), int(p.sum())
        if negatives * positives > MOST_PAIRS:  # int64 cannot add up so many
            n, p = n.astype(object), p.astype(object)
        reach = self.max_fpr * negatives
        passed, above = np.cumsum(n), positives - np.cumsum(p) + p
        ends = passed.astype(np.int64)
        n_whole = int(np.searchsorted(ends, math.floor(reach), side="right"))
        missing = Fraction(int((n * (2 * above - p))[:n_whole].sum()))
        if n_whole < len(n):
            width = reach - int(passed[n_whole]) + int(n[n_whole])
            slope = Fraction(int(p[n_whole]), int(n[n_whole]))
            missing += width * (2 * int(above[n_whole]) - slope * width)
        return missing / (2 * reach * positives)


@dataclass(frozen=True)
class FScore:
    """One minus the F-score; `square` is beta squared.

    The loss is ``(FP + square FN) / ((1 + square) P - FN + FP)``. A ratio of linear
    functions is least at a corner of the ROC convex hull, so of all labelings only
    those need be looked at that call the first leaves of the ranking positive.

    Examples
    --------
    >>> FScore(Fraction(1)).weigh([(2, 3), (4, 1)])
    (Fraction(1, 3), [1, 0])
    """

    square: Fraction

    def _best_cut(self, leaves: Leaves) -> tuple[Fraction, list[int]]:
        """Return the least loss of calling the first leaves positive, and these.

        Where losses tie, the fewer leaves. Losses are compared as pairs of integers:
        making a fraction of each takes a dozen times as long.
        """
        upper, lower = self.square.numerator, self.square.denominator
        order = ranking(leaves)
        if isinstance(leaves, np.ndarray):
            cuts, positives = self._least_in_floats(leaves[order])
        else:
            positives = sum(leaf[1] for leaf in leaves)
            cuts = list(_cuts(leaves, order, positives))
        best, over, n_first = upper * positives, upper * positives, 0
        for n_taken, fp, fn in cuts:
            errors = lower * fp + upper * fn
            whole = (lower + upper) * positives - lower * fn + lower * fp
            if errors * over < best * whole:
                best, over, n_first = errors, whole, n_taken
        return Fraction(best) / Fraction(over), order[:n_first]

    def _least_in_floats(
        self, ranked: npt.NDArray[np.int64]
    ) -> tuple[list[tuple[int, int, int]], int]:
        """Return the cuts that may be best, and the weight of positives."""
        fp, found = np.cumsum(ranked[:, 0]), np.cumsum(ranked[:, 1])
        positives = int(found[-1])
        fn, square = positives - found, float(self.square)
        loss = (fp + square * fn) / ((1 + square) * positives - fn + fp)
        (near,) = np.nonzero(loss <= loss.min() * (1 + ROUNDING))
        cuts = np.column_stack([near + 1, fp[near], fn[near]])
        return cuts.tolist(), positives

    def of_errors(
        self, fp: Fraction | int, fn: Fraction | int, positives: Fraction | int
    ) -> Fraction:
        """Return the loss of these weights of errors, of this weight of positives."""
        whole = (1 + self.square) * positives - fn + fp
        return (fp + self.square * fn) / whole

    def weigh(self, leaves: Leaves) -> tuple[Fraction, list[int]]:
        """Return the least loss and its labels, with few positive leaves."""
        loss, first = self._best_cut(leaves)
        labels = np.zeros(len(leaves), dtype=int)
        labels[first] = 1
        return loss, labels.tolist()

    def loss(self, leaves: Leaves) -> Fraction:
        """Return the loss under the best labels."""
        return self._best_cut(leaves)[0]


def _cuts(
    leaves: Sequence[Leaf], order: list[int], positives: int
) -> Iterator[tuple[int, int, int]]:
    """Yield how many leaves are called positive, and the errors of that."""
    fp, fn = 0, positives
    for n_taken, place in enumerate(order, start=1):
        fp, fn = fp + leaves[place][0], fn - leaves[place][1]
        yield n_taken, fp, fn


@dataclass(frozen=True)
class Monotone:
    """A loss of the caller's own, which grows with both kinds of error.

    Examples
    --------
    >>> most = Monotone(lambda fp, fn: Fraction(max(fp, fn)))
    >>> most.weigh([(2, 3), (4, 1)])
    (Fraction(2, 1), [1, 0])
    """

    function: Callable[[int, int], Fraction]

    def weigh(self, leaves: Leaves) -> tuple[Fraction, list[int]]:
        """Return the least loss and its labels."""
        return best_labels(leaves, self.function)

    def loss(self, leaves: Leaves) -> Fraction:
        """Return the loss under the best labels."""
        return self.weigh(leaves)[0]
