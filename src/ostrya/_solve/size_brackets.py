"""SizeBrackets: the best tree known for every number of leaves, and its lower bound.

Every tree that is found is also pruned, in the best way, to all smaller sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ostrya._solve.grid import Grid
from ostrya._solve.pruning import cut, splits_upwards
from ostrya._solve.recount import masses_of
from ostrya._solve.search import SizeBracket
from ostrya._solve.training_data import TrainingData
from ostrya._tree_shape import TreeShape

#: Leaves of the largest tree that is pruned; the work grows with their square.
MOST_LEAVES = 1024

Losses = npt.NDArray[np.int64]


class SizeBrackets:
    """Collects trees and bounds from any search of one problem without a penalty.

    There is one bracket per number of leaves, from 1 on. The last one holds for all
    larger sizes, up to the largest. Losses and bounds never rise from one bracket to
    the next.
    """

    def __init__(self, data: TrainingData, grid: Grid, largest: int) -> None:
        self._data, self._grid, self._largest = data, grid, largest
        leaf = TreeShape.single_leaf()
        loss = grid.scale * int((masses_of(leaf, data, grid) @ grid.costs).min())
        self._sizes = [SizeBracket(leaf, loss, loss)]
        if largest > 1:
            self._sizes.append(SizeBracket(leaf, 0, loss))

    def at(self, size: int) -> SizeBracket:
        """Return the bracket of trees of at most `size` leaves."""
        return self._sizes[min(size, len(self._sizes)) - 1]

    def all(self) -> list[SizeBracket]:
        """Return the brackets of all sizes, without repetitions at the end."""
        sizes = list(self._sizes)
        while len(sizes) > 1 and sizes[-1][1:] == sizes[-2][1:]:
            sizes.pop()
        return sizes

    def offer(self, shape: TreeShape) -> None:
        """Take the tree and its prunings where they are the best of their size."""
        for smaller, loss in smaller_trees(
            shape, self._data, self._grid, self._largest
        ):
            if loss < self.at(smaller.n_leaves).upper:
                self._take_tree(smaller, loss)

    def take(self, sizes: Sequence[SizeBracket], largest: int) -> None:
        """Take the brackets of a search for all sizes up to `largest`.

        The last of them holds for all sizes that follow, up to `largest`.
        """
        if largest < self._largest:
            self._reach(largest + 1)
        self._reach(len(sizes))
        for place, known in enumerate(self._sizes[:largest]):
            bracket = sizes[min(place, len(sizes) - 1)]
            lower = max(known.lower, bracket.lower)
            # Of equally good trees, the one that a search returns is the smallest.
            is_better = bracket.upper < known.upper or (
                bracket.upper == known.upper == lower
            )
            best = bracket if is_better else known
            self._sizes[place] = best._replace(lower=lower)
        for bracket in sizes:
            if bracket.lower < bracket.upper:
                self.offer(bracket.shape)
            else:
                self._take_tree(bracket.shape, bracket.upper)

    def raise_bounds(self, bound_of: Callable[[int], int]) -> None:
        """Take lower bounds, given as a function of the number of leaves."""
        for place, known in enumerate(self._sizes):
            is_last = place == len(self._sizes) - 1
            bound = bound_of(self._largest if is_last else place + 1)
            lower = min(max(known.lower, bound), known.upper)
            self._sizes[place] = known._replace(lower=lower)

    def reach(self, size: int) -> None:
        """Let `size` have a bracket of its own, apart from those of larger sizes."""
        self._reach(min(size + 1, self._largest))

    def _reach(self, size: int) -> None:
        while len(self._sizes) < size:
            self._sizes.append(self._sizes[-1])

    def _take_tree(self, shape: TreeShape, loss: int) -> None:
        self._reach(shape.n_leaves)
        for place in range(shape.n_leaves - 1, len(self._sizes)):
            if loss < self._sizes[place].upper:
                self._sizes[place] = self._sizes[place]._replace(
                    shape=shape, upper=loss
                )


def smaller_trees(
    shape: TreeShape, data: TrainingData, grid: Grid, max_leaf_nodes: int
) -> Iterator[tuple[TreeShape, int]]:
    """Yield the prunings of a tree of up to `max_leaf_nodes` leaves, with losses.

    For each number of leaves it is the pruning of least loss. Sizes whose loss is no
    lower than that of a smaller pruning are skipped. The tree itself comes last, if it
    is small enough. Trees of more than `MOST_LEAVES` leaves are yielded only as a
    single leaf.
    """
    losses = (masses_of(shape, data, grid) @ grid.costs).min(axis=1)
    yield TreeShape.single_leaf(), grid.scale * int(losses[0])
    if shape.n_leaves > MOST_LEAVES:
        return
    best, yes_leaves = _best_losses(shape, losses, max_leaf_nodes)
    least = best[0][0]
    for n_leaves, loss in enumerate(best[0].tolist(), 1):
        if loss < least:
            least = loss
            kept = _kept_splits(shape, yes_leaves, n_leaves)
            yield cut(shape, kept), grid.scale * loss


def _best_losses(
    shape: TreeShape, losses: Losses, max_leaf_nodes: int
) -> tuple[dict[int, Losses], dict[int, npt.NDArray[np.intp]]]:
    """Return, for each node, the least loss by leaves, and the leaves on its yes side.

    Entry ``i`` of each array is about prunings of the subtree with ``i + 1`` leaves.
    """
    leaves = np.flatnonzero(shape.is_leaf).tolist()
    best = {node: losses[node : node + 1] for node in leaves}
    yes_leaves: dict[int, npt.NDArray[np.intp]] = {}
    for node in splits_upwards(shape):
        yes, no = best[shape.yes[node]], best[shape.no[node]]
        size = min(len(yes) + len(no), max_leaf_nodes)
        total = np.full(size, np.iinfo(np.int64).max)
        total[0] = losses[node]
        taken = np.zeros(size, dtype=np.intp)
        for n_yes in range(1, min(len(yes), size - 1) + 1):
            sums = yes[n_yes - 1] + no[: size - n_yes]
            part = slice(n_yes, n_yes + len(sums))
            is_less = sums < total[part]
            total[part] = np.where(is_less, sums, total[part])
            taken[part] = np.where(is_less, n_yes, taken[part])
        best[node], yes_leaves[node] = total, taken
    return best, yes_leaves


def _kept_splits(
    shape: TreeShape, yes_leaves: dict[int, npt.NDArray[np.intp]], n_leaves: int
) -> npt.NDArray[np.bool_]:
    """Return which splits the best pruning with so many leaves keeps."""
    kept = np.zeros(shape.n_nodes, dtype=bool)
    waiting = [(0, n_leaves)]
    while waiting:
        node, n_below = waiting.pop()
        if n_below > 1:
            kept[node] = True
            n_yes = int(yes_leaves[node][n_below - 1])
            waiting.append((int(shape.yes[node]), n_yes))
            waiting.append((int(shape.no[node]), n_below - n_yes))
    return kept
