"""Theorems 1 to 3: the accuracy of Top-k on D(h, K)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log

import ostrya
from benchmarks.topk.distributions import Distribution, parity_mixture, tribes_mixture
from benchmarks.topk.monotone import TribesBesideMajority

#: (h, K, eps) of the parity mixture, Theorems 1 and 2.
PARITY = (
    (3, 4, Fraction(1, 10)),
    (4, 5, Fraction(1, 20)),
    (5, 4, Fraction(1, 10)),
    (6, 8, Fraction(1, 50)),
)
#: (h, K, eps) of the monotone mixture at sizes that can be written out. The gap of
#: Theorem 3 is not there yet: the pull of a tribe's bit must fall below that of a
#: majority's, eps times over.
TRIBES = (
    (4, 4, Fraction(9, 20)),
    (6, 6, Fraction(9, 20)),
    (8, 8, Fraction(9, 20)),
)
#: (bits of a tribe, majority bits for each Tribes bit, eps) where the gap is open.
WIDE_TRIBES = ((8, 3, 0.35), (10, 3, 0.2), (12, 3, 0.15), (14, 4, 0.1))


def wide(width: int, votes: int, eps: float) -> TribesBesideMajority:
    """Return the mixture with as many tribes as make Tribes a fair coin."""
    tribes = round(log(2) * 2**width)
    return TribesBesideMajority(width, tribes, votes * width * tribes | 1, eps)


def accuracy(
    drawn: Distribution, k: int, depth: int, criterion: str = "entropy"
) -> float:
    """Return the accuracy, over the distribution, of the Top-k tree grown on it."""
    outcome = ostrya.solve(
        drawn.X,
        drawn.y,
        sample_weight=drawn.weights,
        leaf_penalty=0.0,
        max_depth=depth,
        top_k=ostrya.top_k.TopKSplits(k=k, criterion=criterion),
    )
    return 1 - outcome.loss


def report() -> Iterator[str]:
    """Yield the lines of the experiment."""
    yield "Theorem 1: parity of h features beside K - 1 weak ones; depth h"
    for h, width, eps in PARITY:
        drawn = parity_mixture(h, width, eps)
        yield f"  h={h} K={width} eps={float(eps):g}: " + _by_k(drawn, width, h)
    yield "Theorem 2: the same with depth h + K - k - 1 for Top-k"
    for h, width, eps in PARITY[:3]:
        drawn = parity_mixture(h, width, eps)
        told = [
            f"k={k} {accuracy(drawn, k, h + width - k - 1):.4f}"
            for k in range(1, width)
        ]
        yield f"  h={h} K={width} eps={float(eps):g}: {'  '.join(told)}"
    yield "Theorem 3: the same for monotone labels, bounds from states; depth h"
    for size in WIDE_TRIBES:
        far = wide(*size)
        yield (
            f"  h={far.depth} K={far.votes + 1} eps={far.eps:g}: "
            f"k=K >= {far.top_all_at_least():.4f}  "
            f"k<={far.most_choices} <= {far.top_k_at_most():.4f}"
        )
    yield "Tribes of h features, majority of K - 1 others, point by point; depth h"
    for h, width, eps in TRIBES:
        drawn = tribes_mixture(h, width, eps)
        yield f"  h={h} K={width} eps={float(eps):g}: " + _by_k(drawn, width, h)


def _by_k(drawn: Distribution, width: int, depth: int) -> str:
    return "  ".join(
        f"k={k} {accuracy(drawn, k, depth):.4f}" for k in range(1, width + 1)
    )
