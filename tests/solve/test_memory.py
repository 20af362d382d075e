"""The memory of the machine is the limit that nobody set."""

from __future__ import annotations

import pytest

import ostrya
from ostrya import _core, _memory
from ostrya._solve import limits


def test_a_container_counts_where_it_is_smaller(tmp_path, monkeypatch):
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(_memory, "_CONTAINER_LIMITS", (limit, tmp_path / "none"))
    whole = _memory.measured_memory_size()
    if whole is None:
        pytest.skip("this system does not say")
    limit.write_text(f"{whole // 2}\n")
    assert _memory.measured_memory_size() == whole // 2
    limit.write_text("max\n")
    assert _memory.measured_memory_size() == whole


def test_a_search_without_a_limit_keeps_to_half_of_it(monkeypatch):
    seen = []
    engine = _core.solve

    def watch(*arguments):
        seen.append(arguments[6].limits.memory_limit)
        return engine(*arguments)

    monkeypatch.setattr(_core, "solve", watch)
    for size, expected in ((2**34, 2**33), (2**20, 2**25), (None, None)):
        monkeypatch.setattr(limits, "memory_size", lambda size=size: size)
        ostrya.solve([[0], [1]], [0, 1])
        assert seen[-1] == expected
    ostrya.solve([[0], [1]], [0, 1], memory_limit=2**28)
    assert seen[-1] == 2**28
