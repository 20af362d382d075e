"""Several threads over one search: the optimum, the proof and the tree are the same."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time

import numpy as np
import pytest

import ostrya
from cases import eager
from failing_allocations import assert_survived
from oracle import optimum
from ostrya import _core
from strategies import deep_problems, random_problems, shallow_problems

#: Threads are started at once, however small the problem is, and a tree is chosen
#: among equals as in a long search.
AT_ONCE = {"threads_after": 0}


def tree_of(found):
    parts = (found.feature, found.threshold, found.yes, found.no)
    return [np.asarray(part).tobytes() for part in parts]


@pytest.mark.parametrize("seed", range(9700, 9704))
def test_find_the_oracles_optimum(seed):
    for case in [*random_problems(seed, 60), *deep_problems(seed, 8)]:
        cost = optimum(case.problem).cost
        for n_threads in (2, 4):
            found = _core.solve(*case.core_arguments(n_threads=n_threads, **AT_ONCE))
            assert (found.lower, found.upper) == (cost, cost)
            assert found.status == "optimal"


@pytest.mark.parametrize("options", [{}, {"few_cuts": 0}, {"turns_after": 0}])
def test_find_the_same_tree(options):
    cases = [
        *random_problems(9710, 60),
        *deep_problems(9711, 12),
        *shallow_problems(9712, 12),
    ]
    for case in cases:
        alone = _core.solve(*case.core_arguments(**AT_ONCE, **options))
        for n_threads in (2, 3):
            found = _core.solve(
                *case.core_arguments(n_threads=n_threads, **AT_ONCE, **options)
            )
            assert tree_of(found) == tree_of(alone)


def test_prove_that_nothing_is_cheaper():
    for case in random_problems(9720, 60):
        cost = optimum(case.problem).cost
        options = {"n_threads": 3, **AT_ONCE}
        assert (
            _core.solve(*case.core_arguments(upper=cost + 1, **options)).upper == cost
        )
        beyond = _core.solve(*case.core_arguments(upper=cost, **options))
        assert beyond.status in ("optimal", "upper_bound")
        assert beyond.lower >= cost


@pytest.mark.parametrize("kind", ["fails", "exhausts"])
def test_survive_every_allocation_that_fails(kind):
    n_failed = 0
    for case in deep_problems(9730, 2):

        def search(case=case, **options):
            return _core.solve(*case.core_arguments(**options, **AT_ONCE))

        n_failed += assert_survived(kind, 600, 7, optimum(case.problem).cost, search)
    assert n_failed > 0


def core_search(X, y, penalty, limits, **options):
    """Search rows of weight one, of two classes."""
    return _core.solve(
        np.asfortranarray(X, dtype=float),
        np.asarray(y, dtype=np.int32),
        np.ones(len(y), dtype=np.int64),
        np.array([[0, 1], [1, 0]], dtype=np.int64),
        *(1, penalty, _core.Options(limits, tuning=eager(**AT_ONCE), **options)),
    )


def test_end_soon_after_one_of_them_fails():
    rng = np.random.default_rng(8)
    X, y = rng.integers(0, 2, (400, 30)), rng.integers(0, 2, 400)
    limits = _core.Limits(time_limit=20.0)
    # The first of these allocations are of the first thread, the last of the others.
    for nth in range(900, 1600, 100):
        trouble = _core.AllocationTrouble(fails=nth)
        start = time.perf_counter()
        with pytest.raises(MemoryError):
            core_search(X, y, 1, limits, n_threads=3, trouble=trouble)
        assert time.perf_counter() - start < 10


def test_are_no_more_than_there_is_memory_for():
    rng = np.random.default_rng(8)
    X = rng.random((4000, 6))
    y = (X[:, 0] > 0.5) & (X[:, 1] > 0.5) | (X[:, 2] > 0.7)
    y ^= rng.random(len(y)) < 0.02
    # A quarter of it is what a search gets in a process that holds more than the limit.
    limits = _core.Limits(max_depth=3, memory_limit=60 * 2**20)
    alone = core_search(X, y, 20, limits)
    found = core_search(X, y, 20, limits, n_threads=8)
    assert alone.status == found.status == "optimal"
    assert (found.lower, found.upper) == (alone.lower, alone.upper)


def noisy_table(n_rows=3000, n_columns=12):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, size=(n_rows, n_columns)).astype(float)
    noise = rng.random(n_rows) < 0.3
    return X, ((X[:, 0] + X[:, 1] * X[:, 2] + X[:, 3] > 1) ^ noise).astype(int)


def same(one, other):
    return (one.objective, one.status, one.tree) == (
        other.objective,
        other.status,
        other.tree,
    )


def test_of_the_public_call_change_nothing():
    X, y = noisy_table()
    alone = ostrya.solve(X, y, leaf_penalty=0.001, max_depth=5)
    for n_jobs in (2, 3, -1):
        assert same(
            alone, ostrya.solve(X, y, leaf_penalty=0.001, max_depth=5, n_jobs=n_jobs)
        )


@pytest.mark.parametrize("objective", ["f1", "accuracy"])
def test_of_two_calls_at_once_do_not_meet(objective):
    X, y = noisy_table(400, 6)
    given = {"leaf_penalty": 0.002, "n_jobs": 2, "objective": objective}
    alone = ostrya.solve(X, y, **given)
    found = []
    calls = [
        threading.Thread(target=lambda: found.append(ostrya.solve(X, y, **given)))
        for _ in range(3)
    ]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert len(found) == 3
    assert all(same(alone, each) for each in found)


def test_stopped_by_a_callback_bring_back_a_tree_and_its_gap():
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(800, 10)), rng.integers(0, 2, 800)
    outcome = ostrya.solve(
        X, y, leaf_penalty=0.002, n_jobs=3, on_progress=lambda p: p.n_leaves > 1
    )
    assert outcome.status == "interrupted"
    assert outcome.lower_bound < outcome.objective
    assert outcome.n_leaves > 1


def solve_in_child(queue):
    X, y = noisy_table(400, 6)
    queue.put(ostrya.solve(X, y, leaf_penalty=0.002, n_jobs=2).objective)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_work_in_a_process_that_was_forked():
    X, y = noisy_table(400, 6)
    objective = ostrya.solve(X, y, leaf_penalty=0.002, n_jobs=2).objective
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=solve_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=600) == objective
    child.join()


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2", True])
def test_a_number_of_jobs_that_means_nothing_is_refused(n_jobs):
    with pytest.raises((TypeError, ValueError), match="n_jobs must be"):
        ostrya.solve([[0.0], [1.0]], [0, 1], n_jobs=n_jobs)
    with pytest.raises((TypeError, ValueError), match="n_jobs must be"):
        ostrya.OptimalTreeClassifier(n_jobs=n_jobs).fit([[0.0], [1.0]], [0, 1])
