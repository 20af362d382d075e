"""How many splits Top-k lets a node choose from, in numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ostrya._solve.multiples import written_ratio
from ostrya.top_k import TopK, Width

# A node with more splits than this would not fit into memory.
MOST_SPLITS = 2**31


def widths_of(top_k: TopK, X: npt.NDArray[np.float64]) -> list[int] | None:
    """Return k in numbers for each level, or None where every split is let in.

    Splits are counted, which takes a sort of every column, only for levels of which a
    share is asked for, or all beside levels of fewer.
    """
    levels: Sequence[Width] = (
        [top_k.k] if isinstance(top_k.k, (int, float, str)) else top_k.k
    )
    by_feature = top_k.candidates == "features"
    n_rows, n_columns = X.shape
    most = max(n_columns if by_feature else n_columns * (n_rows - 1), 1)
    levels = ["all" if isinstance(k, int) and k >= most else k for k in levels]
    if by_feature:
        if any(isinstance(k, float) for k in levels):
            most = max(int((X[:1] != X).any(axis=0).sum()), 1)
        return [_width(k, most) for k in levels]
    if all(k == "all" for k in levels):
        return None
    if not all(isinstance(k, int) for k in levels):
        most = max(sum(len(np.unique(column)) - 1 for column in X.T), 1)
    widths = [_width(k, most) for k in levels]
    return None if min(widths) == most else widths


def _width(k: Width, n: int) -> int:
    if isinstance(k, str):
        return n
    if isinstance(k, float):
        return max(math.ceil(written_ratio(k) * n), 1)
    return min(k, n, MOST_SPLITS)
