"""What a worker remembers, and what of a search it is sent."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

from ostrya._cluster.search import merged
from ostrya._cluster.task import Remembered, SharedProblem, Step
from ostrya._solve.grid import to_grid
from ostrya._solve.limits import Limits
from ostrya._solve.training_data import TrainingData
from ostrya.bounds import Bounds


@pytest.fixture
def busy_threads():
    """Have threads take turns as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_threads_of_a_worker_remember_at_the_same_time(busy_threads):
    remembered = Remembered()
    paths = [(Step(feature, 0.5, True),) for feature in range(12)]
    faults = []

    def work():
        try:
            for turn in range(3000):
                remembered.put("search", paths[turn % 12], b"facts")
                remembered.take("search", paths[turn * 5 % 12])
        except RuntimeError as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_another_search_and_the_oldest_are_forgotten():
    remembered = Remembered()
    remembered.put("before", (), b"old")
    for feature in range(9):
        remembered.put("now", (Step(feature, 0.5, True),), bytes([feature]))
    assert remembered.take("before", ()) is None
    assert remembered.take("now", (Step(0, 0.5, True),)) is None
    assert remembered.take("now", (Step(8, 0.5, True),)) == bytes([8])
    assert remembered.take("now", (Step(8, 0.5, True),)) is None


@pytest.mark.parametrize("min_samples_leaf", [1, 2])
def test_a_worker_is_sent_one_weight_per_row(min_samples_leaf):
    X = np.array([[0.0], [0.0], [1.0], [2.0]])
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    counts = np.array([1, 1, 2, 2])
    codes = np.array([0, 0, 1, 0], dtype=np.int32)
    data = TrainingData(X, codes, 2, weights, None, 0.01, counts)
    limits = Limits(min_samples_leaf=min_samples_leaf)
    sent, grid = merged(data, to_grid(data), limits)
    assert sent.n_samples == (3 if min_samples_leaf == 1 else 4)
    problem = SharedProblem("search", sent, grid, Bounds(), None, b"")
    below = problem.below((Step(0, 0.5, False),))
    for part, its_grid in ((sent, grid), below):
        assert part.weights is None
        assert part.counts is None
        assert len(part.X) == len(part.codes) == len(its_grid.weights)
    assert below[1].weights.sum() * 10 == grid.weights.sum() * 7
