"""Several threads over one Top-k search: cost, status and tree are the same."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import effort
import ostrya
from failing_allocations import assert_survived
from oracle.top_k import TopKOracle
from ostrya import _core
from strategies import deep_problems, random_problems

#: Threads are started at once, however small the problem is, and a tree is chosen
#: among equals as in a long search.
AT_ONCE = {"threads_after": 0}
KINDS = (
    {"by_rows": False},
    {"by_rows": True},
    {"by_rows": False, "ranks_features": True},
    {"by_rows": True, "ranks_features": True},
)


def found_in(case, k, kind, **options):
    top_k = _core.TopK(k, criterion="entropy", **kind)
    return _core.solve(*case.core_arguments(top_k=top_k, **AT_ONCE, **options))


def tree_of(found):
    parts = (found.feature, found.threshold, found.yes, found.no)
    return [np.asarray(part).tobytes() for part in parts]


@pytest.mark.parametrize("kind", KINDS)
def test_find_the_same_tree(kind):
    for case in [*random_problems(9810, effort.cases(24)), *deep_problems(9811, 4)]:
        for k in ([1], [2], [4], [4, 1, 2]):
            alone = found_in(case, k, kind)
            for n_threads in (2, 4):
                found = found_in(case, k, kind, n_threads=n_threads)
                assert (found.lower, found.upper) == (alone.lower, alone.upper)
                assert found.status == alone.status
                assert tree_of(found) == tree_of(alone)


def test_find_the_oracles_tree():
    for case in random_problems(9820, effort.cases(60)):
        if case.problem.max_depth is None or case.problem.max_depth > 4:
            continue
        cost = TopKOracle(case.problem, [3], "entropy").cost()
        found = found_in(case, [3], {}, n_threads=3)
        assert (found.lower, found.upper) == (cost, cost)


def noisy_table(n_rows=1500, n_columns=20, n_values=2):
    """Many trees of the same cost, for the columns are few and alike."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, n_values, size=(n_rows, n_columns)).astype(float)
    middle = (n_values - 1) / 2
    sign = X[:, :4] > middle
    noise = rng.random(n_rows) < 0.3
    return X, ((sign[:, 0] + sign[:, 1] * sign[:, 2] + sign[:, 3] > 1) ^ noise)


def same(one, other):
    return (one.objective, one.status, one.tree) == (
        other.objective,
        other.status,
        other.tree,
    )


@pytest.mark.parametrize("n_values", [2, 100])
@pytest.mark.parametrize("max_leaf_nodes", [None, 7])
def test_share_large_nodes_and_change_nothing(n_values, max_leaf_nodes):
    X, y = noisy_table(n_values=n_values)
    given = {
        "leaf_penalty": 0.0005,
        "max_depth": 4,
        "max_leaf_nodes": max_leaf_nodes,
        "top_k": ostrya.top_k.TopKSplits(k=5),
    }
    alone = ostrya.solve(X, y, **given)
    for n_jobs in (2, 3, 4, -1):
        assert same(alone, ostrya.solve(X, y, **given, n_jobs=n_jobs))


def test_change_nothing_in_an_estimator():
    X, y = noisy_table(600, 12)
    alone, shared = (
        ostrya.TopKTreeClassifier(
            leaf_penalty=0.001, max_depth=4, k=4, n_jobs=n_jobs
        ).fit(X, y)
        for n_jobs in (1, 2)
    )
    assert (alone.tree_, alone.status_) == (shared.tree_, shared.status_)


@pytest.mark.parametrize("kind", ["fails", "exhausts"])
@pytest.mark.parametrize("by_rows", [False, True])
def test_survive_every_allocation_that_fails(kind, by_rows):
    n_failed = 0
    for case in deep_problems(9830, 2):

        def search(case=case, **options):
            return found_in(case, [3], {"by_rows": by_rows}, **options)

        n_failed += assert_survived(kind, 600, 7, search().upper, search)
    assert n_failed > 0


HARD = {"leaf_penalty": 0.0, "max_depth": 12, "top_k": ostrya.top_k.TopKSplits(k=16)}


def hard_table():
    rng = np.random.default_rng(8)
    return rng.normal(size=(2000, 12)), rng.integers(0, 2, 2000)


def test_end_with_the_time_limit():
    X, y = hard_table()
    start = time.perf_counter()
    outcome = ostrya.solve(X, y, **HARD, n_jobs=3, time_limit=0.5)
    assert outcome.status == "time_limit"
    assert outcome.lower_bound < outcome.objective
    assert time.perf_counter() - start < 60  # not the years that it would take


class Watch:
    """Calls `end` once the search has been watched for some time."""

    def __init__(self, end):
        self.end = end
        self.n_calls = 0

    def __call__(self, progress):
        self.n_calls += progress.n_leaves > 1
        return self.end() if self.n_calls > 3 else None


def test_end_with_a_callback():
    X, y = hard_table()
    outcome = ostrya.solve(X, y, **HARD, n_jobs=3, on_progress=Watch(lambda: True))
    assert outcome.status == "interrupted"
    assert outcome.n_leaves > 1


class TroubleError(Exception):
    """What a callback raises."""


def test_a_callback_that_raises_ends_all_threads():
    def raise_trouble():
        raise TroubleError

    X, y = hard_table()
    with pytest.raises(TroubleError):
        ostrya.solve(X, y, **HARD, n_jobs=3, on_progress=Watch(raise_trouble))


CHILD = """
import numpy as np, ostrya
rng = np.random.default_rng(8)
X, y = rng.normal(size=(2000, 12)), rng.integers(0, 2, 2000)
calls = []

def tell(progress):
    if progress.n_leaves > 1:
        calls.append(progress)
        if len(calls) == 3:
            print("searching", flush=True)

outcome = ostrya.solve(
    X, y, leaf_penalty=0.0, max_depth=12, top_k=ostrya.top_k.TopKSplits(k=16), n_jobs=3,
    on_progress=tell,
)
print(outcome.status)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_end_with_ctrl_c():
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "searching\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == "interrupted\n"


def search_small(n_jobs=2):
    X, y = noisy_table(600, 12)
    return ostrya.solve(
        *(X, y),
        leaf_penalty=0.001,
        max_depth=5,
        top_k=ostrya.top_k.TopKSplits(k=6),
        n_jobs=n_jobs,
    )


def test_of_several_calls_at_once_do_not_meet():
    alone = search_small(1)
    found = []
    calls = [
        threading.Thread(target=lambda: found.append(search_small())) for _ in range(3)
    ]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert len(found) == 3
    assert all(same(alone, each) for each in found)


def search_in_child(queue):
    queue.put(search_small().objective)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_work_in_a_process_that_was_forked():
    objective = search_small().objective
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=search_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=600) == objective
    child.join()
