"""Counts, tables and constructions of the OSDT and GOSDT papers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrya
from benchmarks.ablation import ALL, NONE, SWITCHES, faults, summary, variants
from benchmarks.data import load
from benchmarks.gosdt import bucketization
from benchmarks.gosdt.reference import SCHEDULES, Gosdt
from benchmarks.gosdt.scaling import SETS, Scaling, reached, with_slow_down
from benchmarks.gosdt.tables import encoded_columns
from benchmarks.osdt import counts
from benchmarks.papers.kept import read_table, write_table
from benchmarks.sources.catalog import absent


def trees_level_by_level(features: int, depth: int) -> int:
    """Count trees of exactly this depth by the places that split on each level."""

    def below(level: int, places: int) -> int:
        if level == depth:
            return 1
        left = max(features - level, 0)
        return sum(
            comb(places, n) * left**n * below(level + 1, 2 * n)
            for n in range(1, places + 1)
        )

    return below(0, 1)


@pytest.mark.parametrize("features", range(1, 6))
@pytest.mark.parametrize("depth", range(1, 5))
def test_trees_are_counted_as_level_by_level(features, depth):
    ours = counts.trees_of_depth(features, depth)
    assert ours == trees_level_by_level(features, depth)


def test_table_1_follows_from_the_printed_equation():
    for features, lines in counts.TABLE_1.items():
        for depth, (lists, grown) in enumerate(lines, start=1):
            ours = counts.rule_lists(features, depth)
            # The paper cuts digits off instead of rounding.
            assert float(lists) == pytest.approx(ours, rel=1e-3)
            if grown != "Inf":
                ours = counts.trees_as_printed(features, depth)
                assert float(grown) == pytest.approx(ours, rel=1e-3)


def test_symmetry_saves_what_the_paper_says():
    for (features, leaves), printed in counts.SYMMETRY.items():
        ours = counts.saved_by_symmetry(features, leaves)
        assert float(printed) == pytest.approx(ours, rel=1e-6)


def test_remaining_evaluations_start_at_all():
    """Theorem D.1 of the first state is Corollary D.2 if the best objective is 1/2."""
    penalty = Fraction(1, 8)
    first = counts.remaining_evaluations(3, penalty, Fraction(1, 2), [(0, Fraction(0))])
    assert first == counts.all_evaluations(3, penalty)
    later = counts.remaining_evaluations(
        3, penalty, Fraction(1, 2), [(1, Fraction(1, 4)), (2, Fraction(3, 8))]
    )
    # At most two more of 26 leaves, and at most one more of 25.
    assert later == (1 + 26 + 26 * 25) + (1 + 25)


@pytest.mark.parametrize("seed", range(5))
def test_evaluations_stay_within_the_bounds(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (40, 4)).astype(float)
    y = rng.integers(0, 2, 40)
    found = ostrya.solve(X, y, leaf_penalty=0.05, engine="leaf_sets")
    penalty = Fraction(5, 100)
    evaluated = found.statistics.subproblems
    assert evaluated <= counts.all_evaluations(4, penalty)
    assert evaluated <= counts.evaluations_without_symmetry(4, penalty)


def test_large_counts_are_shown_with_four_digits():
    assert counts.scientific(999_999) == "999999"
    assert counts.scientific(12_345 * 10**400) == "1.234e404"


def test_bucketization_loses():
    """GOSDT Theorem 3.1: fewer cuts, and the best tree is worse."""
    X, y = bucketization.POINTS[:, :2].astype(float), bucketization.POINTS[:, 2]
    every, kept = bucketization.cuts(X, y), bucketization.bucketized(X, y)
    assert set(kept) < set(every)
    leaves = bucketization.MOST_LEAVES
    assert bucketization.fewest_errors(X, y, every, leaves)[0] == 0
    assert bucketization.fewest_errors(X, y, kept, leaves)[0] == 1
    assert "88.9%" in bucketization.report()


def test_bucketization_keeps_cuts_between_labels_and_at_mixed_values():
    X = np.array([[0.0], [1.0], [2.0], [2.0], [3.0]])
    y = np.array([1, 1, 1, 0, 0])
    kept = [cut.threshold for cut in bucketization.bucketized(X, y)]
    assert kept == [1.5, 2.5]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.sampled_from([Fraction(1, 50), Fraction(1, 20), Fraction(1, 7)]),
)
def test_every_schedule_of_the_reference_finds_the_optimum(seed, n_columns, penalty):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (25, n_columns))
    y = rng.integers(0, 2, 25)
    ours = ostrya.solve(X.astype(float), y, leaf_penalty=float(penalty))
    for make in SCHEDULES.values():
        search = Gosdt(X, y, penalty)
        assert search.run(make())
        assert search.objective == pytest.approx(ours.objective, abs=1e-12)
        tree = search.tree()
        predicted = [label_of(tree, row) for row in X]
        error = np.mean(np.array(predicted) != y)
        assert error + float(penalty) * leaves_of(tree) == pytest.approx(
            ours.objective, abs=1e-12
        )


def label_of(tree, row):
    while len(tree) == 3:
        feature, no, yes = tree
        tree = yes if row[feature] else no
    return tree[0]


def leaves_of(tree):
    return 1 if len(tree) == 1 else leaves_of(tree[1]) + leaves_of(tree[2])


def test_a_reference_search_can_be_cut_short():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (60, 6)), rng.integers(0, 2, 60)
    assert not Gosdt(X, y, Fraction(1, 100)).run(
        SCHEDULES["signals first (paper)"](), 3
    )


def test_encoded_columns_are_counted_as_in_table_2():
    assert encoded_columns(np.array([["0", "1"], ["1", "1"]])) == 2
    assert encoded_columns(np.array([["0", "a"], ["1", "b"], ["1", "NA"]])) == 4


def test_series_end_with_all_columns_and_rows():
    """bar-7 was encoded once more, so that 14 columns were half of them."""
    for name, (columns, rows) in SETS.items():
        if absent([name]):
            pytest.skip("the data sets are not here")
        plan = Scaling((name,), ("ostrya",), 1.0, Path())
        problems = list(plan.problems("ostrya"))
        widest = next(p for p in problems if p.columns == columns[-1])
        longest = next(p for p in problems if p.rows == rows[-1])
        whole = load(replace(widest, columns=None))[0]
        assert load(widest)[0].shape == load(longest)[0].shape == whole.shape


def test_slow_down_is_relative_to_the_fastest_run_of_a_series():
    rows = [
        {"data": "d", "axis": "rows", "size": size, "contender": "c"}
        | {"processor_seconds": seconds, "ended": ended}
        for size, seconds, ended in ((1, 0.5, True), (2, 0.25, True), (3, 9.0, False))
    ]
    found = list(with_slow_down(rows))
    assert [each["slow_down"] for each in found] == [2.0, 1.0, None]
    assert reached(found, "d", "rows") == "c 2 (0.25 s)"


def test_ablation_has_every_bound_that_can_be_switched_off():
    switches = set(vars(ostrya.bounds.Bounds()))
    assert set(SWITCHES.values()) == switches
    assert variants()[ALL] == ()
    assert set(variants()[NONE]) == switches


def test_ablation_names_lost_proofs_and_wrong_answers():
    def row(without, status, seconds, objective=0.3):
        return {"problem": "p", "without": without, "status": status} | {
            "processor_seconds": seconds,
            "subproblems": 10,
            "objective": objective,
        }

    rows = [
        row(ALL, "optimal", 1.0),
        row("B1 leaf count", "optimal", 4.0),
        row("B3 support", "time_limit", 9.0),
    ]
    told = summary(rows)
    assert "| B1 leaf count | 1/1 | 1 | 4.00 | 1.00 | 4.00, p |" in told
    assert "| B3 support | 0/1 | 0 | - | - | 1.00, - |" in told
    assert faults(rows) == []
    rows.append(row("B4 superset", "time_limit", 9.0, objective=0.2))
    assert len(faults(rows)) == 2


def test_kept_tables_name_their_origin(tmp_path):
    path = tmp_path / "t.csv"
    rows = [{"a": 1.23456789, "b": None}, {"a": "x,y", "b": 2}]
    write_table(path, ("a", "b"), rows, "osdt table1", "a note")
    lines = path.read_text().splitlines()
    assert lines[0].startswith("# python -m benchmarks osdt table1; commit ")
    assert lines[1] == "# a note"
    assert read_table(path) == [{"a": "1.2346", "b": ""}, {"a": "x,y", "b": "2"}]
