"""A short form of every target, and what the fuzzing house does with a failure."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

import ostrya
from cases import zero_one
from fuzz import ROOT, found, house, mutation, worker
from fuzz.shrink import shrink
from fuzz.target import chance
from fuzz.targets import NAMES
from fuzz.targets.interrupts import assert_no_worse
from fuzz.targets.oracle import write_problem
from fuzz.worker import load
from strategies import build_case

N_CASES = {
    "oracle": 40,
    "rounding": 150,
    "frontier": 20,
    "prices": 15,
    "engines": 6,
    "relations": 6,
    "limits": 6,
    "interrupts": 15,
    "threads": 6,
    "allocations": 6,
    "checkpoints": 15,
    "traces": 25,
    "readers": 40,
    "certificates": 4,
}


def test_every_target_has_a_short_form():
    assert set(N_CASES) == set(NAMES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_a_few_cases_hold(name):
    target, counts = load(name), Counter()
    for index in range(N_CASES[name]):
        target.check(target.draw(chance(name, 0, index)), counts)
    assert counts


@pytest.mark.parametrize("name", NAMES)
def test_cases_are_the_same_for_the_same_seed_and_go_through_a_file(
    name, tmp_path, monkeypatch
):
    monkeypatch.setattr(found, "FOLDER", tmp_path)
    monkeypatch.setattr(found, "ROOT", tmp_path)
    target = load(name)
    case = target.draw(chance(name, 5, 1))
    kept = found.read(found.write(name, 5, 1, "words", case))
    again = found.write(name, 5, 2, "words", target.draw(chance(name, 5, 1)))
    assert kept["case"] == found.read(again)["case"]
    target.check(kept["case"], Counter())


def test_a_class_that_only_the_plain_costs_know_is_told_of():
    # The costs were left out for being plain, and a reference of three classes refused.
    case = build_case([(0,), (1,)], [0, 1], costs=zero_one(3))
    reference = {"kind": "guessed", "is_shallow": False, "reference": [2, 1]}
    load("oracle").check(write_problem(case) | reference, Counter())


def test_the_rounding_of_weights_is_no_tree_worse_than_was_told():
    # The last progress was better by 1e-11 than the outcome of the very same tree.
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (60, 3)).astype(float), rng.integers(0, 3, 60)
    outcome = ostrya.solve(
        X,
        y,
        sample_weight=10.0 ** rng.uniform(-4, 4, 60),
        cost_matrix=1e6 * (np.arange(3)[:, None] - np.arange(3)) ** 2,
        leaf_penalty=1e-4,
        max_depth=3,
    )
    last = outcome.trace[-1]
    assert last.objective != outcome.objective
    for told in outcome.trace:
        assert_no_worse(outcome, told)
    with pytest.raises(AssertionError):
        assert_no_worse(outcome, last._replace(objective=0.99 * last.objective))


def test_frames_of_running_functions_are_no_leak(monkeypatch):
    # Python points to them from memory that the sanitizer of leaks does not search.
    held = []

    def look():
        held.extend(frame.f_code.co_name for frame, _ in worker._held)
        return 0

    library = SimpleNamespace(__lsan_do_recoverable_leak_check=look)
    monkeypatch.setattr(worker.ctypes, "CDLL", lambda name: library)
    assert not worker._leaks()
    assert held[:2] == ["_leaks", "test_frames_of_running_functions_are_no_leak"]
    assert not worker._held


class FailsWithSevens:
    """A target of one fault: it dislikes the number seven."""

    def draw(self, rng):
        X = np.arange(40.0).reshape(20, 2)
        return {"table": {"X": X, "y": np.arange(20), "weights": None}}

    def check(self, case, counts):
        assert 7 not in np.asarray(case["table"]["X"])


def test_failing_cases_are_made_small():
    target = FailsWithSevens()
    case = target.draw(random.Random(0))
    with pytest.raises(AssertionError) as caught:
        target.check(case, Counter())
    table = shrink(target, case, caught.value)["table"]
    assert np.shape(table["X"]) == (1, 1)
    assert table["y"].tolist() == [3]


def test_a_crash_is_noted_and_the_next_case_follows(tmp_path, monkeypatch):
    monkeypatch.setattr(found, "FOLDER", tmp_path)
    monkeypatch.setattr(found, "ROOT", tmp_path)
    state = tmp_path / "state"
    state.write_text('{"index": 41, "counts": {"cases": 42}}\n', encoding="ascii")
    run = house.Run("oracle", seed=3)
    run._note(-11, "Segmentation fault", state)
    assert (run.faults, run.next_index, run.counts["cases"]) == (1, 42, 42)
    noted = json.loads((tmp_path / "oracle-3-41.json").read_text(encoding="utf-8"))
    assert "Segmentation fault" in noted["said"]
    assert noted["replay"].startswith("python -m fuzz --replay ")


def test_the_program_counts_what_it_tried():
    done = subprocess.run(
        [sys.executable, "-m", "fuzz", "oracle", "--seconds", "0.5", "--seed", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert "seed 1: oracle" in done.stdout
    assert " 0 faults" in done.stdout


def test_damage_is_done():
    rng = random.Random(0)
    content = json.dumps({"a": [1, 2, {"b": None}]}).encode()
    damaged = [mutation.mutated_bytes(content, [content], rng) for _ in range(20)]
    assert len(set(damaged)) > 10
    assert any(
        mutation.mutated_json(content, rng) != json.loads(content) for _ in "abc"
    )
