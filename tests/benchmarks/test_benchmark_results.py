from __future__ import annotations

import numpy as np
import pytest

from benchmarks import ledger, table
from benchmarks.contenders.base import Answer
from benchmarks.limits import bounds_fault
from benchmarks.summary import best_objective, fault, summarise
from benchmarks.worker import recount


def record(contender="ostrya", **changes):
    return {
        "problem": "toy, 0.01, depth 2",
        "group": "toys",
        "target": None,
        "contender": contender,
        "version": "1",
        "python": "3",
        "machine": {"cpu": "a", "cores": 1},
        "time_limit": 60.0,
        "memory_cap": 100,
        "run": 1,
        "date": "2000-01-01",
        "seconds": 1.0,
        "objective": 0.25,
        "leaves": 2,
        "status": "optimal",
        "claims_optimal": True,
        "peak_memory": 10**6,
        **changes,
    }


def faults(*records):
    [results] = summarise(list(records)).values()
    best = best_objective(results)
    return {name: fault(result, best) for name, result in results.items()}


def test_the_objective_charges_per_leaf():
    answer = Answer(np.array([0, 1, 1, 0]), 3, "optimal", claims_optimal=True)
    counted = recount(answer, np.array([0, 1, 0, 0]), penalty=0.01)
    assert counted == {"error": 0.25, "objective": pytest.approx(0.28)}


def test_a_false_claim_of_the_optimum_is_flagged_whoever_makes_it():
    worse, better = {"objective": 0.2501}, {"objective": 0.25}
    assert faults(record("peer", **worse), record(**better))["peer"] == "WRONG"
    assert faults(record("peer", **better), record(**worse))["ostrya"] == "WRONG"


def test_no_claim_and_no_difference_mean_no_flag():
    unproved = {"objective": 0.3, "claims_optimal": False, "status": "time_limit"}
    assert set(faults(record(), record("peer")).values()) == {None}
    assert set(faults(record(), record("peer", **unproved)).values()) == {None}
    assert faults(record("peer", objective=None, status="killed")) == {"peer": None}


def test_a_bound_above_a_known_tree_and_a_miscount_are_flagged():
    above = {"claims_optimal": False, "objective": 0.3, "lower": 0.26}
    assert faults(record(), record("peer", **above))["peer"] == "WRONG BOUND"
    assert faults(record("peer", claimed=0.24))["peer"] == "MISCOUNT"


def test_a_file_cut_short_still_reads_and_takes_more(tmp_path):
    path = tmp_path / "new" / "results.jsonl"
    ledger.append(path, record())
    path.write_text(path.read_text() + '{"problem": "to')
    ledger.append(path, record(run=2))
    assert ledger.read(path) == [record(), record(run=2)]


def test_runs_that_are_done_are_not_missing():
    done = ledger.current([record(run=1), record(run=2)])
    assert ledger.missing(done[ledger.key(record())], repeats=3) == 1
    assert ledger.missing(done[ledger.key(record())], repeats=2) == 0
    for other in ({"version": "2"}, {"time_limit": 5.0}, {"problem": "another"}):
        assert ledger.key(record(**other)) not in done


def test_one_long_or_failed_run_is_enough():
    assert ledger.missing([record(seconds=30.0)], repeats=3) == 0
    assert ledger.missing([record(seconds=None, status="killed")], repeats=3) == 0


def test_a_run_numbered_one_sets_earlier_ones_aside():
    runs = [record(seconds=9.0), record(run=2, seconds=9.0), record(seconds=1.0)]
    [results] = summarise(runs).values()
    assert results["ostrya"].seconds == 1.0


def test_the_table_counts_ratios_and_flags():
    text = table.render(
        [
            record(seconds=0.5),
            record("peer", seconds=2.0, objective=0.2501),
            record("slow", seconds=60.0, claims_optimal=False, status="time_limit"),
        ]
    )
    assert "| 2 | 0.250100 WRONG | 1 | 4x |" in text
    assert "| > 60 | 0.250000 | 1 | >120x |" in text
    assert "- peer: 4x our time in the geometric mean over the 1 of 1" in text
    assert "- slow: proves none" in text


def test_a_target_is_kept_by_a_proof_in_time_only():
    assert "| 1 |  | 2 |" in table.render([record(target=2.0)])
    assert "| 1 |  | 0.5 MISSED |" in table.render([record(target=0.5)])
    own = record(target=0.5, engine_seconds=0.4)
    assert "| 1 | 0.4 | 0.5 MISSED |" in table.render([own])


def test_bounds_are_held_to_every_tree_of_a_problem():
    good = {"objective": 0.3, "claimed": 0.3, "lower": 0.1, "claims_optimal": False}
    tight = {"objective": 0.2, "claimed": 0.2, "lower": 0.2, "claims_optimal": True}
    assert bounds_fault([good, tight]) == "valid"
    assert bounds_fault([{**good, "lower": 0.25}, tight]) == "WRONG BOUND"
    assert bounds_fault([{**good, "claims_optimal": True}, tight]) == "WRONG OPTIMUM"
    assert bounds_fault([{**good, "claimed": 0.29}, tight]) == "MISCOUNT"
    assert bounds_fault([{"status": "killed"}, tight]) == "NO TREE"
