"""Splits: what the trees of an ensemble ask, whoever grew them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]


def at_most(values: Floats, threshold: Floats) -> npt.NDArray[np.bool_]:
    """Compare as doubles."""
    return values <= threshold


def at_most_single(values: Floats, threshold: Floats) -> npt.NDArray[np.bool_]:
    """Compare as trees that keep their values in single precision do."""
    with np.errstate(over="ignore"):
        return np.asarray(values.astype(np.float32) <= threshold)


def below(values: Floats, threshold: Floats) -> npt.NDArray[np.bool_]:
    """Compare as doubles, the threshold itself answering no."""
    return values < threshold


def below_single(values: Floats, threshold: Floats) -> npt.NDArray[np.bool_]:
    """Compare in single precision, the threshold itself answering no."""
    with np.errstate(over="ignore"):
        return np.asarray(values.astype(np.float32) < threshold.astype(np.float32))


@dataclass(frozen=True, eq=False)
class Splits:
    """The splits of an ensemble, one entry a split.

    Attributes
    ----------
    feature : ndarray of intp
        The column asked about.
    threshold : ndarray of float64
        Where it is split; NaN where levels are told apart instead.
    gain : ndarray of float64
        What the split adds to the importance of its threshold.
    tree : ndarray of intp
        The boosting stage, or the tree.
    n_trees, depth : int
        Number of trees, those of every class counted, and depth of the deepest.
    is_yes : callable
        Which values, ascending, a threshold sends to its first side.
    """

    feature: Integers
    threshold: Floats
    gain: Floats
    tree: Integers
    n_trees: int
    depth: int
    is_yes: Callable[[Floats, Floats], npt.NDArray[np.bool_]] = at_most

    def n_yes(self, values: Floats, chosen: npt.NDArray[np.bool_]) -> Integers:
        """Return how many of the ascending `values` each chosen split says yes to."""
        thresholds = self.threshold[chosen]
        counts = [self.is_yes(values, t[None]).sum() for t in thresholds]
        return np.array(counts, dtype=np.intp)


def to_splits(
    rows: list[tuple[int, float, float, int]],
    n_trees: int,
    depth: int,
    is_yes: Callable[[Floats, Floats], npt.NDArray[np.bool_]],
) -> Splits:
    """Return splits listed as (feature, threshold, gain, tree)."""
    feature, threshold, gain, tree = (
        zip(*rows, strict=True) if rows else ((), (), (), ())
    )
    return Splits(
        np.array(feature, dtype=np.intp),
        np.array(threshold, dtype=np.float64),
        np.array(gain, dtype=np.float64),
        np.array(tree, dtype=np.intp),
        n_trees,
        depth,
        is_yes,
    )
