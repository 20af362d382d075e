"""All trees within a threshold, counted by the compiled engine."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._ctrl_c import CtrlC
from ostrya._solve.engine import count_trees
from ostrya._solve.grid import Grid
from ostrya._solve.limits import Limits
from ostrya._solve.multiples import written_ratio
from ostrya._solve.training_data import TrainingData

WORD = 32  # bits of a word of a count


@dataclass(frozen=True)
class Kind:
    """The trees that agree in objective and number of leaves."""

    cost: int
    n_leaves: int
    count: int


@dataclass(frozen=True)
class Cuts:
    """The questions about one column, by their thresholds."""

    column: int
    thresholds: npt.NDArray[np.float64]  # ascending, half-way between values


class TreeCounts:
    """The counted trees, in order, and access to each of them."""

    def __init__(
        self,
        data: TrainingData,
        grid: Grid,
        limits: Limits,
        *,
        optimum: int,
        most: int,
        trivial_splits: bool,
        ctrl_c: CtrlC,
    ) -> None:
        self._counted = {
            "data": data,
            "grid": grid,
            "limits": limits,
            "optimum": optimum,
            "trivial_splits": trivial_splits,
        }
        self._found = count_trees(
            data,
            grid,
            limits,
            optimum=optimum,
            most=most,
            trivial_splits=trivial_splits,
            ctrl_c=ctrl_c,
        )
        self.status = self._found.status
        ctrl_c.has_searched(was_interrupted=self.status == "interrupted")
        self.complete_to = self._found.complete_to  # a cost; None: nothing is complete
        self.kinds = kinds_of(self._found.kinds)
        self.cuts = [
            Cuts(column, np.array(thresholds))
            for column, thresholds in self._found.columns
        ]
        self.aliases = self._found.aliases
        self.n_row_sets = self._found.n_row_sets
        self.peak_memory = self._found.peak_memory
        self._ends = list(accumulate(kind.count for kind in self.kinds))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what was counted, not the counts, which live in the engine."""
        # A count that a limit cut off is complete up to some cost, and repeatable.
        return count_again, (self._counted, self.complete_to, self.status, self.n_trees)

    @property
    def n_trees(self) -> int:
        """The number of trees."""
        return self._ends[-1] if self._ends else 0

    def kind_at(self, place: int) -> Kind:
        """Return the kind of the tree at this place in order."""
        return self.kinds[bisect_right(self._ends, place)]

    def tree(self, place: int) -> tuple[list[int], list[int], list[int], list[int]]:
        """Return the tree at this place: index into `cuts`, cut, yes and no child."""
        kind = self.kind_at(place)
        within = place - (self._ends[bisect_right(self._ends, place)] - kind.count)
        found: tuple[list[int], list[int], list[int], list[int]] = self._found.tree(
            kind.cost, kind.n_leaves, words_of(within)
        )
        return found

    def kinds_without(
        self, columns: Sequence[int], most: int, ctrl_c: CtrlC
    ) -> list[Kind] | None:
        """Return the kinds of the trees without questions about these columns.

        None: interrupted.
        """
        ctrl_c.keep()
        found = self._found.kinds_without(
            list(columns), most, None, is_interrupted=ctrl_c.is_pressed
        )
        ctrl_c.has_searched(was_interrupted=found is None)
        return None if found is None else kinds_of(found)

    def first_place(self, cost: int) -> int:
        """Return the place of the first tree that costs at least this."""
        return sum(kind.count for kind in self.kinds if kind.cost < cost)

    def predict(
        self,
        ranks: npt.NDArray[np.uint32],
        training: npt.NDArray[np.uint32] | None,
        codes: npt.NDArray[np.int32],
        weights: npt.NDArray[np.float64],
        ctrl_c: CtrlC,
    ) -> npt.NDArray[np.float64]:
        """Return what all trees predict on average: a row per row, a column per class.

        `ranks` are those of rows among the thresholds of `cuts`. With the ranks of the
        training rows, leaves predict shares of classes; otherwise their labels.
        """
        ctrl_c.keep()
        found = self._found.predict(
            ranks, training, codes, weights, is_interrupted=ctrl_c.is_pressed
        )
        ctrl_c.has_searched(was_interrupted=found is None)
        if found is None:
            raise KeyboardInterrupt
        return np.asarray(found)


def count_again(
    counted: dict[str, Any], complete_to: int | None, status: str, n_trees: int
) -> TreeCounts:
    """Return the trees of a pickle, counted without a time limit."""
    limits = replace(counted["limits"], time_limit=None)
    # Without a cost up to which the count was complete there were no trees.
    most = counted["optimum"] - 1 if complete_to is None else complete_to
    with CtrlC() as ctrl_c:
        counts = TreeCounts(**{**counted, "limits": limits}, most=most, ctrl_c=ctrl_c)
    if counts.status == "interrupted":
        raise KeyboardInterrupt
    if counts.n_trees != n_trees:
        raise MemoryError(
            f"a pickled Rashomon set of {n_trees:,} trees could not be counted again: "
            f"stopped ({counts.status}). Set memory_limit to more bytes before fit, "
            "or load the pickle on a machine with more memory"
        )
    counts.status, counts.complete_to = status, complete_to
    return counts


def kinds_of(found: Sequence[tuple[int, int, list[int]]]) -> list[Kind]:
    """Return the engine's kinds with their counts as integers."""
    return [
        Kind(cost, n_leaves, sum(word << WORD * at for at, word in enumerate(words)))
        for cost, n_leaves, words in found
    ]


def words_of(number: int) -> list[int]:
    """Return a number as words, least first.

    Examples
    --------
    >>> words_of(2**32 + 5)
    [5, 1]
    """
    words = []
    while number:
        words.append(number & (1 << WORD) - 1)
        number >>= WORD
    return words


def cost_within(grid: Grid, optimum: int, epsilon: float) -> int:
    """Return the largest cost that is at most ``1 + epsilon`` times the optimum."""
    lowest = grid.least / grid.unit
    return math.floor((lowest + optimum) * (1 + written_ratio(epsilon)) - lowest)


def cost_up_to(grid: Grid, objective: float) -> int:
    """Return the largest cost whose objective is at most `objective`.

    A float that stands for a cost means that cost; see `Grid.to_cost`.
    """
    exact = (written_ratio(objective) - grid.least) / grid.unit
    nearest = round(exact)
    slack = Fraction(4 * math.ulp(objective)) / grid.unit
    return nearest if abs(exact - nearest) <= slack else math.floor(exact)
