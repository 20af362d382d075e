"""Top-k against a plain recursion, and what must contain between different k."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
import ostrya
from cases import nested, recounted
from oracle import Leaf, optimum
from oracle.problem import parts
from oracle.top_k import TopKOracle, candidates
from ostrya import _core, _solver
from ostrya._solve import validation
from ostrya._solve.engine import search_columns
from ostrya._solve.ranked_splits import rank_splits
from strategies import random_problems, small_cases

CRITERIA = ("entropy", "gini", "sqrt")
CLOSED = ("optimal", "optimal_in_top_k")


def solved(case, **top_k):
    return ostrya.solve(**case.arguments(), top_k=ostrya.top_k.TopKSplits(**top_k))


def at_depth(case, depth):
    return replace(case, problem=replace(case.problem, max_depth=depth))


def shallow(count, seed):
    """Problems of every kind, of depth four at most, each with its own chance."""
    for index, case in enumerate(random_problems(seed, count)):
        rng = random.Random(f"{seed}/{index}")
        if case.problem.max_depth is None or case.problem.max_depth > 4:
            case = at_depth(case, rng.randint(1, 4))
        yield case, rng


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("k", range(1, 6))
def test_equals_a_plain_recursion(k, criterion):
    for case, _ in shallow(150, f"{k}{criterion}"):
        outcome = solved(case, k=k, criterion=criterion)
        assert outcome.status in CLOSED
        assert outcome.gap == 0.0
        assert (
            recounted(case, outcome) == TopKOracle(case.problem, [k], criterion).cost()
        )


@settings(max_examples=effort.cases(150))
@given(small_cases(8), st.integers(1, 5), st.sampled_from(CRITERIA))
def test_equals_a_plain_recursion_on_drawn_problems(case, k, criterion):
    outcome = solved(case, k=k, criterion=criterion)
    assert recounted(case, outcome) == TopKOracle(case.problem, [k], criterion).cost()


def test_a_k_for_each_level():
    for case, rng in shallow(400, 1):
        widths = [rng.randint(1, 4) for _ in range(rng.randint(1, 4))]
        criterion = rng.choice(CRITERIA)
        outcome = solved(case, k=widths, criterion=criterion)
        oracle = TopKOracle(case.problem, widths, criterion)
        assert recounted(case, outcome) == oracle.cost()


def test_a_k_for_each_level_without_a_limit_on_depth():
    for case in random_problems(2, 60):
        if len(case.problem.rows) > 12:
            continue
        case = at_depth(case, None)
        outcome = solved(case, k=[2, 1, 3])
        oracle = TopKOracle(case.problem, [2, 1, 3], "entropy")
        assert recounted(case, outcome) == oracle.cost()


def test_features_compete_with_the_thresholds_beside_their_best():
    for case, rng in shallow(400, 3):
        k, criterion = rng.randint(1, 3), rng.choice(CRITERIA)
        outcome = solved(case, k=k, criterion=criterion, candidates="features")
        oracle = TopKOracle(case.problem, [k], criterion, by_feature=True)
        assert recounted(case, outcome) == oracle.cost()


def test_histograms_count_as_bits_do():
    for case, rng in shallow(300, 4):
        k, criterion = rng.randint(1, 4), rng.choice(CRITERIA)
        if not all(case.problem.weights):
            continue
        found = _core.solve(
            *case.core_arguments(
                few_cuts=0,
                top_k=_core.TopK([k], criterion=criterion),
            )
        )
        assert found.upper == TopKOracle(case.problem, [k], criterion).cost()


def test_the_engine_takes_no_criterion_for_another():
    case = next(iter(random_problems(300, 1)))
    top_k = _core.TopK([2], criterion="root")
    with pytest.raises(ValueError, match="called root"):
        _core.solve(*case.core_arguments(top_k=top_k))


def assert_greedy(problem, tree, rows, criterion):
    """Every split of the tree is the best of its node."""
    if isinstance(tree, Leaf):
        return
    ((feature, _, yes, no),) = candidates(problem, rows, 1, criterion, False)
    assert tree.feature == feature
    assert parts(problem, rows, tree.feature, tree.threshold) == (yes, no)
    assert_greedy(problem, tree.yes, yes, criterion)
    assert_greedy(problem, tree.no, no, criterion)


def test_one_split_a_node_is_the_greedy_tree():
    for case, rng in shallow(200, 5):
        if all(case.problem.weights):
            criterion = rng.choice(CRITERIA)
            tree = nested(solved(case, k=1, criterion=criterion).tree)
            assert_greedy(case.problem, tree, case.problem.all_rows, criterion)


def test_all_splits_are_the_optimum():
    for case, rng in shallow(150, 6):
        every = rng.choice(["all", 1.0, 10**6, 2**70])
        outcome = solved(case, k=every)
        assert outcome.status == "optimal"
        if all(case.problem.weights):
            assert recounted(case, outcome) == optimum(case.problem).cost


def test_a_tree_that_no_tree_beats_is_optimal_though_splits_were_left_out():
    X = np.arange(20.0)[:, None]
    y = (X[:, 0] > 9).astype(int)
    for k, status in ((1, "optimal_in_top_k"), (2, "optimal")):
        top_k = ostrya.top_k.TopKSplits(k=k)
        outcome = ostrya.solve(X, y, leaf_penalty=0, max_depth=3, top_k=top_k)
        assert (outcome.loss, outcome.status) == (0.0, status)


def test_all_features_are_not_all_splits():
    X, y = np.arange(8.0)[:, None], [0, 1, 1, 1, 0, 0, 1, 1]
    top_k = ostrya.top_k.TopKSplits(k="all", candidates="features")
    outcome = ostrya.solve(X, y, leaf_penalty=0, max_depth=2, top_k=top_k)
    assert (outcome.loss, outcome.status) == (0.125, "optimal_in_top_k")
    assert ostrya.solve(X, y, leaf_penalty=0, max_depth=2).loss == 0.0


def test_more_choice_never_hurts():
    for case, rng in shallow(200, 7):
        criterion = rng.choice(CRITERIA)
        losses = [
            solved(case, k=k, criterion=criterion).objective for k in (1, 2, 3, 5, 8)
        ]
        assert losses == sorted(losses, reverse=True)
        assert losses[-1] >= ostrya.solve(**case.arguments()).objective - 1e-12


def test_rows_in_any_order_give_the_same_tree():
    for case, rng in shallow(200, 8):
        problem = case.problem
        order = rng.sample(range(len(problem.rows)), len(problem.rows))
        shuffled = replace(
            case,
            problem=replace(
                problem,
                rows=tuple(problem.rows[i] for i in order),
                labels=tuple(problem.labels[i] for i in order),
                weights=tuple(problem.weights[i] for i in order),
            ),
        )
        k = rng.randint(1, 4)
        assert nested(solved(case, k=k).tree) == nested(solved(shuffled, k=k).tree)


def test_ties_go_to_the_lower_column_then_to_the_lower_threshold():
    X = np.array([[0, 1, 5], [0, 1, 6], [1, 0, 7], [1, 0, 8]])
    tree = ostrya.solve(
        X, [0, 0, 1, 1], leaf_penalty=0, top_k=ostrya.top_k.TopKSplits(k=1)
    ).tree
    assert tree.feature[0] == 0
    # Thresholds after one row of four, and before the last, are equally pure.
    tree = ostrya.solve(
        [[1], [2], [3], [4]],
        [0, 1, 1, 0],
        leaf_penalty=0,
        max_depth=1,
        top_k=ostrya.top_k.TopKSplits(k=1),
    ).tree
    assert tree.threshold[0] == 1.5


def test_a_copy_of_a_column_competes_by_its_name():
    # Two columns say everything together and nothing alone; one says a little.
    a, b, c = np.array(list(product((0, 1), repeat=3)) * 4).T
    y = b ^ c
    a[:6] = y[:6]

    def loss(*columns, k):
        X = np.column_stack(columns)
        top_k = ostrya.top_k.TopKSplits(k=k)
        return ostrya.solve(X, y, leaf_penalty=0, max_depth=2, top_k=top_k).loss

    assert loss(a, b, c, k=2) == 0.0
    assert loss(a, a, b, c, k=2) > 0.0
    assert loss(a, 1 - a, b, c, k=2) > 0.0
    assert loss(a, a, b, c, k=3) == 0.0


def test_a_stopped_search_has_a_tree_and_an_honest_bound():
    rng = np.random.default_rng(0)
    X, y = rng.random((400, 30)), rng.integers(0, 2, 400)
    seen = []

    def watch(progress):
        seen.append(progress)
        return len(seen) > 1

    outcome = ostrya.solve(
        X,
        y,
        leaf_penalty=0,
        max_depth=6,
        top_k=ostrya.top_k.TopKSplits(k=64),
        on_progress=watch,
        time_limit=60,
    )
    assert outcome.status == "interrupted"
    assert seen
    assert outcome.lower_bound < outcome.objective
    assert not outcome.is_optimal
    assert outcome.trace[-1].objective == pytest.approx(outcome.objective)


def test_little_memory_is_enough():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (200, 40)), rng.integers(0, 2, 200)
    options = {"leaf_penalty": 0, "max_depth": 4, "top_k": ostrya.top_k.TopKSplits(k=4)}
    tight = ostrya.solve(X, y, memory_limit=32 * 2**20, **options)
    assert tight.objective == ostrya.solve(X, y, **options).objective


@pytest.mark.parametrize(
    ("top_k", "error", "words"),
    [
        ({"k": 0}, ValueError, "k must be an integer >= 1.*got 0"),
        ({"k": -3}, ValueError, "k must be an integer >= 1.*got -3"),
        ({"k": 0.0}, ValueError, r"share in \(0, 1\].*got 0.0"),
        ({"k": 1.5}, ValueError, r"share in \(0, 1\].*got 1.5"),
        ({"k": float("nan")}, ValueError, "k must be.*got nan"),
        ({"k": "many"}, TypeError, "k must be.*a list of these.*'many'"),
        ({"k": "auto"}, TypeError, "k must be.*each level; got 'auto'"),
        ({"k": None}, TypeError, "k must be"),
        ({"k": True}, TypeError, "k must be"),
        ({"k": []}, ValueError, "k must have at least one entry"),
        ({"k": [2, 0]}, ValueError, r"k\[1\] must be.*got 0"),
        ({"criterion": "misclassification"}, ValueError, "criterion must be one of"),
        ({"criterion": 3}, TypeError, "criterion must be one of 'entropy'"),
        ({"candidates": "columns"}, ValueError, "candidates must be one of 'splits'"),
    ],
)
def test_bad_choices_are_turned_away(top_k, error, words):
    with pytest.raises(error, match=words):
        ostrya.solve([[0], [1]], [0, 1], top_k=ostrya.top_k.TopKSplits(**top_k))


def test_top_k_stands_alone():
    with pytest.raises(TypeError, match=r"top_k must be an ostrya\.top_k\.TopKSplits"):
        ostrya.solve([[0], [1]], [0, 1], top_k=8)
    for name, value in {
        "upper_bound": 0.5,
        "reference_labels": [0, 1],
        "bounds": ostrya.bounds.Bounds(),
    }.items():
        with pytest.raises(ValueError, match=f"{name} cannot be combined with top_k"):
            ostrya.solve(
                [[0], [1]], [0, 1], top_k=ostrya.top_k.TopKSplits(), **{name: value}
            )


def test_a_share_is_of_the_splits_there_are():
    X = np.arange(11.0)[:, None]
    y = [0, 1] * 5 + [0]
    for share, k in ((0.1, 1), (0.2, 2), (0.21, 3)):
        by_share = ostrya.solve(
            X, y, leaf_penalty=0, max_depth=2, top_k=ostrya.top_k.TopKSplits(k=share)
        )
        by_number = ostrya.solve(
            X, y, leaf_penalty=0, max_depth=2, top_k=ostrya.top_k.TopKSplits(k=k)
        )
        assert nested(by_share.tree) == nested(by_number.tree)


@pytest.mark.parametrize("k", [1, 30, [30, 3], "all", ["all", "all"], 10**9])
@pytest.mark.parametrize("candidates", ["splits", "features"])
def test_splits_are_counted_only_for_a_share(k, candidates, monkeypatch):
    def refuse(*_):
        raise AssertionError("a column was sorted")

    X = np.arange(40.0).reshape(20, 2)
    monkeypatch.setattr("ostrya._solve.ranked_splits.count_values", refuse)
    top_k = validation.check_top_k(ostrya.top_k.TopKSplits(k=k, candidates=candidates))
    lets_in_all = candidates == "splits" and k not in (1, 30, [30, 3])
    assert (rank_splits(top_k, X) is None) == lets_in_all


def test_numbers_beyond_all_splits_are_as_good_as_all():
    for case, rng in shallow(100, 9):
        least = rng.randint(1, 3)
        shares = solved(case, k=["all", least])
        for many in (200, 10**6, 2**70):
            assert solved(case, k=[many, least]).objective == shares.objective


def test_the_time_limit_counts_what_is_done_before_the_search(monkeypatch):
    now = [0.0]
    seen = []

    def count(top_k, X):
        now[0] += 7.0
        return rank_splits(top_k, X)

    def look(data, grid, options, report):
        seen.append(options.limits.time_limit)
        return search_columns(data, grid, options, report)

    clock = SimpleNamespace(perf_counter=lambda: now[0])
    monkeypatch.setattr(_solver, "time", clock)
    monkeypatch.setattr("ostrya._solve.limits.time", clock)
    monkeypatch.setattr(_solver, "rank_splits", count)
    monkeypatch.setattr(_solver, "search_columns", look)
    top_k = ostrya.top_k.TopKSplits(k=0.5)
    ostrya.solve([[0], [1]], [0, 1], time_limit=10.0, top_k=top_k)
    assert seen == [3.0]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("by_rows", [False, True])
def test_masses_of_all_classes_overflowed(by_rows, criterion):
    # Each class weighs less than 2**29, and all of them more than 2**31.
    rng = np.random.default_rng(5)
    kinds = np.unique(rng.integers(0, 12, (70, 3)), axis=0)[:60]
    codes = np.tile(np.arange(8, dtype=np.int32), len(kinds))
    weights = 6000 + rng.integers(0, 400, len(codes))

    def search(unit):
        return _core.solve(
            np.repeat(kinds, 8, axis=0).astype(float),
            codes,
            unit * weights,
            1 - np.eye(8, dtype=np.int64),
            1,
            300 * unit,
            _core.Options(
                _core.Limits(max_depth=3),
                top_k=_core.TopK([2], criterion=criterion, by_rows=by_rows),
            ),
        )

    small, large = search(1), search(1000)
    assert large.upper == 1000 * small.upper
    assert large.feature.tolist() == small.feature.tolist()
