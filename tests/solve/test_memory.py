"""The memory of the machine is the limit that nobody set."""

from __future__ import annotations

import pytest

import ostrya
from ostrya._solve import engine as engines
from ostrya._solve import memory


def test_a_container_counts_where_it_is_smaller(tmp_path, monkeypatch):
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "_CONTAINER_LIMITS", (limit, tmp_path / "none"))
    whole = memory.measured_memory_size()
    if whole is None:
        pytest.skip("this system does not say")
    limit.write_text(f"{whole // 2}\n")
    assert memory.measured_memory_size() == whole // 2
    limit.write_text("max\n")
    assert memory.measured_memory_size() == whole


def test_a_search_without_a_limit_keeps_to_half_of_it(monkeypatch):
    seen = {}
    engine = engines._core.solve

    def watch(*arguments):
        seen.update(arguments[6])
        return engine(*arguments)

    monkeypatch.setattr(engines._core, "solve", watch)
    for size, expected in ((2**34, 2**33), (2**20, 2**25), (None, None)):
        monkeypatch.setattr(engines, "memory_size", lambda size=size: size)
        ostrya.solve([[0], [1]], [0, 1])
        assert seen["memory_limit"] == expected
    ostrya.solve([[0], [1]], [0, 1], memory_limit=2**28)
    assert seen["memory_limit"] == 2**28
