"""The growth curves: data by the rule, and laws that are read off right."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import cells, growth


def curve(seconds, sizes=(1, 2, 4, 8), by_level=False):
    axis = growth.Axis("any", sizes, growth.repeated, by_level)
    return growth.Curve(axis, seconds, (1,) * len(sizes))


def test_a_power_is_read_off():
    assert curve((1.0, 4.0, 16.0, 64.0)).law == "size^2.00"


def test_a_factor_a_level_is_read_off():
    law = curve((1.0, 3.0, 9.0, 27.0), sizes=(1, 2, 3, 4), by_level=True).law
    assert law == "x 3.0 a level"


def test_repeated_rows_are_the_same_rows():
    (X, y), _ = growth.repeated(3)
    assert len(X) == len(y) == 3000
    assert len(np.unique(np.column_stack([X, y]), axis=0)) <= 1000


@pytest.mark.parametrize("n_values", [2, 5])
def test_labels_follow_the_rule_but_for_the_noise(n_values):
    X, y = growth.draw(4000, 6, n_values)
    majority = (2 * X[:, :3] >= n_values).sum(axis=1) >= 2
    assert 0.05 < np.mean(majority != y) < 0.2


def test_a_small_axis_is_measured_and_drawn(tmp_path, monkeypatch):
    tiny = growth.Axis("rows", (1, 2, 3, 4), growth.repeated)
    monkeypatch.setattr(growth, "AXES", (tiny,))
    text = growth.report(tmp_path / "growth.svg")
    assert text.count("| rows |") == 4
    assert (tmp_path / "growth.svg").exists()


def test_cells_are_timed(monkeypatch):
    monkeypatch.setattr(cells, "SIZES", ((64, 8),))
    monkeypatch.setattr(cells, "copied_bytes_a_second", lambda: 1e9)
    head, _, row, _, clock = cells.report()
    assert head.count("|") == row.count("|")
    assert cells.scan_seconds(64, 8) > 0
    assert "Copying memory: 1 GB/s" in clock
