"""The experiments on leaf sets: run once, kept, and told beside the paper's."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from benchmarks.osdt import figures, runs, table2
from benchmarks.papers import kept
from generated import few_valued


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A small problem in place of the paper's, and an empty ledger."""
    X, y = few_valued(0, 60)
    data = X[:, :3].astype(float), (y > 0).astype(int), ["a", "b", "c"]
    monkeypatch.setattr(runs, "LEDGER", tmp_path / "osdt.jsonl")
    for module in (table2, figures):
        monkeypatch.setattr(module, "compas", lambda: data)
    monkeypatch.setattr(kept, "PAPERS", tmp_path)
    monkeypatch.setattr(figures, "COPIES", (1, 2))
    return tmp_path


def test_table_is_made_once(small, monkeypatch):
    first = table2.report(20.0, 1.0, fresh=False)
    assert first.count("\n") == 2 + len(table2.VARIANTS)
    assert "232,402" in first
    monkeypatch.setattr(ostrya, "solve", None)  # a second run would call it
    assert table2.report(20.0, 1.0, fresh=False) == first


def test_a_variant_that_runs_out_is_told_as_such():
    record = {
        "status": "time_limit",
        "seconds": 9.0,
        "seconds_to_optimum": 1.0,
        "trees": 5,
        "trees_to_optimum": 2,
        "memory": 10**6,
    }
    line = table2.line("look_ahead", record)
    assert "(time_limit)" in line
    assert ">9" in line
    assert "31,721" in line


def test_figures_are_drawn(small):
    pytest.importorskip("matplotlib")
    assert "curiosity" in figures.figure2(20.0, 1.0, fresh=True)
    told = figures.figure3(20.0, 1.0, fresh=True)
    assert "columns of the tree" in told
    assert np.all([(small / "osdt" / f"figure{k}.svg").exists() for k in (2, 3)])
