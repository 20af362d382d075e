"""Large tables that several threads prepare: the same problem, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from ostrya import _core

N_ROWS = 2**15


def large_table(seed):
    """Columns of every kind, enough cells for threads to be started."""
    rng = np.random.default_rng(seed)
    columns = [
        *rng.normal(size=(12, N_ROWS)),
        *rng.integers(0, 2, size=(12, N_ROWS)).astype(float),
        *rng.integers(0, 300, size=(6, N_ROWS)).astype(float),
        *rng.integers(0, 9, size=(3, N_ROWS)) * 0.1,
        np.zeros(N_ROWS),
    ]
    columns.append(columns[0])
    X = np.column_stack(columns)
    y = (X[:, 0] + X[:, 12] + rng.normal(size=N_ROWS) > 0).astype(np.int32)
    return X[:, rng.permutation(X.shape[1])], y


def problem(X, y, penalty=5, **options):
    limits = _core.Limits(max_depth=1, min_samples_leaf=1)
    weights, costs = np.ones(len(y), np.int64), 1 - np.eye(2, dtype=np.int64)
    return X, y, weights, costs, 1, penalty, _core.Options(limits, **options)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("order", ["C", "F"])
def test_change_nothing(seed, order):
    X, y = large_table(seed)
    X = np.asarray(X, order=order)
    alone = _core.testing.row_keys(*problem(X, y))
    for n_threads in (2, 3, 5):
        assert _core.testing.row_keys(*problem(X, y, n_threads=n_threads)) == alone


def test_change_nothing_where_cuts_are_dropped_and_rows_merged():
    X, y = large_table(7)
    X = np.round(X[:, X.max(axis=0) < 10], 1)
    X = np.tile(X, (1, 3))
    given = {"penalty": 400}
    alone = _core.testing.row_keys(*problem(X, y, **given))
    assert len(alone) > 0
    assert _core.testing.row_keys(*problem(X, y, n_threads=3, **given)) == alone


def test_are_used_where_a_search_alone_has_one():
    X, y = large_table(8)
    X = np.round(np.clip(X, -2, 2))
    given = {"leaf_penalty": 0.05, "max_depth": "auto"}
    alone = ostrya.solve(X, y, **given, n_jobs=1)
    with pytest.warns(UserWarning, match="n_jobs=3 does not speed up"):
        shared = ostrya.solve(X, y, **given, n_jobs=3)
    assert (alone.objective, alone.status, alone.tree) == (
        shared.objective,
        shared.status,
        shared.tree,
    )


@pytest.mark.parametrize("kind", ["fails", "exhausts"])
def test_survive_allocations_that_fail(kind):
    X, y = large_table(9)
    n_failed = 0
    for nth in range(1, 120, 9):
        trouble = _core.AllocationTrouble(**{kind: nth})
        try:
            found = _core.solve(*problem(X, y, n_threads=3, trouble=trouble))
        except MemoryError:
            n_failed += 1
        else:
            assert found.lower <= found.upper
            n_failed += found.status == "memory_limit"
    assert n_failed > 0


def test_end_with_the_time_limit():
    X, y = large_table(10)
    outcome = ostrya.solve(X, y, time_limit=1e-9, n_jobs=3)
    assert outcome.status == "time_limit"


class TroubleError(Exception):
    """What a callback raises."""


def test_a_callback_that_raises_ends_all_threads():
    def on_progress(progress):
        if progress.phase == "searching":
            raise TroubleError

    X, y = large_table(11)
    with pytest.raises(TroubleError):
        ostrya.solve(X, y, n_jobs=3, on_progress=on_progress)
