"""The best labels of the leaves of a tree, under a loss of the caller's own.

Only labelings that no other beats in both kinds of error matter: a front. Weights of
many digits make it double with every leaf; then, or where leaves are very many, it is
thinned, and the labels are good ones, not always the best.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

# Points of the front, times leaves that have both classes. The search over leaf sets
# weighs no tree that takes a quarter of it, so that it is recounted exactly.
MOST_LABELINGS = 2**21
# Leaves that have both classes; of more, only labelings by their share are looked at.
MOST_MIXED = 2048
# The loss is asked at every point of a front as short as this.
FEW_POINTS = 64


def best_labels(
    leaves: npt.ArrayLike, loss: Callable[[int, int], Fraction]
) -> tuple[Fraction, list[int]]:
    """Return the least loss of labels for these ``(negatives, positives)``, and them.

    Of equal losses the fewer false positives are taken, and label 0 where labels tie.

    Examples
    --------
    >>> best_labels([(2, 3), (4, 1), (0, 2)], lambda fp, fn: Fraction(max(fp, fn)))
    (Fraction(2, 1), [1, 0, 1])
    """
    counts = np.asarray(leaves).reshape(-1, 2)
    weighs = (counts > 0).astype(bool)
    labels: list[int] = (weighs[:, 1] & ~weighs[:, 0]).astype(int).tolist()
    mixed = np.flatnonzero(weighs.all(axis=1)).tolist()
    if len(mixed) > MOST_MIXED:
        return _best_cut(counts, labels, np.array(mixed), loss)
    most = MOST_LABELINGS // max(1, len(mixed))
    fp, fn = np.zeros(1, np.int64), np.zeros(1, np.int64)
    # Of each leaf: its label in each labeling, and what it was added to.
    steps: list[tuple[npt.NDArray[np.bool_], npt.NDArray[np.int32]]] = []
    for n, p in counts[mixed].tolist():
        kept = _front(fp, fn + p, fp + n, fn)
        if len(kept) > most:
            kept = kept[np.linspace(0, len(kept) - 1, most).astype(np.intp)]
        is_positive, source = kept >= len(fp), (kept % len(fp)).astype(np.int32)
        steps.append((is_positive, source))
        fp, fn = fp[source] + n * is_positive, fn[source] + p * ~is_positive
    least, at = _least(fp, fn, loss)
    for place, (is_positive, source) in zip(mixed[::-1], steps[::-1], strict=True):
        labels[place] = int(is_positive[at])
        at = int(source[at])
    return least, labels


def _best_cut(
    counts: npt.NDArray[Any],
    labels: list[int],
    mixed: npt.NDArray[np.intp],
    loss: Callable[[int, int], Fraction],
) -> tuple[Fraction, list[int]]:
    """Return the best of the labelings that call the most positive leaves so."""
    n, p = counts[mixed].T
    order = np.argsort(-(p / (n + p)).astype(float), kind="stable")
    fp = np.concatenate([[0], np.cumsum(n[order])])
    fn = p.sum() - np.concatenate([[0], np.cumsum(p[order])])
    least, n_positive = _least(fp, fn, loss)
    for place in mixed[order[:n_positive]].tolist():
        labels[place] = 1
    return least, labels


def _front(
    fp: npt.NDArray[Any],
    fn: npt.NDArray[Any],
    more_fp: npt.NDArray[Any],
    more_fn: npt.NDArray[Any],
) -> npt.NDArray[np.intp]:
    """Return the points of two fronts that no other beats; the first are before."""
    all_fp, all_fn = np.concatenate([fp, more_fp]), np.concatenate([fn, more_fn])
    order = np.argsort(all_fp, kind="stable")  # of two sorted halves: quick
    in_order = all_fn[order]
    is_kept = np.ones(len(order), dtype=bool)
    is_kept[1:] = in_order[1:] < np.minimum.accumulate(in_order)[:-1]
    kept: npt.NDArray[np.intp] = order[is_kept]
    # Of two points with equal false positives the second kept has fewer negatives.
    is_last = np.ones(len(kept), dtype=bool)
    is_last[:-1] = all_fp[kept][1:] != all_fp[kept][:-1]
    return kept[is_last]


def _least(
    fp: npt.NDArray[Any], fn: npt.NDArray[Any], loss: Callable[[int, int], Fraction]
) -> tuple[Fraction, int]:
    """Return the least loss along a front, and the first place that has it.

    Between two places no loss is below that of the false positives of the first and
    the false negatives of the last; most of a long front is ruled out by that.
    """

    def at(first: int, last: int) -> Fraction:
        return loss(fp[first : first + 1].tolist()[0], fn[last : last + 1].tolist()[0])

    if len(fp) <= FEW_POINTS:
        return min((at(place, place), place) for place in range(len(fp)))
    last = len(fp) - 1
    best = min((at(0, 0), 0), (at(last, last), last))
    open_parts = [(at(0, last), 0, last)]
    while open_parts and (open_parts[0][0], open_parts[0][1]) < best:
        _, low, high = heapq.heappop(open_parts)
        middle = (low + high) // 2
        best = min(best, (at(middle, middle), middle))
        for part in ((low, middle - 1), (middle + 1, high)):
            if part[0] <= part[1]:
                heapq.heappush(open_parts, (at(part[0], part[1]), *part))
    return best
