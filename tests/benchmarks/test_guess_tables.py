"""The reproduction of the guesses paper: its rows, its records, its verdicts."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.guesses import dl85, report, run
from benchmarks.guesses.cases import METHODS, Case, CaseTask, cases_of
from benchmarks.guesses.folds import is_test
from benchmarks.guesses.paper import DATA_SETS, REFERENCES
from benchmarks.guesses.run import Reproduction


def record(case, contender="ostrya", **found):
    return {
        "problem": case.name,
        "data": case.data,
        "penalty": case.penalty,
        "reference": case.reference,
        "method": case.method,
        "fold": case.fold,
        "contender": contender,
        "time_limit": 30.0,
        "status": "guessed",
        "seconds": 0.5,
        "train": 0.7,
        "test": 0.69,
        "objective": 0.31,
        "lower": 0.4,
        **found,
    }


def compas(method="th+lb"):
    return list(cases_of(DATA_SETS[0], (method,), 5, all_penalties=False))


def test_paper_has_a_figure_for_every_row():
    for data_set in DATA_SETS:
        assert len(data_set.bounds) == len(data_set.thresholds) == len(REFERENCES)
        assert data_set.penalty in data_set.table3


def test_cases_of_the_tables():
    cases = [c for d in DATA_SETS for c in cases_of(d, METHODS, 5, all_penalties=False)]
    assert len(cases) == len({case.name for case in cases}) == 6 * 5 * (4 + 4 + 4 + 1)
    every = [c for d in DATA_SETS for c in cases_of(d, ("th",), 1, all_penalties=True)]
    assert {case.penalty for case in every} >= {0.005, 0.0001}


def test_task_goes_through_a_line_of_text():
    for reference in ((40, 1), None):
        task = CaseTask(Case("compas", 0.001, reference, "th", 3), "gosdt", 30.0)
        assert CaseTask.from_json(task.to_json()) == task


def test_folds_share_the_rows_out():
    assert not np.array_equal(is_test(23, 0), is_test(23, 5))  # another repeat
    tested = sum(is_test(103, fold).astype(int) for fold in range(5))
    assert tested.tolist() == [1] * 103


def test_only_stopped_runs_are_made_again():
    campaign = Reproduction((), (), None, time_limit=60.0, memory_cap=1)
    case = compas()[0]
    assert campaign._stands(record(case))
    assert not campaign._stands(record(case, status="time_limit"))
    assert campaign._stands(record(case, status="time_limit", time_limit=60.0))


def test_verdicts_name_what_fails():
    cases = [case for case in compas() if case.reference == (40, 1)]
    found = {"train": 0.60, "objective": 0.41, "guess_seconds": 1.25}
    ours = [record(case, **found) for case in cases]
    ours[4] |= {"status": "time_limit"}
    theirs = [record(cases[0], "gosdt", status="converged", seconds=20.0)]
    text = report.markdown([*ours, *theirs])
    assert "COMPAS (40, 1) th+lb: 0.600 against 0.684" in text
    assert "COMPAS (40, 1) th+lb fold 0 by 0.10000" in text
    assert "COMPAS (40, 1) th+lb (30 s, gap 0.010)" in text
    assert "40x over 1 folds" in text
    assert (
        "| COMPAS | 0.001 | 40 x depth 1 | 1.25 | 1.115 | 0.684 | 0.677 | 0.5 | 0.600"
        in text
    )


def test_last_run_counts_and_goes_into_the_table(tmp_path):
    case = compas()[0]
    path = tmp_path / "guesses.csv"
    report.write_csv(
        [record(case, train=0.1), record(case, train=0.9)], path, "guesses"
    )
    origin, head, line = path.read_text().splitlines()
    assert origin.startswith("# python -m benchmarks guesses; commit ")
    assert head.startswith("data,penalty,reference,method,fold,contender")
    assert line.startswith("compas,0.001,40x1,th+lb,0,ostrya")
    assert ",0.9," in line


def test_rows_of_a_fold_are_made_once(tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    from benchmarks.guesses import folds

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    monkeypatch.setattr(folds, "CACHE", tmp_path)
    monkeypatch.setattr(folds, "read", lambda name: (X, (X[:, 0] > 0).astype(int)))
    path = folds.prepare(Case("any", 0.01, (5, 1), "th", 0))
    with np.load(path) as rows:
        assert rows["X"].shape == (60, 2)
        assert rows["answers"].shape == (60, rows["n_after"])
        assert set(rows["reference"]) <= {0, 1}
    monkeypatch.delattr(folds, "read")
    assert folds.prepare(Case("any", 0.01, (5, 1), "th+lb", 0)) == path


def test_who_is_stopped_on_a_fold_is_not_given_the_others(tmp_path, monkeypatch):
    given = []

    def measured(task, *_):
        given.append((task.contender, task.problem.fold))
        return {"status": "killed" if task.contender == "gosdt" else "guessed"}

    monkeypatch.setattr(run, "prepare", lambda case: None)
    monkeypatch.setattr(run, "seconds_of_guess", lambda path: 1.0)
    monkeypatch.setattr(run, "interpreter", lambda contender: None)
    monkeypatch.setattr(run, "version_of", lambda name, python: "1")
    monkeypatch.setattr(run, "measure", measured)
    cases = tuple(case for case in compas() if case.reference == (40, 1))
    published = next(iter(compas("published")))
    output = tmp_path / "runs.jsonl"
    for _ in range(2):  # the second time from what the first has written
        all_cases = (published, *cases)
        Reproduction(all_cases, ("ostrya", "gosdt"), output, 60.0, 1).run()
    assert given == [
        ("ostrya", 0),  # as published, which GOSDT cannot be otherwise
        ("ostrya", 0),
        ("gosdt", 0),
        *(("ostrya", n) for n in (1, 2, 3, 4)),
    ]


def test_table_5_has_the_printed_numbers_beside_both_solvers():
    assert set(dl85.TABLE_5) == {data_set.name for data_set in DATA_SETS}
    cases = [Case("compas", 0.0, (40, 1), "th", fold) for fold in range(2)]
    records = [
        record(case, contender, status=status, train=train)
        for case in cases
        for contender, status, train in (
            ("ostrya", "optimal", 0.7),
            ("pydl8.5", "time_limit", 0.6),
        )
    ]
    ours, theirs = dl85.summary(records, 2)
    assert (ours["complete"], theirs["complete"]) == (2, 0)
    assert (ours["train"], theirs["train"]) == (0.7, 0.6)
    assert ours["printed_seconds"] == 1.642
