"""No phase of a search goes on for long without asking whether it has to stop.

What passes between two questions is measured in time of this thread, which does not
depend on how busy the machine is.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

import ostrya
from ostrya._solve import f_score
from ostrya._solve.engine import search_columns
from ostrya.objectives import PartialAUC

MEBIBYTE = 2**20
OBJECTIVES = {
    "auc": {"objective": "auc"},
    "partial_auc": {"objective": PartialAUC(max_fpr=0.2)},
    "f1": {"objective": "f1"},
    "f1 over leaf sets": {"objective": "f1", "engine": "leaf_sets"},
    "callable": {"objective": max},
    "callable over leaf sets": {"objective": max, "engine": "leaf_sets"},
    "additive over leaf sets": {"engine": "leaf_sets"},
}


def one_column(n_rows):
    rng = np.random.default_rng(n_rows)
    return rng.permutation(n_rows).reshape(-1, 1) * 1.0, rng.integers(0, 2, n_rows)


def longest_silence(X, y, **given):
    """Return the longest time between two calls of `on_progress`, or to the end."""
    heard = [time.thread_time()]
    outcome = ostrya.solve(
        X, y, on_progress=lambda _: heard.append(time.thread_time()), **given
    )
    heard.append(time.thread_time())
    assert outcome.lower_bound <= outcome.objective
    return float(np.diff(heard).max())


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_tangent_bound_overran_its_limit_tenfold(objective):
    X, y = one_column(3000)
    seconds = 1.0 if objective == "auc" else 0.4  # it silenced seven of its own then
    given = {"leaf_penalty": 0.0, "time_limit": seconds, **OBJECTIVES[objective]}
    assert longest_silence(X, y, **given) < 3.0


@pytest.mark.parametrize("objective", ["auc", "f1", "callable"])
def test_tables_were_prepared_beyond_every_limit(objective):
    X = np.random.default_rng(0).random((200_000, 5))
    y = (X[:, 0] > 0.5).astype(int)
    outcome = ostrya.solve(
        X, y, time_limit=60.0, memory_limit=32 * MEBIBYTE, **OBJECTIVES[objective]
    )
    assert outcome.status == "memory_limit"
    assert outcome.statistics.peak_memory <= 32 * MEBIBYTE
    assert outcome.lower_bound <= outcome.objective


def test_weights_of_many_digits_made_fronts_without_end():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 8, (1500, 3)) * 1.0, rng.integers(0, 2, 1500)
    given = {"leaf_penalty": 1e-6, "sample_weight": rng.random(1500), "objective": max}
    assert longest_silence(X, y, time_limit=0.4, **given) < 3.0
    assert longest_silence(X, y, time_limit=0.4, engine="leaf_sets", **given) < 3.0


def test_f1_threw_away_the_tree_of_a_search_that_was_stopped(monkeypatch):
    def stopped(*given):
        return replace(search_columns(*given), status="time_limit", lower=0)

    X, y = one_column(40)
    monkeypatch.setattr(f_score, "search_columns", stopped)
    outcome = ostrya.solve(X, y, objective="f1", leaf_penalty=0.001)
    assert outcome.status == "time_limit"
    assert outcome.n_leaves > 1
