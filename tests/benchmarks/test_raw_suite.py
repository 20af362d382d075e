from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks import guessed, rivals, traces
from benchmarks.choices import select
from benchmarks.contenders import CONTENDERS
from benchmarks.contenders.imodels import Imodels
from benchmarks.contenders.pytrees import PyTrees, PyTreesLds
from benchmarks.contenders.unpriced import Unpriced
from benchmarks.data import numeric
from benchmarks.prices import distinct, row
from benchmarks.problem import Group, Problem
from benchmarks.raw.report import render
from benchmarks.raw.runs import Runs, share
from benchmarks.suites import SUITES
from benchmarks.suites.raw import RAW, TAGS
from benchmarks.task import Task

FIRST = RAW[0].name


def record(contender="ostrya", problem=FIRST, **changes):
    return {
        "problem": problem,
        "group": "no depth limit",
        "penalty": 0.02,
        "tags": ["narrow"],
        "contender": contender,
        "version": "1",
        "python": "3",
        "machine": {"cpu": "a", "cores": 1},
        "time_limit": 60.0,
        "memory_cap": 100,
        "run": 1,
        "date": "2000-01-01",
        "seconds": 2.0,
        "objective": 0.4,
        "lower": 0.4,
        "leaves": 2,
        "status": "optimal",
        "claims_optimal": True,
        "peak_memory": 10**6,
        **changes,
    }


def unproved(**changes):
    return {
        "seconds": 60.0,
        "lower": 0.1,
        "status": "time_limit",
        "claims_optimal": False,
        **changes,
    }


@pytest.fixture
def runs(tmp_path):
    """Return the runs of records, written to a file."""

    def read(*records):
        path = tmp_path / "raw.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return Runs.read(path)

    return read


def test_raw_tables_have_no_depth_limit_and_a_tag():
    assert all(problem.depth is None and problem.penalty > 0 for problem in RAW)
    assert {tag for problem in RAW for tag in problem.tags} == set(TAGS)


def test_a_tag_chooses_its_problems_and_no_other_with_such_a_name(monkeypatch):
    monkeypatch.setattr("benchmarks.choices.available", tuple)
    chosen = select("raw", "dl85")
    assert {problem.penalty for problem in chosen} == {0.01, 0.005}
    assert "dl85/german-credit" in {problem.data for problem in select("raw", "wide")}
    assert all("dl85" in problem.name for problem in select("short", "dl85"))


def test_tags_survive_the_journey_to_the_child():
    task = Task(RAW[0], "ostrya", 1.0, keeps_trace=True)
    assert Task.from_json(task.to_json()) == task


def test_rivals_are_given_what_they_solve():
    free = Problem("any", Group.ANY_DEPTH, 0.01, None)
    costly = Problem("any", Group.BINARY, 0.001, 3)
    costless = Problem("any", Group.CONTINUOUS, 0.0, 3)
    takers = {
        name: [contender.takes(problem) for problem in (free, costly, costless)]
        for name, contender in CONTENDERS.items()
    }
    assert takers["ostrya"] == [True, True, True]
    assert takers["imodels"] == takers["ostrya-unpriced"] == [True, False, False]
    assert takers["pytrees"] == takers["pytrees-lds"] == [False, False, True]
    assert PyTrees.environment() == PyTreesLds.environment()
    assert Imodels.environment() == "imodels"
    assert not Unpriced.requirements


def test_missing_cells_stand_at_the_largest_value_and_are_told_apart():
    cells = np.array([["1", "5"], ["2", "NA"], ["3", "4"]])
    assert numeric(cells).T.tolist() == [[1, 2, 3], [1, 0, 1], [5, 5, 4]]


def test_thresholds_are_guessed_once(tmp_path, monkeypatch):
    monkeypatch.setattr(guessed, "CACHE", tmp_path)
    X = np.arange(40.0)[:, None]
    y = (X[:, 0] > 20).astype(int)
    first = guessed.columns("steps", X, y)
    assert np.unique(first).size < 40
    assert (guessed.columns("steps", X[::-1], y) == first).all()


def test_a_thin_trace_keeps_its_end_and_the_bounds_of_any_time():
    trace = [(0.001 * i, 0.001 * i, 9.0) for i in range(1, 20001)]
    thin = traces.thinned(trace)
    assert len(thin) < 1000
    assert thin[-1] == trace[-1]
    assert traces.at(thin, 1e-9) is None
    for moment in (0.01, 0.5, 7.0):
        assert 0.97 * moment <= traces.at(thin, moment)[1] <= moment


