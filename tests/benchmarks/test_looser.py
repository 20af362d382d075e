"""The comparison of looser limits: what counts at which time."""

from __future__ import annotations

import numpy as np

from benchmarks import looser
from benchmarks.looser import Curve, Runs
from benchmarks.problem import Group, Problem

PROBLEM = Problem("iris", Group.ANY_DEPTH, 0.01, None)


def test_a_curve_knows_only_what_was_found_by_then():
    curve = Curve([[0.1, 0.5, 0], [0.3, 0.2, 2]], True, 0.9)
    assert curve.objective(0.05) == np.inf
    assert (curve.objective(0.1), curve.objective(0.8)) == (0.5, 0.2)
    assert [curve.depth(seconds) for seconds in (0.1, 0.3, 0.9)] == ["0", "2", "any"]


def test_tables_come_once_for_each_penalty_and_once_where_leaves_are_free():
    deep = [Problem("iris", Group.CONTINUOUS, penalty, 3) for penalty in (0.01, 0.1)]
    assert [p.penalty for p in looser.tables([*deep, PROBLEM])] == [0.01, 0.1]
    (free,) = looser.tables(deep, max_leaf_nodes=5)
    assert (free.penalty, free.depth) == (0.0, None)


def curves(monkeypatch, tmp_path, of_depth):
    """The lines of a report over curves made by hand, and the searches it asked for."""
    asked = []

    def search(X, y, seconds, enough, *, leaf_penalty, max_depth):
        asked.append((max_depth, seconds, enough))
        return of_depth[max_depth]

    monkeypatch.setattr(looser, "read", lambda problem: (None, None))
    monkeypatch.setattr(looser, "search", search)
    runs = Runs(tmp_path / "runs.jsonl")
    return list(looser.report([PROBLEM], [1.0, 0.1], runs)), asked


def test_a_tree_that_comes_later_without_a_limit_is_called_worse(monkeypatch, tmp_path):
    limited = Curve([[0.05, 0.2, 1]], True, 0.06)
    free = Curve([[0.02, 0.4, 0], [0.5, 0.2, 1]], False, 1.0)
    of_depth = {None: free, 2: limited, 3: limited, 4: limited}
    lines, asked = curves(monkeypatch, tmp_path, of_depth)
    rows = [line for line in lines if line.startswith("| iris")]
    assert ["WORSE" in row for row in rows] == [True, False]
    assert "1 at 0.1 s, 0 at 1 s" in lines[-2]
    assert [depth for depth, _, _ in asked] == [2, 3, 4, None]
    again, asked = curves(monkeypatch, tmp_path, of_depth)
    assert (again, asked) == (lines, [])


def test_a_search_ends_when_its_tree_is_good_enough():
    X, y = np.arange(40.0)[:, None], np.arange(40) % 7 < 3
    curve = looser.search(X, y, 60.0, 1.0, leaf_penalty=0.001, max_depth=3)
    assert 0 <= curve.objective(np.inf) < 0.5
    assert [point[1] for point in curve.points] == sorted(
        (point[1] for point in curve.points), reverse=True
    )
