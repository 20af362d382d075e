"""A search on a cluster of Dask: workers in processes of their own, killed and late."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time

import numpy as np
import pytest

import ostrya
from generated import hard
from ostrya import OptimalTreeClassifier
from ostrya._cluster import agenda, search

distributed = pytest.importorskip("distributed")

# A cluster takes seconds to start; what it logs when workers are killed is expected.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def new_cluster(n_workers):
    return distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        dashboard_address=":0",
        silence_logs="CRITICAL",
    )


@pytest.fixture(scope="module")
def client():
    with new_cluster(2) as workers, distributed.Client(workers) as client:
        yield client


@pytest.fixture
def soon(monkeypatch):
    """Have searches go to the cluster at once, in many tasks."""
    monkeypatch.setattr(search, "ALONE", 0.0)
    monkeypatch.setattr(agenda, "LEAST_SECONDS", 0.05)


def table(n_rows=300, n_columns=8, n_values=6, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_values, (n_rows, n_columns)).astype(float)
    noise = rng.random(n_rows) < 0.2
    y = (X[:, 0] > 2).astype(int) + (X[:, 1] * X[:, 2] > 6) + noise
    return X, y % n_classes


def seen(outcome):
    return outcome.objective, outcome.lower_bound, outcome.status, str(outcome.tree)


CASES = {
    "depth": (table(), {"leaf_penalty": 0.005, "max_depth": 4}),
    "yes/no": (table(600, 14, 2), {"leaf_penalty": 0.002, "max_depth": 5}),
    "any depth": (table(400, 12, 2), {"leaf_penalty": 0.004}),
    "leaves": (table(200, 6), {"leaf_penalty": 0.004, "max_leaf_nodes": 6}),
    "rows": (
        table(250, 6),
        {"leaf_penalty": 0.003, "max_depth": 4, "min_samples_leaf": 7},
    ),
    "costs": (
        table(200, 6, n_classes=3),
        {
            "leaf_penalty": 0.01,
            "max_depth": 4,
            "sample_weight": np.arange(200) % 5 + 1,
            "cost_matrix": [[0, 1, 2], [3, 0, 1], [1, 2, 0]],
        },
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_finds_what_one_machine_finds(client, soon, case):
    (X, y), given = CASES[case]
    alone = ostrya.solve(X, y, **given)
    with ostrya.use_dask(client):
        outcome = ostrya.solve(X, y, **given)
    assert seen(outcome) == seen(alone)


@pytest.mark.parametrize("share", [0.95, 1.001])
def test_only_trees_below_a_bound_are_looked_for(client, soon, share):
    X, y = table()
    given = {"leaf_penalty": 0.005, "max_depth": 4}
    bound = share * ostrya.solve(X, y, **given).objective
    alone = ostrya.solve(X, y, **given, upper_bound=bound)
    with ostrya.use_dask(client):
        outcome = ostrya.solve(X, y, **given, upper_bound=bound)
    assert alone.status == ("upper_bound" if share < 1 else "optimal")
    assert outcome.status == alone.status
    assert outcome.lower_bound == alone.lower_bound


def test_a_killed_worker_costs_time_only(client, soon):
    X, y = table(400)
    given = {"leaf_penalty": 0.004, "max_depth": 4}
    alone = ostrya.solve(X, y, **given)
    before = client.run(os.getpid)
    victim = next(iter(before))

    def die_when_asked_to_search():
        from ostrya._cluster import task

        task.search_columns = lambda *_: os.kill(os.getpid(), signal.SIGKILL)

    client.run(die_when_asked_to_search, workers=[victim])
    with ostrya.use_dask(client):
        outcome = ostrya.solve(X, y, **given)
    assert seen(outcome) == seen(alone)
    assert before[victim] not in client.run(os.getpid).values()


def test_late_workers_join(soon):
    X, y = table()
    given = {"leaf_penalty": 0.005, "max_depth": 4}
    alone = ostrya.solve(X, y, **given)
    with new_cluster(0) as workers, distributed.Client(workers) as client:
        is_late = [True]

        def come(progress):
            if is_late.pop() if is_late else False:
                workers.scale(2)

        with ostrya.use_dask(client):
            outcome = ostrya.solve(X, y, **given, on_progress=come)
    assert seen(outcome) == seen(alone)


def test_a_time_limit_ends_it_with_a_tree(client):
    X, y = hard()
    with ostrya.use_dask(client):
        outcome = ostrya.solve(X, y, leaf_penalty=0.0001, time_limit=2.0)
    assert outcome.status == "time_limit"
    assert 0 < outcome.lower_bound < outcome.objective
    assert outcome.n_leaves > 1


def test_ctrl_c_ends_it_with_a_tree(client):
    X, y = hard()

    def press(progress):
        if progress.seconds > search.ALONE + 0.5:
            signal.raise_signal(signal.SIGINT)

    with ostrya.use_dask(client):
        outcome = ostrya.solve(X, y, leaf_penalty=0.0001, on_progress=press)
    assert outcome.status == "interrupted"
    assert outcome.lower_bound < outcome.objective
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def names_on_scheduler(dask_scheduler):
    return list(dask_scheduler.extensions["variables"].variables)


def n_executing(dask_worker):
    return len(dask_worker.state.executing)


def test_a_stopped_search_leaves_nothing_behind(client, soon, monkeypatch):
    monkeypatch.setattr(agenda, "LEAST_SECONDS", 30.0)
    X, y = hard(150)

    def are_at_work(progress=None):
        return sum(client.run(n_executing).values()) > 0

    with ostrya.use_dask(client):
        outcome = ostrya.solve(X, y, leaf_penalty=0.0001, on_progress=are_at_work)
    assert outcome.status == "interrupted"
    ends = time.perf_counter() + 20.0
    while are_at_work() or client.run_on_scheduler(names_on_scheduler):
        assert time.perf_counter() < ends
        time.sleep(0.1)


def test_progress_is_that_of_one_search(client, soon):
    X, y = table()
    told = []
    with ostrya.use_dask(client):
        outcome = ostrya.solve(
            X, y, leaf_penalty=0.005, max_depth=4, on_progress=told.append
        )
        stopped = ostrya.solve(
            X, y, leaf_penalty=0.0, max_depth=5, on_progress=lambda p: p.n_leaves > 0
        )
    trees = [each for each in told if each.n_leaves]
    assert trees
    for before, after in itertools.pairwise(trees):
        assert after.seconds >= before.seconds
        assert after.lower_bound >= before.lower_bound
        assert after.objective <= before.objective
    assert trees[-1].objective == pytest.approx(outcome.objective)
    assert outcome.trace[-1].lower_bound == pytest.approx(outcome.objective)
    assert stopped.status == "interrupted"


def test_a_classifier_needs_no_parameter_for_it(client, soon):
    X, y = table()
    clf = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=4)
    alone = clf.fit(X, y).tree_
    with ostrya.use_dask(client):
        assert clf.fit(X, y).tree_ == alone


def test_searches_that_count_their_work_stay_here(client, soon, monkeypatch):
    monkeypatch.setattr(search, "Workers", None)
    X, y = table(100, 4)
    with ostrya.use_dask(client):
        assert OptimalTreeClassifier().fit(X, y).status_ == "optimal"


def test_arguments_are_checked(client, tmp_path, monkeypatch):
    with (
        pytest.raises(TypeError, match=r"client must be a distributed.Client"),
        ostrya.use_dask("tcp://127.0.0.1:8786"),
    ):
        pass
    with ostrya.use_dask(client), pytest.raises(ValueError, match="checkpoint"):
        ostrya.solve([[0], [1]], [0, 1], checkpoint=tmp_path / "facts")
    with ostrya.use_dask() as found:
        assert found is client
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"ostrya\[dask\]"), ostrya.use_dask(client):
        pass