def test_a_trace_is_kept_in_a_file_of_its_own(tmp_path):
    trace = [[0.5, 0.1, 0.4], [1.0, 0.4, 0.4]]
    kept = record(trace=trace)
    traces.keep(tmp_path / "raw", kept)
    assert traces.read(tmp_path / kept["trace"]) == [tuple(point) for point in trace]
    other = record("peer")
    traces.keep(tmp_path / "raw", other)
    assert "trace" not in other


def test_a_gap_is_a_share_of_the_upper_bound():
    assert share(0.3, 0.4) == pytest.approx(0.25)
    assert share(-1.0, 0.4) == share(None, 0.4) == 1.0
    assert share(0.0, 0.0) == 0.0


def test_the_report_tells_gaps_over_time_and_proofs(runs, tmp_path):
    ours = record(trace=[[0.5, 0.2, 0.5], [1.5, 0.4, 0.4]])
    traces.keep(tmp_path / "raw", ours)
    text = render(runs(ours, record("imodels", **unproved(objective=0.5))))
    assert "| 2 | 0.400000 | 2 | 0 | 60.0 % | 0 | 1 |" in text
    assert "| > 60 | 0.500000 | 80.0 % | >30x |" in text
    assert "- ostrya: proves 1 of 1; mean gap 0" in text
    assert "- imodels: proves 0 of 1; mean gap 80.0 %" in text


def test_figures_are_drawn_from_the_records(runs, tmp_path):
    plots = pytest.importorskip("benchmarks.raw.plots")
    pytest.importorskip("matplotlib")
    name = next(problem.name for problem in RAW if "dl85" in problem.tags)
    found = runs(
        record(problem=name),
        record("ostrya-unpriced", problem=name, **unproved()),
        record("imodels", problem=name, **unproved()),
    )
    plots.gaps_over_time(found, tmp_path / "gaps.svg")
    plots.before_and_after(found, "dl85", tmp_path / "dl85.svg")
    assert "imodels at its end" in (tmp_path / "gaps.svg").read_text()
    text = (tmp_path / "dl85.svg").read_text()
    assert "with row prices: 1 of 1 proved" in text
    assert "without: 0 of 1 proved" in text


def test_the_fastest_rival_is_named_and_no_variant_of_ours_is_one():
    text = rivals.render(
        [
            record(seconds=1.0),
            record("ostrya-unpriced", seconds=0.1),
            record("gosdt", seconds=4.0),
            record("imodels", seconds=3.0),
            record("pystreed", seconds=2.0, objective=0.41),
        ]
    )
    row = "| no depth limit, narrow | 1 | 1 | imodels 1 (1) | 1 | 3x | 3x | 0 | 0 | 1 |"
    assert row in text
    assert f"- {FIRST}: pystreed claims a worse tree" in text
    assert f"| {FIRST} | 1 | imodels 1 | 3 | 3x |" in text


def test_rivals_are_compared_by_the_time_of_a_processor():
    text = rivals.render(
        [
            record(seconds=9.0, processor_seconds=1.0),
            record("imodels", seconds=3.0, processor_seconds=2.0),
        ]
    )
    assert f"| {FIRST} | 1 | imodels 1 | 2 | 2x |" in text


def test_what_a_comparison_must_not_hide():
    slower = rivals.render([record(seconds=4.0), record("imodels", seconds=2.0)])
    assert f"- {FIRST}: imodels 2 s, ours 4 s" in slower
    alone = rivals.render([record(**unproved(objective=0.5)), record("imodels")])
    assert f"- {FIRST}: imodels proves it, ours does not" in alone
    assert f"- {FIRST}: another contender has a better tree" in alone


def test_prices_are_shown_once_for_each_table_and_penalty():
    problems = distinct(SUITES["short"])
    names = [problem.name for problem in problems]
    assert len(names) == len(set(names))
    assert all(p.penalty > 0 and p.depth is None for p in problems)


def test_prices_reach_the_optimum_of_two_blocks(monkeypatch):
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = np.repeat([0, 1], 10)
    monkeypatch.setattr("benchmarks.prices.load", lambda problem: (X, y))
    line, reached = row(Problem("blocks", Group.ANY_DEPTH, 0.05, None), 10.0)
    assert reached == pytest.approx(1.0)
    assert "| 0.1000 | 0.1000 | 100.0 % | 100.0 % | yes |" in line
