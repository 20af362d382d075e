"""Tables made to fill a hash table with equal hashes take no longer than others."""

from __future__ import annotations

import numpy as np

import ostrya


def values_of_one_hash(n):
    """Different numbers whose two halves of 32 bits fold onto the same one."""
    high = np.uint64(0x3FF00000) + np.arange(n, dtype=np.uint64)
    return (high << np.uint64(32) | (high ^ np.uint64(0x2A))).view(np.float64)


def test_rows_of_equal_hashes_are_told_apart_in_time():
    """300,000 such rows would take 45 billion steps, one by one."""
    n = 300_000
    crafted = values_of_one_hash(n)
    y = (np.arange(n) > n // 3).astype(int)
    found = ostrya.solve(crafted.reshape(-1, 1), y, max_depth=1)
    assert (found.status, found.n_leaves, found.loss) == ("optimal", 2, 0.0)
    assert found.statistics.n_thresholds > 1000
    plain = ostrya.solve(np.arange(n, dtype=float).reshape(-1, 1), y, max_depth=1)
    assert found.objective == plain.objective
