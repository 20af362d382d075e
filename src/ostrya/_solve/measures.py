"""The objectives of two classes that no sum over rows gives.

A leaf is a pair ``(negatives, positives)`` of weights on an integer grid. Losses are
exact fractions; class 1 is the positive one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

Leaf = tuple[int, int]


class Measure(Protocol):
    """What a tree loses, given its leaves."""

    def loss(self, leaves: Sequence[Leaf]) -> Fraction:
        """Return the loss of a tree with these leaves, best labels included."""
        ...

    def labels(self, leaves: Sequence[Leaf]) -> list[int]:
        """Return the label of each leaf."""
        ...


def ranking(leaves: Sequence[Leaf]) -> list[int]:
    """Return the leaves' places, those with the greatest share of positives first.

    Examples
    --------
    >>> ranking([(3, 1), (0, 2), (1, 1)])
    [1, 2, 0]
    """

    def share(place: int) -> Fraction:
        negatives, positives = leaves[place]
        return Fraction(positives, negatives + positives or 1)

    # Of equal shares the first place comes first, for sorting keeps their order.
    return sorted(range(len(leaves)), key=lambda place: -share(place))


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

    def loss(self, leaves: Sequence[Leaf]) -> Fraction:
        """Return the share of the area that is missing."""
        negatives = sum(leaf[0] for leaf in leaves)
        positives = sum(leaf[1] for leaf in leaves)
        reach = self.max_fpr * negatives
        passed, above, missing = Fraction(0), positives, Fraction(0)
        for place in ranking(leaves):
            n, p = leaves[place]
            width = min(Fraction(n), reach - passed)
            if n:
                missing += width * (2 * above - p * width / n)
            passed += width
            above -= p
        return missing / (2 * reach * positives)

    def labels(self, leaves: Sequence[Leaf]) -> list[int]:
        """Return the more common class of each leaf, 0 where they tie."""
        return [int(p > n) for n, p in leaves]


@dataclass(frozen=True)
class FScore:
    """One minus the F-score; `square` is beta squared.

    The loss is ``(FP + square FN) / ((1 + square) P - FN + FP)``. A ratio of linear
    functions is least at a corner of the ROC convex hull, so of all labelings only
    those need be looked at that call the first leaves of the ranking positive.

    Examples
    --------
    >>> FScore(Fraction(1)).loss([(2, 3), (4, 1)])
    Fraction(1, 3)
    >>> FScore(Fraction(1)).labels([(2, 3), (4, 1)])
    [1, 0]
    """

    square: Fraction

    def _best_cut(self, leaves: Sequence[Leaf]) -> tuple[Fraction, list[int]]:
        """Return the least loss of calling the first leaves positive, and these.

        Where losses tie, the fewer leaves. Losses are compared as pairs of integers:
        making a fraction of each takes a dozen times as long.
        """
        upper, lower = self.square.numerator, self.square.denominator
        positives = sum(leaf[1] for leaf in leaves)
        fp, fn = 0, positives
        order = ranking(leaves)
        best, over, n_first = upper * fn, upper * positives, 0
        for n_taken, place in enumerate(order, start=1):
            fp, fn = fp + leaves[place][0], fn - leaves[place][1]
            errors = lower * fp + upper * fn
            whole = (lower + upper) * positives - lower * fn + lower * fp
            if errors * over < best * whole:
                best, over, n_first = errors, whole, n_taken
        return Fraction(best) / Fraction(over), order[:n_first]

    def of_errors(
        self, fp: Fraction | int, fn: Fraction | int, positives: Fraction | int
    ) -> Fraction:
        """Return the loss of these weights of errors, of this weight of positives."""
        whole = (1 + self.square) * positives - fn + fp
        return (fp + self.square * fn) / whole

    def loss(self, leaves: Sequence[Leaf]) -> Fraction:
        """Return the loss under the best labels."""
        return self._best_cut(leaves)[0]

    def labels(self, leaves: Sequence[Leaf]) -> list[int]:
        """Return the best labels, with as few positive leaves as can be."""
        first = set(self._best_cut(leaves)[1])
        return [int(place in first) for place in range(len(leaves))]


@dataclass(frozen=True)
class Monotone:
    """A loss of the caller's own, which grows with both kinds of error.

    Examples
    --------
    >>> most = Monotone(lambda fp, fn: Fraction(max(fp, fn)))
    >>> most.loss([(2, 3), (4, 1)]), most.labels([(2, 3), (4, 1)])
    (Fraction(2, 1), [1, 0])
    """

    function: Callable[[int, int], Fraction]

    def _best(self, leaves: Sequence[Leaf]) -> tuple[Fraction, list[int]]:
        """Return the least loss and its labels; labelings beaten in both counts go."""
        fp, fn = np.zeros(1, np.int64), np.zeros(1, np.int64)
        steps = []  # of each leaf: its label in each labeling, and what it was added to
        for n, p in leaves:
            all_fp = np.concatenate([fp, fp + n])
            all_fn = np.concatenate([fn + p, fn])
            order = np.lexsort((all_fn, all_fp))  # stable: label 0 comes first
            in_order = all_fn[order]
            is_kept = np.ones(len(order), dtype=bool)
            is_kept[1:] = in_order[1:] < np.minimum.accumulate(in_order)[:-1]
            kept = order[is_kept]
            steps.append((kept >= len(fp), kept % len(fp)))
            fp, fn = all_fp[kept], all_fn[kept]
        losses = [self.function(*c) for c in zip(fp.tolist(), fn.tolist(), strict=True)]
        loss = min(losses)
        place = losses.index(loss)
        labels = []
        for is_positive, source in reversed(steps):
            labels.append(int(is_positive[place]))
            place = source[place]
        return loss, labels[::-1]

    def loss(self, leaves: Sequence[Leaf]) -> Fraction:
        """Return the loss under the best labels."""
        return self._best(leaves)[0]

    def labels(self, leaves: Sequence[Leaf]) -> list[int]:
        """Return the best labels."""
        return self._best(leaves)[1]
