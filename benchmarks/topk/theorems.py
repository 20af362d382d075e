"""Theorems 1 to 3: the accuracy of Top-k on D(h, K), exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import ostrya
from benchmarks.topk.distributions import Distribution, parity_mixture, tribes_mixture

#: (h, K, eps) of the parity mixture, Theorems 1 and 2.
PARITY = (
    (3, 4, Fraction(1, 10)),
    (4, 5, Fraction(1, 20)),
    (5, 4, Fraction(1, 10)),
    (6, 8, Fraction(1, 50)),
)
#: (h, K, eps) of the monotone mixture, Theorem 3. Its gap opens only as h grows: the
#: influence of a tribe's bit must fall below that of a majority's, eps times over.
TRIBES = (
    (4, 4, Fraction(9, 20)),
    (6, 6, Fraction(9, 20)),
    (8, 8, Fraction(9, 20)),
)


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
        top_k=ostrya.TopK(k=k, criterion=criterion),
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
    yield "Theorem 3: tribes of h features, majority of K - 1 others; depth h"
    for h, width, eps in TRIBES:
        drawn = tribes_mixture(h, width, eps)
        yield f"  h={h} K={width} eps={float(eps):g}: " + _by_k(drawn, width, h)


def _by_k(drawn: Distribution, width: int, depth: int) -> str:
    return "  ".join(
        f"k={k} {accuracy(drawn, k, depth):.4f}" for k in range(1, width + 1)
    )
