"""What the splits of a large tree save under a measure of two classes, in floats."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ostrya._solve.measures import FScore, Measure, RocArea
from ostrya._tree_shape import TreeShape
from ostrya.tree import Tree

Floats = npt.NDArray[np.float64]


def saved_by_splits(tree: Tree, measure: Measure) -> Floats:
    """Return what making each split a leaf would add to the loss, in preorder.

    The leaves are ranked once. For a split the leaves below it are taken out of the
    ranking, and one that has all their rows is put in.
    """
    assert isinstance(measure, (FScore, RocArea))
    leaves = np.flatnonzero(tree.feature < 0)
    share = _share(tree.value)
    ranked = leaves[np.argsort(-share[leaves], kind="stable")]
    n_leaves = TreeShape(**tree.shape).add_up(tree.feature < 0).astype(np.intp)
    falling = -share[ranked]
    whole = _loss(measure, *tree.value[ranked].T)
    saved = []
    for split in np.flatnonzero(tree.feature >= 0).tolist():
        # A subtree of so many leaves stands together in preorder.
        last = split + 2 * n_leaves[split] - 2
        kept = (ranked < split) | (ranked > last)
        place = np.searchsorted(falling[kept], -share[split])
        nodes = np.insert(ranked[kept], place, split)
        saved.append(_loss(measure, *tree.value[nodes].T) - whole)
    return np.array(saved)


def _share(value: Floats) -> Floats:
    total = value.sum(axis=1)
    share: Floats = value[:, 1] / np.where(total > 0, total, 1.0)
    return share


def _loss(measure: FScore | RocArea, negatives: Floats, positives: Floats) -> float:
    """Return the loss of leaves that are ranked; see `ostrya._solve.measures`."""
    n_total, p_total = float(negatives.sum()), float(positives.sum())
    above = p_total - np.concatenate([[0.0], np.cumsum(positives)])
    passed = np.concatenate([[0.0], np.cumsum(negatives)])
    if isinstance(measure, FScore):
        square = float(measure.square)
        whole = (1 + square) * p_total - above + passed
        return float(((passed + square * above) / whole).min())
    reach = float(measure.max_fpr) * n_total
    width = np.clip(reach - passed[:-1], 0.0, negatives)
    slope = positives / np.where(negatives > 0, negatives, 1.0)
    missing = width * (2 * above[:-1] - slope * width)
    return float(missing.sum() / (2 * reach * p_total))
