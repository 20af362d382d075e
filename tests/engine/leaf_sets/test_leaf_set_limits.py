"""However a search over leaf sets ends, its bounds hold the optimum."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest

import ostrya
from generated import hard, tic_tac_toe
from ostrya.objectives import PartialAUC
from solve.test_limits import assert_sound

MEBIBYTE = 2**20
OBJECTIVES = (
    "accuracy",
    "auc",
    PartialAUC(max_fpr=0.2),
    "f1",
    lambda fp, fn: max(fp, fn),
)


def solve_hard(**given):
    X, y = hard(200)
    return ostrya.solve(X[:, :4], y, engine="leaf_sets", leaf_penalty=0.003, **given)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_time_limit(objective):
    outcome = solve_hard(objective=objective, time_limit=0.3)
    assert outcome.status == "time_limit"
    assert outcome.lower_bound <= outcome.objective
    lowers = [point.lower_bound for point in outcome.trace]
    uppers = [point.objective for point in outcome.trace]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)


def test_time_limit_of_the_f_score_over_columns():
    X, y = hard(300)
    outcome = ostrya.solve(X, y, objective="f1", leaf_penalty=0.004, time_limit=0.5)
    assert outcome.status == "time_limit"
    assert outcome.lower_bound <= outcome.objective


@pytest.mark.parametrize("seconds", [1e-6, 0.05])
def test_bounds_hold_the_optimum_at_any_time(seconds):
    X, y = tic_tac_toe()
    outcome = ostrya.solve(
        X, y, leaf_penalty=0.005, engine="leaf_sets", max_depth=5, time_limit=seconds
    )
    assert_sound(outcome, X, y, 0.005)
    assert outcome.lower_bound <= 0.170981 + 1e-6
    assert outcome.objective >= 0.170981 - 1e-6


def test_memory_limit():
    outcome = solve_hard(memory_limit=32 * MEBIBYTE, time_limit=60.0)
    assert outcome.status == "memory_limit"
    assert outcome.lower_bound <= outcome.objective


def test_progress_can_stop_the_search():
    seen = []

    def stop_at_second(progress):
        seen.append(progress)
        return len(seen) == 2

    outcome = solve_hard(on_progress=stop_at_second, time_limit=60.0)
    assert outcome.status == "interrupted"
    assert seen[0].lower_bound <= seen[0].objective


def test_ctrl_c_ends_the_search_with_a_tree():
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))

    def start_once(progress):
        if timer.ident is None:
            timer.start()

    outcome = solve_hard(on_progress=start_once, time_limit=60.0)
    timer.join()
    assert outcome.status == "interrupted"
    assert outcome.tree.n_leaves >= 1


@pytest.mark.parametrize("engine", ["columns", "leaf_sets"])
@pytest.mark.parametrize("objective", ["accuracy", "f1"])
def test_limits_of_the_tree_are_kept(objective, engine):
    X, y = hard(60)
    outcome = ostrya.solve(
        X[:, :2].round(),
        y,
        objective=objective,
        engine=engine,
        leaf_penalty=0.001,
        max_depth=2,
        max_leaf_nodes=3,
        min_samples_leaf=7,
        time_limit=60.0,
    )
    assert outcome.status == "optimal"
    assert outcome.tree.depth <= 2
    assert outcome.n_leaves <= 3
    assert (
        np.bincount(outcome.tree.apply(X[:, :2].round()))[
            outcome.tree.feature < 0
        ].min()
        >= 7
    )
