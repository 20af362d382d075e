"""Impurity: a function of the caller that ranks the splits of Top-k trees.

The search bounds the impurity that a split leaves (cpp/top_k/best_cuts.hpp), which is
valid if the function is concave, symmetric in the classes and 0 for a single class, as
the paper requires (Blanc et al. 2023, Def. 2). Each of these is checked on a fixed set
of class frequencies before the search. That cannot prove them, but finds every mistake
that is wider than the spacing of this set. The function is scaled to at most 1, because
the engine compares impurities in multiples of 2**-32.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import check_word, picture
from ostrya.top_k import CRITERIA

Shares = npt.NDArray[np.float64]
OwnCriterion = Callable[[Shares], npt.ArrayLike]

# Impurities may violate a condition by this share of the largest one: rounding errors.
TOLERANCE = 1e-9
# Steps between no and all rows of a class, in the check of two classes.
N_STEPS = 1024
# Pairs of frequencies that are drawn in the check of more classes.
N_PAIRS = 4096
# With more classes, exchanging the first with each other one checks the symmetry.
MOST_PERMUTED = 4

REMEDY = (
    "criterion must be a concave, symmetric function of class frequencies that is 0 "
    "for a single class, such as `lambda p: 1 - p.max(axis=1)`"
)


class Impurity:
    """A function of the caller as the engine calls it: scaled, and its values checked.

    Parameters
    ----------
    function : callable
        Receives an array of shape (n, n_classes), whose rows are class frequencies with
        sum 1, and returns n impurities.
    """

    def __init__(self, function: OwnCriterion) -> None:
        self._function = function
        self._scales: dict[int, float] = {}

    def __call__(self, shares: Shares) -> Shares:
        """Return the impurities, which are at most about 1."""
        n_classes = shares.shape[1]
        if n_classes not in self._scales:
            self._scales[n_classes] = largest(self._function, n_classes)
        return values(self._function, shares) / self._scales[n_classes]


def values(function: OwnCriterion, shares: Shares) -> Shares:
    """Return the impurities of class frequencies, or raise if they are none."""
    returned = function(shares)
    try:
        found = np.asarray(returned, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"criterion must return an array of numbers; got {picture(returned)}. "
            f"{REMEDY}"
        ) from None
    if found.shape != (len(shares),):
        raise ValueError(
            f"criterion must return one impurity for each of the {len(shares)} rows of "
            f"an array of shape {shares.shape}; got shape {found.shape}. Use axis=1 in "
            "sums over classes"
        )
    if not np.isfinite(found).all():
        row = np.round(shares[~np.isfinite(found)][0], 6).tolist()
        raise ValueError(
            f"criterion must be finite for all class frequencies, including 0 and 1; "
            f"got {found[~np.isfinite(found)][0]} for {row}"
        )
    return np.ascontiguousarray(found)


def largest(function: OwnCriterion, n_classes: int) -> float:
    """Return the impurity of equal frequencies, the largest there is."""
    return float(values(function, np.full((1, n_classes), 1 / n_classes))[0])


def check_criterion(criterion: Any, n_classes: int | None = None) -> None:
    """Raise unless a criterion is a known word or a function that can rank splits."""
    if not callable(criterion) or isinstance(criterion, type):
        check_word("criterion", criterion, CRITERIA, " or a function")
        return
    if n_classes is not None and n_classes > 1:
        check_impurity(criterion, n_classes)


def check_impurity(function: OwnCriterion, n_classes: int) -> None:
    """Raise unless a function is concave, symmetric, and 0 for a single class."""
    top = largest(function, n_classes)
    if top <= 0:
        raise ValueError(
            f"{REMEDY}, and above 0 for equal frequencies; got {top:g} for these"
        )
    allowed = TOLERANCE * top
    pure = values(function, np.eye(n_classes))
    if np.abs(pure).max() > allowed:
        raise ValueError(f"{REMEDY}; got {_worst(pure):g} for a single class")
    first, second = _pairs(n_classes)
    _check_symmetry(function, first, allowed)
    ends = values(function, first) + values(function, second)
    middle = (first + second) / 2
    lack = ends / 2 - values(function, middle)
    at = int(lack.argmax())
    if lack[at] > allowed:
        raise ValueError(
            f"{REMEDY}; got one that is not concave at {_shown(middle[at])}: there it "
            f"is lower than the mean of {_shown(first[at])} and {_shown(second[at])} "
            f"by {lack[at]:.3g}"
        )


def _check_symmetry(function: OwnCriterion, shares: Shares, allowed: float) -> None:
    n_classes = shares.shape[1]
    orders: list[tuple[int, ...]] = (
        list(permutations(range(n_classes)))
        if n_classes <= MOST_PERMUTED
        else [tuple(range(n_classes))[::-1], (*range(1, n_classes), 0)]
    )
    base = values(function, shares)
    for order in orders[1:] if n_classes <= MOST_PERMUTED else orders:
        change = np.abs(values(function, shares[:, order]) - base)
        at = int(change.argmax())
        if change[at] > allowed:
            raise ValueError(
                f"{REMEDY}; got {base[at]:.6g} for {_shown(shares[at])} and "
                f"{base[at] + change[at]:.6g} or {base[at] - change[at]:.6g} for the "
                "same frequencies in another order. For asymmetric costs, use "
                "cost_matrix or class_weight"
            )


def _pairs(n_classes: int) -> tuple[Shares, Shares]:
    """Return pairs of class frequencies between which concavity is checked.

    With two classes these are neighbours in a fine grid, at several distances, which
    together cover every place; with more, they are drawn, from corners to the centre.
    """
    if n_classes == 2:
        grid = np.arange(N_STEPS + 1) / N_STEPS
        firsts, seconds = [], []
        for distance in (2, 8, 64, 512, N_STEPS):
            firsts.append(grid[:-distance])
            seconds.append(grid[distance:])
        first, second = np.concatenate(firsts), np.concatenate(seconds)
        return np.stack([first, 1 - first], axis=1), np.stack(
            [second, 1 - second], axis=1
        )
    chance = np.random.default_rng(0)
    spread = chance.choice([0.1, 0.5, 1.0, 5.0], size=(2 * N_PAIRS, 1))
    mass = chance.standard_gamma(np.broadcast_to(spread, (2 * N_PAIRS, n_classes)))
    mass += 1e-300  # not all 0
    drawn = mass / mass.sum(axis=1, keepdims=True)
    first, second = drawn[:N_PAIRS], drawn[N_PAIRS:]
    near = np.arange(N_PAIRS) % 2 == 0  # half of the pairs are close together
    second[near] = 0.95 * first[near] + 0.05 * second[near]
    return first, second


def _worst(found: Shares) -> float:
    return float(found[np.abs(found).argmax()])


def _shown(shares: Shares) -> str:
    return picture(np.round(shares, 4).tolist())
