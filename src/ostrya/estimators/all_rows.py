"""Count a tree, found on a sample of the rows, on all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import to_grid
from ostrya._solve.measure_grid import to_measure_grid
from ostrya._solve.measures import Measure
from ostrya._solve.recount import Recount, recount, recount_measure
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import RowRouter, TreeShape
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.table import as_frame
from ostrya.tree import Tree

#: Rows that are encoded at a time, in the columns alone that the tree uses.
BLOCK = 65_536


def count_all_rows(
    tree: Tree,
    rows: Any,
    encoder: TableEncoder,
    data: TrainingData,
    measure: Measure | None,
    *,
    keeps_labels: bool = False,
) -> tuple[Tree, float]:
    """Return the tree with the counts and labels of all rows, and its loss on them.

    Where it is no better than a single leaf, that leaf is returned. `data` has the
    codes and weights of all rows; its matrix is not read. With `keeps_labels`, leaves
    keep the labels that they have.
    """
    shapes = TreeShape(**tree.shape), TreeShape.single_leaf()
    leaf = _leaves(shapes[0], rows, encoder, data.n_samples)
    grown = _recount(
        shapes[0], leaf, data, measure, tree.label if keeps_labels else None
    )
    lone = _recount(shapes[1], np.zeros_like(leaf), data, measure)
    best = grown if grown.cost < lone.cost else lone
    return best.tree, best.loss


def _recount(
    shape: TreeShape,
    leaves: npt.NDArray[np.int32],
    data: TrainingData,
    measure: Measure | None,
    labels: npt.NDArray[np.int32] | None = None,
) -> Recount:
    if measure is None:
        return recount(shape, data, to_grid(data), leaves, labels)
    return recount_measure(shape, data, to_measure_grid(data, measure), leaves)


def _leaves(
    shape: TreeShape, rows: Any, encoder: TableEncoder, n_rows: int
) -> npt.NDArray[np.int32]:
    router = RowRouter(shape)
    asked = np.unique(shape.feature[~shape.is_leaf]).tolist()
    frame = as_frame(rows)
    leaf = np.empty(n_rows, dtype=np.int32)
    for start in range(0, n_rows, BLOCK):
        part = slice(start, start + BLOCK)
        some = rows[part] if frame is None else frame[part].to_native()
        leaf[part] = router.leaves(encoder.encode(some, only=asked), is_checked=True)
    return leaf
