"""Groups of levels that a question can ask about: ``city in {Bonn, Kiel, Ulm}``.

Of n levels there are ``2**(n-1) - 1`` ways to make two groups, too many to ask about.
So levels are put in order, once for each class: those in which the class is more
frequent than in all training rows, by its share, the most frequent first. The groups
are the first two of the order, the first three, and so on up to all of it; a level by
itself has a question of its own. For two classes this is the order of Breiman et al.
(1984, section 4.2.2), in which the best groups of a single split are found, walked
from both ends.

Levels of few rows have a share by chance, and enough of them would explain any labels.
So a level is in the order of a class only when the class is more frequent in it than
chance makes it: by the exact binomial test on its rows, with at most one in ten such
levels expected to be there by chance (Benjamini and Hochberg 1995). All others, levels
never seen and missing values answer no. A column that names its rows has no order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrc

# With fewer levels, one level against the rest makes every two groups there are.
FEWEST_LEVELS = 4
# Of the levels in an order, the share that is expected to be there by chance.
FALSE_SHARE = 0.1
# Orders take a column each: more classes than this, and the most frequent have one.
MOST_CLASSES = 8


@dataclass(frozen=True, eq=False)
class ClassWeights:
    """The class of each training row, what it weighs, and how many it stands for.

    None: one.
    """

    codes: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float64] | None = None
    counts: npt.NDArray[np.int64] | None = None

    def of_rows(self, rows: npt.NDArray[np.intp]) -> ClassWeights:
        """Return the classes and weights of some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        counts = None if self.counts is None else self.counts[rows]
        return ClassWeights(self.codes[rows], weights, counts)


def learn_groups(
    levels: Sequence[Any], places: npt.NDArray[np.intp], classes: ClassWeights
) -> tuple[tuple[Any, ...], ...]:
    """Return the orders of levels, for each class that has one.

    `places` has the place of each row's level among the levels, or -1 where it is
    missing.
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
    # Sums of weights may differ in their last digits with the order of the rows.
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
    """Return the levels in which a class has more rows than chance gives it."""
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
    """Return orders, without the group of all where the others are a question too.

    Groups are few and short that way: without missing values, what is in one of two
    groups is not in the other.
    """
    kept: list[tuple[Any, ...]] = []
    for order in orders:
        rest = n_levels - len(order)
        is_twin = any(len(o) == rest and not set(o) & set(order) for o in kept)
        kept.append(order[:-1] if rest == 1 or is_twin else order)
    return kept


def places_in_order(order: Sequence[Any]) -> dict[Any, float]:
    """Return which is the smallest group that holds each level.

    It is 1 for the first two of the order, 2 for the third, ...; levels that are not
    in the order are above it, at its length.
    """
    return {level: float(max(place, 1)) for place, level in enumerate(order)}


def in_braces(levels: Sequence[Any]) -> str:
    """Return a set of levels in words, in their sorted order.

    Examples
    --------
    >>> in_braces(["Ulm", "Bonn", "a, b"])
    '{"a, b", Bonn, Ulm}'
    """
    texts = sorted((str(level) for level in levels), key=lambda t: (t.lower(), t))
    is_odd = [any(char in text for char in ',{}"') for text in texts]
    quoted = [f'"{t}"' if odd else t for t, odd in zip(texts, is_odd, strict=True)]
    return f"{{{', '.join(quoted)}}}"
