"""Splits: the splits of an ensemble, in the same form for all packages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Splits:
    """The splits of an ensemble, one entry per split."""

    feature: Integers  # the column of the split
    # Values <= threshold, compared as doubles, go to one side. NaN if the split
    # separates levels or missing values.
    threshold: Floats
    gain: Floats  # the contribution to the importance of the threshold
    tree: Integers  # the boosting stage, or the tree
    n_trees: int  # the number of trees, over all classes
    depth: int  # the depth of the deepest tree

    def n_yes(self, values: Floats, chosen: npt.NDArray[np.bool_]) -> Integers:
        """Return the number of ascending `values` below each chosen split."""
        return np.searchsorted(values, self.threshold[chosen], side="right")

    def renamed(self, features: npt.ArrayLike) -> Splits:
        """Return the splits with feature indices replaced by those in `features`."""
        return replace(self, feature=np.asarray(features, dtype=np.intp)[self.feature])


def to_splits(
    rows: list[tuple[int, float, float, int]], n_trees: int, depth: int
) -> Splits:
    """Return splits from a list of (feature, threshold, gain, tree)."""
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
    )


def joined(members: Sequence[Splits]) -> Splits:
    """Return the splits of all members of an ensemble.

    Gains of different models have different units, so the gains of each member are
    divided by their sum.
    """
    none = to_splits([], 0, 0)
    parts = [none, *members]
    starts = np.cumsum([0, *(part.n_trees for part in members)])
    return Splits(
        np.concatenate([part.feature for part in parts]),
        np.concatenate([part.threshold for part in parts]),
        np.concatenate([_shares(part.gain) for part in parts]),
        np.concatenate(
            [none.tree, *(p.tree + s for p, s in zip(members, starts, strict=False))]
        ),
        int(starts[-1]),
        max(part.depth for part in parts),
    )


def _shares(gain: Floats) -> Floats:
    return gain / gain.sum() if gain.sum() > 0 else gain
