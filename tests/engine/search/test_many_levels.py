"""The levels of a categorical column are searched from codes that they share."""

from __future__ import annotations

import numpy as np
import pytest

from cases import zero_one
from ostrya import _core
from ostrya._coded_matrix import CodedMatrix


def table(n_rows, n_levels, n_numbers=2, distinct=None, seed=0):
    """A categorical column and numbers, as codes; and the labels of the rows."""
    rng = np.random.default_rng(seed)
    code = rng.integers(0, n_levels, n_rows)
    numbers = rng.normal(size=(n_rows, n_numbers))
    if distinct is not None:
        numbers = np.floor(numbers * distinct)
    effect = rng.normal(size=n_levels)
    y = effect[code] + numbers[:, 0] + 0.3 * rng.normal(size=n_rows) > 0
    cells = np.asfortranarray(np.column_stack([code, numbers]), dtype=np.float64)
    levels = np.arange(n_levels)
    stored = np.concatenate([np.zeros(n_levels), np.arange(n_numbers) + 1])
    return (
        CodedMatrix(
            cells,
            stored.astype(np.int32),
            np.concatenate([levels, np.full(n_numbers, -1)]).astype(np.int32),
            np.full(n_levels + n_numbers, -1, np.int32),
            np.zeros(0),
        ),
        y.astype(np.int32),
    )


def coded(matrix):
    """The rows as the engine accepts them: stored columns and how to read them."""
    return _core.CodedRows(
        matrix.cells, matrix.stored, matrix.level, matrix.lookup, matrix.lookups
    )


def arguments(rows, y, penalty, limits, **options):
    return (
        rows,
        y,
        np.ones(len(y), np.int64),
        np.array(zero_one(2), np.int64),
        1,
        penalty,
        _core.Options(_core.Limits(**limits), **options),
    )


def forms(matrix):
    """A matrix with coded columns, and with a stored column for each level."""
    return coded(matrix), np.asarray(matrix)


@pytest.mark.parametrize("by_rows", [True, False])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_top_k_ranks_levels_as_stored_columns(by_rows, criterion):
    for seed in range(4):
        matrix, y = table(400, 12, distinct=5, seed=seed)
        top_k = _core.TopK(widths=[3], criterion=criterion, by_rows=by_rows)
        one, other = (
            _core.solve(*arguments(rows, y, 4, {"max_depth": 3}, top_k=top_k))
            for rows in forms(matrix)
        )
        assert (one.upper, one.lower) == (other.upper, other.lower)


def test_greedy_trees_see_levels_as_stored_columns():
    for seed in range(10):
        matrix, y = table(150, 9, distinct=4, seed=seed)
        one, other = (
            _core.testing.greedy_tree(*arguments(rows, y, 2, {"max_depth": 4}))
            for rows in forms(matrix)
        )
        assert one.upper == other.upper


def test_levels_took_memory_and_turns_of_their_own():
    """Every level had its own order of the rows in Top-k and in greedy samples.

    A table of 2,000 levels took gigabytes in both. As each level also counted as a
    column that had to be prepared, the Top-k turns of a default fit were endless.
    """
    few, many = (table(30_000, n_levels, distinct=900) for n_levels in (10, 1000))
    top_k = _core.TopK(widths=[1], criterion="gini", by_rows=True)
    peaks, counted = [], []
    for matrix, y in (few, many):
        found = _core.solve(
            *arguments(coded(matrix), y, 300, {"max_depth": 2}, top_k=top_k)
        )
        peaks.append(found.statistics.peak_memory)
        ended = _core.solve(
            *arguments(coded(matrix), y, 300, {"max_depth": 2}, max_work=1)
        )
        counted.append(ended.statistics.nanoseconds)
    assert peaks[1] < 2 * peaks[0]  # 28 times as much before
    assert counted[1] < 2 * counted[0]  # 80 times as much
