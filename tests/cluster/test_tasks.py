"""What a worker remembers."""

from __future__ import annotations

import sys
import threading

import pytest

from ostrya._cluster.task import Remembered, Step


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
