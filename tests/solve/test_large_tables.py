"""Tables that are too large for their limits: still a tree, still within them."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import ostrya
from generated import continuous
from ostrya.objectives import PartialAUC

MEBIBYTE = 2**20

MANY_CLASSES = """
import json, sys
import numpy as np
import ostrya

def peak():
    # Not ru_maxrss, which a process has from the one that started it.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if "VmHWM" in line)

rng = np.random.default_rng(0)
X = rng.random((30_000, 3))
y = (X[:, 0] * 400).astype(int) + rng.integers(0, 400, len(X)) * (X[:, 1] > 0.5)
ostrya.solve(X[:9], y[:9])
before = peak()
outcome = ostrya.solve(
    X, y, leaf_penalty=0.0, max_depth=3, memory_limit=int(sys.argv[1])
)
print(json.dumps({
    "grown": peak() - before,
    "counted": outcome.statistics.peak_memory,
    "status": outcome.status,
    "leaves": outcome.n_leaves,
    "lower": outcome.lower_bound,
    "objective": outcome.objective,
}))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc/self/status")
@pytest.mark.parametrize("limit", [32, 160])
def test_many_classes_take_memory_by_rows_and_not_by_classes(limit):
    """Rows times classes were 200 MB, several times over, whatever the limit."""
    run = subprocess.run(
        [sys.executable, "-c", MANY_CLASSES, str(limit * MEBIBYTE)],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    said = json.loads(run.stdout)
    assert said["status"] == "memory_limit"
    assert said["leaves"] > 1
    assert said["lower"] <= said["objective"]
    assert said["counted"] <= limit * MEBIBYTE
    assert said["grown"] <= 1.1 * limit * MEBIBYTE


@pytest.mark.parametrize("seconds", [1e-6, 0.2])
def test_there_is_a_tree_when_time_is_up_while_rows_are_prepared(seconds):
    X, y = continuous(2, n_rows=150_000, n_columns=20)
    outcome = ostrya.solve(
        X,
        y,
        leaf_penalty=1e-4,
        max_depth=3,
        max_leaf_nodes=6,
        min_samples_leaf=2000,
        time_limit=seconds,
    )
    assert outcome.status == "time_limit"
    assert 2 <= outcome.n_leaves <= 6
    assert outcome.tree.depth <= 3
    rows = outcome.tree.n_samples[outcome.tree.feature < 0]
    assert rows.min() >= 2000
    assert rows.sum() == len(X)
    errors = np.count_nonzero(outcome.tree.predict(X) != y)
    assert outcome.loss == pytest.approx(errors / len(y), rel=1e-12)
    assert outcome.lower_bound <= outcome.objective
    assert outcome.trace[-1].objective == pytest.approx(outcome.objective)


@pytest.mark.parametrize("objective", ["auc", PartialAUC(max_fpr=0.5)])
@pytest.mark.parametrize("n_rows", [3_000, 100_000], ids=["few", "many"])
def test_areas_have_a_tree_when_time_is_up_before_any_leaf_set(objective, n_rows):
    """Leaf sets of 300,000 rows took longer than their limit: a lone leaf came back."""
    X, y = continuous(3, n_rows=n_rows, n_columns=5)
    seen = []
    outcome = ostrya.solve(
        X,
        y,
        objective=objective,
        leaf_penalty=1e-4,
        max_depth=3,
        max_leaf_nodes=6,
        min_samples_leaf=n_rows // 50,
        time_limit=1e-6,
        on_progress=seen.append,
    )
    assert outcome.status == "time_limit"
    assert 2 <= outcome.n_leaves <= 6
    assert outcome.tree.depth <= 3
    assert outcome.tree.n_samples[outcome.tree.feature < 0].min() >= n_rows // 50
    assert outcome.lower_bound <= outcome.objective
    assert outcome.trace[-1].objective == pytest.approx(outcome.objective)
    bounds = [(point.lower_bound, point.objective) for point in outcome.trace]
    assert bounds == sorted(bounds, key=lambda pair: (pair[0], -pair[1]))


def test_a_better_bound_than_the_greedy_tree_of_an_area_is_kept():
    X, y = continuous(3, n_rows=60_000, n_columns=5)
    options = {"objective": "auc", "leaf_penalty": 1e-4, "time_limit": 1e-6}
    found = ostrya.solve(X, y, **options)
    assert found.n_leaves > 1
    bound = found.lower_bound
    assert ostrya.solve(X, y, upper_bound=bound + 1e-9, **options).objective > bound
    kept = ostrya.solve(X, y, warm_start=found.tree, **options)
    assert kept.objective <= found.objective
