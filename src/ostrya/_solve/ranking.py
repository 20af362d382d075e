"""Ranking: the rows of a table, ranked once for all searches of it and of its parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Ranking(NamedTuple):
    """How rows rank among others, which need not all be there, and which are equal."""

    ranks: npt.NDArray[np.uint32]  # (n_features, n_samples), in the order of values
    numbers: npt.NDArray[np.uint32]  # (n_samples,), the same for equal rows alone

    def of_rows(self, rows: npt.NDArray[np.intp]) -> Ranking:
        """Return what holds of some of the rows, in this order."""
        # Column by column: the rows of one column lie side by side.
        ranks = np.empty((len(self.ranks), len(rows)), dtype=np.uint32)
        for column, taken in zip(self.ranks, ranks, strict=True):
            column.take(rows, out=taken)
        return Ranking(ranks, self.numbers[rows])
