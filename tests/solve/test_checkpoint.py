"""A search that is stopped goes on from its checkpoint, in this process or another."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import ostrya
from ostrya import OptimalTreeClassifier
from ostrya._solve import checkpoint as module
from ostrya.top_k import TopKSplits

PENALTY = {"leaf_penalty": 0.004, "max_depth": 5}
BY_CHANCE = [random.Random(0).random() for _ in range(40)]


def table(n_rows=500, n_columns=7, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n_rows, n_columns)).astype(float)
    y = (X[:, 0] > 2) ^ (X[:, 1] > 3) ^ (X[:, 2] > 1) ^ (rng.random(n_rows) < 0.15)
    return X, y.astype(int)


def same(a, b):
    return (a.objective, a.lower_bound, a.status, str(a.tree)) == (
        *(b.objective, b.lower_bound, b.status),
        str(b.tree),
    )


def stop_in_the_middle(X, y, path, **given):
    """Search for a while; return what was known when it was stopped."""
    n_left = [3]

    def is_enough(progress):
        n_left[0] -= progress.n_leaves > 1
        return n_left[0] <= 0

    return ostrya.solve(X, y, **given, checkpoint=path, on_progress=is_enough)


@pytest.fixture
def often(monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 0.02)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_stopped_search_goes_on_to_the_same_end(tmp_path, n_jobs):
    X, y = table()
    path = tmp_path / "facts"
    alone = ostrya.solve(X, y, **PENALTY)
    outcome = stop_in_the_middle(X, y, path, **PENALTY, n_jobs=n_jobs)
    assert path.exists()
    resumed = ostrya.solve(X, y, **PENALTY, checkpoint=path, n_jobs=n_jobs)
    assert resumed.lower_bound >= outcome.lower_bound
    assert resumed.objective <= outcome.objective
    assert same(resumed, alone)
    again = ostrya.solve(X, y, **PENALTY, checkpoint=str(path))
    assert same(again, alone)
    assert again.statistics.subproblems == 0


@pytest.mark.parametrize("seed", range(12))
def test_a_checkpoint_does_not_change_the_tree_of_a_short_search(tmp_path, seed):
    X, y = table(60, 4, seed)
    given = {"leaf_penalty": 0.02, "max_depth": 3}
    alone = ostrya.solve(X, y, **given)
    kept = ostrya.solve(X, y, **given, checkpoint=tmp_path / "whole")
    assert same(kept, alone)
    stop_in_the_middle(X, y, tmp_path / "part", **given)
    assert same(ostrya.solve(X, y, **given, checkpoint=tmp_path / "part"), alone)


def test_a_resumed_search_without_time_reports_what_was_known(tmp_path):
    X, y = table(1500, 10)
    given = {"leaf_penalty": 0.0005, "checkpoint": tmp_path / "facts"}
    before = stop_in_the_middle(X, y, given["checkpoint"], leaf_penalty=0.0005)
    found = ostrya.solve(X, y, **given, time_limit=1e-6)
    assert found.lower_bound >= before.lower_bound
    assert found.objective <= before.objective
    last = before.trace[-1]
    for point in found.trace:
        assert point.lower_bound >= last.lower_bound
        assert point.objective <= last.objective
        assert point.proved_depth >= last.proved_depth


def test_progress_begins_where_it_was_left(tmp_path):
    X, y = table()
    path = tmp_path / "facts"
    before = stop_in_the_middle(X, y, path, **PENALTY)
    seen = []
    resumed = ostrya.solve(X, y, **PENALTY, checkpoint=path, on_progress=seen.append)
    for point in [*resumed.trace, *[p for p in seen if p.n_leaves > 0]]:
        assert point.lower_bound >= before.lower_bound
        assert point.objective <= before.objective


def test_every_write_replaces_the_file_by_one_to_go_on_from(tmp_path, often):
    X, y = table(1000, 8)
    path = tmp_path / "facts"
    alone = ostrya.solve(X, y, **PENALTY)
    copies = []

    def copy(progress):
        if path.exists():
            copies.append(path.read_bytes())

    ostrya.solve(X, y, **PENALTY, checkpoint=path, on_progress=copy)
    assert os.listdir(tmp_path) == ["facts"]
    for content in copies[:: max(1, len(copies) // 4)]:
        path.write_bytes(content)
        assert same(ostrya.solve(X, y, **PENALTY, checkpoint=path), alone)


SEARCH = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_checkpoint import PENALTY, ostrya, table
from ostrya._solve import checkpoint
checkpoint.SECONDS = 0.01
X, y = table(1500, 10)
ostrya.solve(X, y, leaf_penalty=0.0005, checkpoint=sys.argv[2])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
def test_a_killed_process_leaves_what_it_had_proved(tmp_path):
    X, y = table(1500, 10)
    path = tmp_path / "facts"
    here = Path(__file__).parent
    child = subprocess.Popen([sys.executable, "-c", SEARCH, str(here), str(path)])
    try:
        while not path.exists() and child.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2)
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    assert child.returncode == -signal.SIGKILL
    given = {"leaf_penalty": 0.0005, "checkpoint": path, "time_limit": 0.5}
    first = ostrya.solve(X, y, **given)
    second = ostrya.solve(X, y, **given)
    assert first.lower_bound <= second.lower_bound
    assert second.objective <= first.objective


def changed_label(X, y):
    y = y.copy()
    y[3] = 1 - y[3]
    return X, y, {}


def changed_value(X, y):
    X = X.copy()
    X[5, 2] += 1.5
    return X, y, {}


@pytest.mark.parametrize(
    "change",
    [
        changed_label,
        changed_value,
        lambda X, y: (X[1:], y[1:], {}),
        lambda X, y: (X[:, ::-1], y, {}),
        lambda X, y: (X * 2, y, {}),
        lambda X, y: (X, y, {"sample_weight": np.arange(1, len(y) + 1)}),
        lambda X, y: (X, y, {"class_weight": {1: 2.0}}),
        lambda X, y: (X, y, {"cost_matrix": [[0, 2], [1, 0]]}),
        lambda X, y: (X, y, {"leaf_penalty": 0.005}),
        lambda X, y: (X, y, {"min_samples_leaf": 5}),
        lambda X, y: (X, y, {"max_depth": 4}),
        lambda X, y: (X, y, {"max_leaf_nodes": 9}),
        lambda X, y: (X, y, {"bounds": ostrya.bounds.Bounds(look_ahead=False)}),
    ],
)
def test_a_file_of_another_problem_is_refused_by_name_and_stays(tmp_path, change):
    X, y = table()
    path = tmp_path / "facts"
    stop_in_the_middle(X, y, path, **PENALTY)
    content = path.read_bytes()
    X, y, given = change(X, y)
    with pytest.raises(
        ValueError, match=r"checkpoint .*facts.* belongs to another problem"
    ):
        ostrya.solve(X, y, **{**PENALTY, **given}, checkpoint=path)
    assert path.read_bytes() == content


def test_limits_on_time_and_trees_to_beat_may_change(tmp_path):
    X, y = table()
    path = tmp_path / "facts"
    alone = ostrya.solve(X, y, **PENALTY)
    stop_in_the_middle(X, y, path, **PENALTY)
    content = path.read_bytes()
    for given in (
        {"time_limit": 1000, "memory_limit": 2**30},
        {"warm_start": alone.tree},
        {"upper_bound": alone.objective + 0.01},
        {"n_jobs": 2},
    ):
        path.write_bytes(content)
        resumed = ostrya.solve(X, y, **PENALTY, **given, checkpoint=path)
        assert (resumed.status, resumed.objective) == ("optimal", alone.objective)


def test_a_truncated_or_altered_file_is_refused_by_name(tmp_path):
    X, y = table(80, 4)
    path = tmp_path / "facts"
    stop_in_the_middle(X, y, path, leaf_penalty=0.001)
    content = path.read_bytes()
    head = range(module.HEAD.size + module.DIGEST_BYTES + 8)
    places = [*head, *(int(share * len(content)) for share in BY_CHANCE)]
    refused = r"checkpoint .*facts.* cannot be resumed: .*remove this one"
    for at in places:
        for bit in (1, 128):
            altered = bytearray(content)
            altered[at] ^= bit
            path.write_bytes(altered)
            with pytest.raises(ValueError, match=refused):
                ostrya.solve(X, y, leaf_penalty=0.001, checkpoint=path)
        path.write_bytes(content[:at])
        with pytest.raises(ValueError, match=refused):
            ostrya.solve(X, y, leaf_penalty=0.001, checkpoint=path)
        assert path.read_bytes() == content[:at]
    path.write_bytes(content + b"\0")
    with pytest.raises(ValueError, match="altered"):
        ostrya.solve(X, y, leaf_penalty=0.001, checkpoint=path)


def test_a_file_in_a_newer_format_says_so(tmp_path):
    path = tmp_path / "facts"
    head = module.HEAD.pack(module.MAGIC, 3, b"9.8.7", 0)
    path.write_bytes(head + bytes(module.DIGEST_BYTES))
    with pytest.raises(ValueError, match=r"format 3 of Ostrya '9\.8\.7'"):
        ostrya.solve([[0], [1]], [0, 1], checkpoint=path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"top_k": TopKSplits(k=2)}, "top_k"),
        ({"reference_labels": [0, 1]}, "reference_labels"),
        ({"objective": "f1"}, "objective='f1'"),
        ({"objective": lambda fp, fn: fp + fn}, "objective"),
        ({"engine": "leaf_sets"}, "engine='leaf_sets'"),
    ],
)
def test_searches_that_keep_no_facts_refuse_it(tmp_path, given, message):
    with pytest.raises(ValueError, match=f"checkpoint cannot be combined.*{message}"):
        ostrya.solve([[0], [1]], [0, 1], checkpoint=tmp_path / "facts", **given)


def test_what_is_no_place_for_a_file_is_refused_before_the_search(tmp_path):
    for wrong in (3, b"facts", True):
        with pytest.raises(TypeError, match="checkpoint must be"):
            ostrya.solve([[0], [1]], [0, 1], checkpoint=wrong)
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    for wrong, reason in (
        (tmp_path / "none" / "facts", "folder does not exist"),
        (tmp_path, "is a folder"),
        ("", "not a valid path"),
        (tmp_path / "table.csv", "not a checkpoint of Ostrya"),
    ):
        with pytest.raises(ValueError, match=f"checkpoint .*{reason}"):
            ostrya.solve([[0], [1]], [0, 1], checkpoint=wrong)
    assert (tmp_path / "table.csv").read_text() == "a,b\n1,2\n"


def test_a_full_disk_is_told_and_costs_no_search(tmp_path, monkeypatch):
    def is_full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_whole", is_full)
    path = tmp_path / "facts"
    with pytest.warns(RuntimeWarning, match=r"facts.* could not be written .No space"):
        outcome = ostrya.solve([[0], [1]], [0, 1], checkpoint=path)
    assert outcome.status == "optimal"


def test_the_classifier_goes_on_from_its_file(tmp_path):
    X, y = table()
    path = tmp_path / "facts"
    alone = OptimalTreeClassifier(**PENALTY).fit(X, y)
    clf = OptimalTreeClassifier(**PENALTY)
    clf.fit(X, y, checkpoint=path)
    assert clf.fit(X, y, checkpoint=path).objective_ == alone.objective_
    assert str(clf.tree_) == str(alone.tree_)
    clf.save(tmp_path / "model.json")
    loaded = OptimalTreeClassifier.load(tmp_path / "model.json")
    assert loaded.objective_ == alone.objective_
    with pytest.raises(ValueError, match="another problem"):
        clf.fit(X, 1 - y, checkpoint=path)
    with pytest.raises(ValueError, match="guessed bounds"):
        OptimalTreeClassifier(guess="bounds").fit(X, y, checkpoint=path)
