"""RankedSplits: which splits Top-k lets compete, in numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ostrya._coded_matrix import Matrix, count_values
from ostrya._solve.impurity import Impurity
from ostrya._solve.multiples import written_ratio
from ostrya.top_k import TopKSplits, Width

# A node with more splits than this would not fit into memory.
MOST_SPLITS = 2**31


class RankedSplits(NamedTuple):
    """Each node may use only its splits of least impurity."""

    widths: list[int]  # k of each level; the last one holds further down
    criterion: str
    ranks_features: bool
    impurity: Impurity | None = None  # for the criterion "own"


def rank_splits(top_k: TopKSplits, X: Matrix) -> RankedSplits | None:
    """Return which splits of these rows compete; None where every split does."""
    ranks_features = top_k.candidates == "features"
    widths = _widths(top_k, X, ranks_features)
    if widths is None:
        return None
    if isinstance(top_k.criterion, str):
        return RankedSplits(widths, top_k.criterion, ranks_features)
    return RankedSplits(widths, "own", ranks_features, Impurity(top_k.criterion))


def _widths(top_k: TopKSplits, X: Matrix, ranks_features: bool) -> list[int] | None:
    """Return k of each level, or None where every split is let in.

    Splits are counted, which takes a sort of every column, only where k is a share,
    or "all" in addition to numbers.
    """
    levels: Sequence[Width] = (
        [top_k.k] if isinstance(top_k.k, (int, float, str)) else top_k.k
    )
    n_rows, n_columns = X.shape
    most = max(n_columns if ranks_features else n_columns * (n_rows - 1), 1)
    levels = ["all" if isinstance(k, int) and k >= most else k for k in levels]
    if ranks_features:
        if any(isinstance(k, float) for k in levels):
            most = max(int((count_values(X) > 1).sum()), 1)
        return [_width(k, most) for k in levels]
    if all(k == "all" for k in levels):
        return None
    if not all(isinstance(k, int) for k in levels):
        most = max(int((count_values(X) - 1).sum()), 1)
    widths = [_width(k, most) for k in levels]
    return None if min(widths) == most else widths


def _width(k: Width, n: int) -> int:
    if isinstance(k, str):
        return n
    if isinstance(k, float):
        return max(math.ceil(written_ratio(k) * n), 1)
    return min(k, n, MOST_SPLITS)
