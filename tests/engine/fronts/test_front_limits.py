"""However a search for a callable ends, its bounds hold the optimum."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import ostrya
from generated import continuous, hard, tic_tac_toe

MEBIBYTE = 2**20


def roots(fp, fn):
    """Far from convex: prices bound it badly, and fronts grow long."""
    return (fp / 100) ** 0.5 + (fn / 100) ** 0.5


def solve_hard(objective=roots, **given):
    X, y = hard(200)
    return ostrya.solve(X[:, :4], y, objective=objective, leaf_penalty=0.003, **given)


def assert_sound(outcome):
    assert outcome.lower_bound <= outcome.objective
    assert outcome.gap == outcome.objective - outcome.lower_bound
    lowers = [point.lower_bound for point in outcome.trace]
    uppers = [point.objective for point in outcome.trace]
    seconds = [point.seconds for point in outcome.trace]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)
    assert seconds == sorted(seconds)


@pytest.mark.parametrize("seconds", [1e-6, 0.01, 0.5])
@pytest.mark.parametrize("objective", [roots, max, lambda fp, fn: fp + fn])
def test_time_limit(objective, seconds):
    outcome = solve_hard(objective, time_limit=seconds)
    assert outcome.status == "time_limit"
    assert_sound(outcome)


@pytest.mark.parametrize("seconds", [1e-6, 0.05, 0.5])
def test_bounds_hold_the_optimum_at_any_time(seconds):
    X, y = tic_tac_toe()
    given = {"leaf_penalty": 0.005, "max_depth": 5}
    best = ostrya.solve(X, y, **given).objective
    outcome = ostrya.solve(
        X, y, objective=lambda fp, fn: (fp + fn) / len(y), time_limit=seconds, **given
    )
    assert_sound(outcome)
    assert outcome.lower_bound - 1e-9 <= best <= outcome.objective + 1e-9


@pytest.mark.parametrize("engine", ["columns", "leaf_sets"])
def test_a_slow_callable_is_hardly_called_while_it_is_checked(engine):
    """It was called 81 times before the search: 8 s for a limit of one."""
    X, y = continuous(5, n_rows=300, n_columns=4)
    n_calls = 0

    def slow(fp, fn):
        nonlocal n_calls
        n_calls += 1
        time.sleep(0.05)
        return fp + fn + min(fp, fn) / 2

    options = {"objective": slow, "leaf_penalty": 3.0, "engine": engine}
    outcome = ostrya.solve(X, y, time_limit=0.01, **options)
    assert outcome.status == "time_limit"
    assert n_calls <= 6  # no errors, all of either kind, all; one may be under way
    n_calls = 0
    ostrya.solve(X, y, time_limit=0.5, **options)
    assert n_calls <= 13  # those four, ten in half a second


def test_a_slow_callable_leaves_time_for_a_tree():
    X, y = continuous(5, n_rows=300, n_columns=4)

    def slow(fp, fn):
        time.sleep(0.02)
        return fp + fn + min(fp, fn) / 2

    outcome = ostrya.solve(
        X, y, objective=slow, leaf_penalty=3.0, max_depth=1, time_limit=3.0
    )
    assert outcome.status == "time_limit"
    assert outcome.n_leaves == 2


def test_a_slow_callable_is_left_alone_when_time_is_out():
    calls = []

    def slow(fp, fn):
        calls.append(fp)
        time.sleep(0.001)
        return fp + fn

    outcome = solve_hard(slow, time_limit=0.3)
    assert outcome.status == "time_limit"
    assert_sound(outcome)
    # Prices alone would ask thousands of times.
    assert len(calls) < 2000


def test_memory_limit():
    outcome = small(roots, memory_limit=32 * MEBIBYTE, time_limit=60.0)
    assert outcome.status == "memory_limit"
    assert_sound(outcome)


def test_progress_can_stop_the_search():
    seen = []

    def stop_at_third(progress):
        seen.append(progress)
        return len(seen) == 3

    outcome = solve_hard(on_progress=stop_at_third, time_limit=60.0)
    assert outcome.status == "interrupted"
    assert all(progress.lower_bound <= progress.objective for progress in seen)
    assert outcome.objective <= seen[-1].objective
    assert_sound(outcome)


def test_ctrl_c_ends_the_search_with_a_tree():
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    started = []

    def start_timer(progress):
        if not started:
            started.append(progress)
            timer.start()

    outcome = solve_hard(on_progress=start_timer, time_limit=60.0)
    timer.join()
    assert outcome.status == "interrupted"
    assert_sound(outcome)


def small(objective, **given):
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 2, size=(120, 8)), rng.integers(0, 2, 120)
    return ostrya.solve(X, y, objective=objective, leaf_penalty=0.01, **given)


def raising(error, share):
    """Roots, but when this share of the calls of a whole search is made it raises."""
    calls = []

    def counted(fp, fn):
        calls.append((fp, fn))
        return roots(fp, fn)

    small(counted)
    last = int(share * len(calls))
    calls.clear()

    def raises(fp, fn):
        if len(calls) == last:
            calls.append((fp, fn))
            raise error
        return counted(fp, fn)

    return raises


# In the samples and in the bounds of prices; in the search over fronts.
@pytest.mark.parametrize("share", [0.3, 0.7, 0.8])
def test_ctrl_c_in_the_callable_ends_the_search_with_a_tree(share):
    best = small(roots)
    outcome = small(raising(KeyboardInterrupt, share))
    assert outcome.status == "interrupted"
    assert outcome.lower_bound <= best.objective <= outcome.objective
    assert_sound(outcome)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95])
def test_an_exception_of_the_callable_reaches_the_caller(share):
    with pytest.raises(LookupError, match="no such cost"):
        small(raising(LookupError("no such cost"), share))


def test_a_callable_that_falls_between_its_probes_is_told_of():
    X, y = hard(200)
    negatives = int((y == 0).sum())
    probed = {negatives * part // 8 for part in range(9)}

    def dips(fp, fn):
        return fp + fn if fp in probed else -1

    with pytest.raises(ValueError, match="never decrease when errors increase"):
        ostrya.solve(X, y, objective=dips)
