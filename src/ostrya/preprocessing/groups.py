"""Form groups of levels that a split can test for: ``city in {Bonn, Kiel, Ulm}``.

With n levels there are ``2**(n-1) - 1`` ways to divide them into two groups, too many
to search. So levels are sorted once for each class. The order of a class contains the
levels in which the class is more frequent than in all training rows, by decreasing
share of the class. The candidate groups are the first two levels of the order, the
first three, and so on up to all of it; single levels have columns of their own. For two
classes these are the prefixes, from both ends, of the order of Breiman et al. (1984,
section 4.2.2), which contains the best groups of a single split.

In a level with few rows the share of a class is mostly random, and enough such levels
would explain any labels. So the order of a class contains only levels in which the
class is significantly more frequent: by the exact binomial test on their rows, with a
false discovery rate of at most 10% (Benjamini and Hochberg 1995). All other levels,
unknown levels and missing values answer "no". A column that looks like an identifier
has no order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrc

# With fewer levels, every division into two groups is one level against the rest.
FEWEST_LEVELS = 4
# The false discovery rate: the share of the levels of an order that may be random.
FALSE_SHARE = 0.1
# Each order needs a column. With more classes, only the most frequent ones have one.
MOST_CLASSES = 8


@dataclass(frozen=True, eq=False)
class ClassWeights:
    """The class of each training row, its weight, and the number of rows it represents.

    Weights and counts are 1 if they are None.
    """

    codes: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float64] | None = None
    counts: npt.NDArray[np.int64] | None = None

    def of_rows(self, rows: npt.NDArray[np.intp]) -> ClassWeights:
        """Return the classes, weights and counts of some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        counts = None if self.counts is None else self.counts[rows]
        return ClassWeights(self.codes[rows], weights, counts)


def learn_groups(
    levels: Sequence[Any], places: npt.NDArray[np.intp], classes: ClassWeights
) -> tuple[tuple[Any, ...], ...]:
    """Return an order of levels for each class that has one.

    `places` contains the index of each row's level, or -1 if it is missing.
    """
    known = places >= 0
    if len(levels) < FEWEST_LEVELS or not known.any():
        return ()
    places, codes = places[known], classes.codes[known]
    weights = None if classes.weights is None else classes.weights[known]
    n_rows = None if classes.counts is None else classes.counts[known]
    n_classes = int(classes.codes.max()) + 1
    counts, mass = (
        np.bincount(
            places * n_classes + codes, each, minlength=len(levels) * n_classes
        ).reshape(len(levels), n_classes)
        for each in (n_rows, weights)
    )
    counts = counts.astype(np.intp)
    # Rounded, because the last digits of sums depend on the order of the rows.
    share = np.round(mass / mass.sum(axis=1, keepdims=True), 12)
    total = mass.sum(axis=0)
    orders = []
    for code in sorted(np.argsort(-total, kind="stable")[:MOST_CLASSES].tolist()):
        chosen = _beyond_chance(counts[:, code], counts.sum(axis=1))
        chosen = chosen[np.argsort(-share[chosen, code], kind="stable")]
        orders.append(tuple(levels[place] for place in chosen.tolist()))
    orders = sorted(dict.fromkeys(orders), key=len)  # ties keep the order of classes
    if known.all():
        orders = _without_twins(orders, len(levels))
    return tuple(order for order in orders if len(order) > 1)


def _beyond_chance(
    counts: npt.NDArray[np.intp], rows: npt.NDArray[np.intp]
) -> npt.NDArray[np.intp]:
    """Return the levels in which a class is significantly more frequent."""
    chance = bdtrc(counts - 1, rows, counts.sum() / rows.sum())
    chance[counts == 0] = 1.0
    order = np.argsort(chance, kind="stable")
    allowed = FALSE_SHARE * np.arange(1, len(order) + 1) / len(order)
    passes = np.flatnonzero(chance[order] <= allowed)
    n_kept = passes[-1] + 1 if len(passes) else 0
    return np.sort(order[:n_kept])


def _without_twins(
    orders: list[tuple[Any, ...]], n_levels: int
) -> list[tuple[Any, ...]]:
    """Shorten orders whose largest group is the complement of another candidate.

    Without missing values, a group and its complement give the same split, so one of
    them is enough.
    """
    kept: list[tuple[Any, ...]] = []
    for order in orders:
        rest = n_levels - len(order)
        is_twin = any(len(o) == rest and not set(o) & set(order) for o in kept)
        kept.append(order[:-1] if rest == 1 or is_twin else order)
    return kept


def places_in_order(order: Sequence[Any]) -> dict[Any, float]:
    """Return the rank of the smallest group that contains each level.

    The rank is 1 for the first two levels, 2 for the third, and so on. Callers use the
    length of the order as the rank of all other levels.
    """
    return {level: float(max(place, 1)) for place, level in enumerate(order)}


def in_braces(levels: Sequence[Any]) -> str:
    """Return a set of levels as text, sorted.

    Examples
    --------
    >>> in_braces(["Ulm", "Bonn", "a, b"])
    '{"a, b", Bonn, Ulm}'
    """
    texts = sorted((str(level) for level in levels), key=lambda t: (t.lower(), t))
    is_odd = [any(char in text for char in ',{}"') for text in texts]
    quoted = [f'"{t}"' if odd else t for t, odd in zip(texts, is_odd, strict=True)]
    return f"{{{', '.join(quoted)}}}"
