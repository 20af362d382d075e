from __future__ import annotations

import numpy as np
import pytest

from benchmarks.contenders import CONTENDERS
from benchmarks.data import ENCODINGS, folder, load, one_hot, thresholds
from benchmarks.problem import Group, Problem, grid
from benchmarks.suites import SUITES
from benchmarks.task import Task

PROBLEMS = [problem for problems in SUITES.values() for problem in problems]


def test_problem_names_are_unique():
    for problems in SUITES.values():
        names = [problem.name for problem in problems]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_a_problem_is_well_formed(problem):
    assert problem.penalty >= 0.0
    assert problem.depth is None or problem.depth >= 0
    assert (problem.group is Group.ANY_DEPTH) == (problem.depth is None)
    assert problem.encoding in ENCODINGS
    assert any(problem.group in peer.groups for peer in CONTENDERS.values())


def test_a_task_survives_its_journey_to_the_child():
    task = Task(PROBLEMS[0], "ostrya", 1.5, memory_limit=10, interrupt_after=0.3)
    assert Task.from_json(task.to_json()) == task


def test_targets_reach_their_problems_only():
    slow, fast = grid("any", Group.BINARY, (0.1,), (3, 4), targets={(0.1, 4): 2.0})
    assert (slow.target, fast.target) == (None, 2.0)


def test_thresholds_keep_yes_no_columns_and_expand_the_others():
    X = np.array([[0.0, 3.0, 7.0], [1.0, 5.0, 7.0], [1.0, 4.0, 7.0]])
    assert thresholds(X).T.tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 1]]


def test_one_hot_has_a_column_per_column_and_value():
    cells = np.array([["x", "b"], ["o", "b"]])
    assert one_hot(cells).T.tolist() == [[0, 1], [1, 0], [1, 1]]


@pytest.mark.skipif(not folder().exists(), reason=f"no data sets in {folder()}")
def test_tic_tac_toe_has_a_column_per_square_and_mark():
    X, y = load(Problem("tic-tac-toe", Group.ANY_DEPTH, 0.005, None, "one-hot"))
    assert X.shape == (958, 27)
    assert np.bincount(y).tolist() == [332, 626]
