"""However the parts of a guessed search end, what is said of its tree is true."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import ostrya
from cases import recounted
from oracle import optimum
from ostrya._guesses import guessed_search, polish, subtree_search
from strategies import random_problems


def noisy(n=400, values=12, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, size=(n, 4)).astype(float)
    reference = (X[:, 0] + X[:, 1] > values).astype(int)
    return X, np.where(rng.random(n) < 0.25, 1 - reference, reference), reference


def guess(**options):
    X, y, reference = noisy()
    return ostrya.solve(X, y, reference_labels=reference, leaf_penalty=0.01, **options)


def without_affording(patch, most_work=10**5):
    """Have every problem guessed, however small it is, and polished in many parts."""
    patch.setattr(guessed_search, "affordable_depth", lambda data, limit: -1)
    patch.setattr(polish, "MOST_WORK", most_work)


@pytest.fixture
def part_searches(monkeypatch):
    """Record the searches of parts of the rows: (distinct rows, depth)."""
    done = []
    plain = subtree_search.search_columns

    def spy(data, grid, options, report):
        n_rows = len(np.unique(data.X, axis=0))
        done.append((n_rows, options.limits.max_depth))
        return plain(data, grid, options, report)

    monkeypatch.setattr(subtree_search, "search_columns", spy)
    return done


@pytest.mark.parametrize("max_depth", [None, 5, 8])
@pytest.mark.parametrize("most_work", [10**4, 10**5, 5 * 10**6])
def test_all_of_polishing_together_keeps_to_its_work(
    monkeypatch, part_searches, most_work, max_depth
):
    without_affording(monkeypatch, most_work)
    guess(max_depth=max_depth, time_limit=60)
    n_thresholds = 4 * 11
    assert part_searches
    assert len({depth for _, depth in part_searches}) == 1
    sets = {1: Fraction(1, n_thresholds), 2: 1, 3: 1 + n_thresholds}
    work = sum(n_thresholds * sets[depth] * n for n, depth in part_searches)
    assert work <= most_work


@pytest.mark.parametrize("stop", ["time_limit", "memory_limit", "interrupted"])
def test_what_stops_polishing_is_said(monkeypatch, stop):
    without_affording(monkeypatch)
    plain = subtree_search.search_columns

    def stopped(*arguments):
        return replace(plain(*arguments), status=stop)

    monkeypatch.setattr(subtree_search, "search_columns", stopped)
    outcome = guess(max_depth=4)
    assert outcome.status == stop
    assert outcome.lower_bound <= outcome.objective


def test_control_c_between_two_searches_keeps_the_tree(monkeypatch):
    without_affording(monkeypatch)

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(guessed_search, "polish", interrupted)
    outcome = guess(max_depth=4)
    assert outcome.status == "interrupted"
    with monkeypatch.context() as patch:
        patch.setattr(polish, "MOST_NODES", 0)
        patch.setattr(guessed_search, "polish", polish.polish)
        assert outcome.objective == guess(max_depth=4).objective


def test_the_callback_is_told_of_polishing_and_can_stop_it(monkeypatch, part_searches):
    without_affording(monkeypatch)
    monkeypatch.setattr(subtree_search, "PAUSE", 0.0)
    told = []

    def stop_at_the_third(progress):
        told.append((progress, len(part_searches)))
        return len([n for _, n in told if n]) == 3

    outcome = guess(max_depth=4, on_progress=stop_at_the_third)
    assert outcome.status == "interrupted"
    assert len(part_searches) == 3
    seen = [progress for progress, n in told if n]
    assert len(seen) == 3
    best = ostrya.solve(*noisy()[:2], leaf_penalty=0.01, max_depth=4).objective
    for progress in seen:
        assert progress.lower_bound <= best
        assert progress.objective >= outcome.objective


def test_the_callback_hears_how_polishing_betters_the_tree(monkeypatch):
    without_affording(monkeypatch)
    monkeypatch.setattr(subtree_search, "PAUSE", 0.0)
    X, y, reference = noisy()
    told = []
    outcome = ostrya.solve(
        X,
        y,
        reference_labels=np.where(X[:, 0] < 6, reference, 1 - y),
        leaf_penalty=0.01,
        max_depth=4,
        on_progress=told.append,
    )
    objectives = [progress.objective for progress in told]
    assert objectives == sorted(objectives, reverse=True)
    assert objectives[-1] < objectives[0]
    assert objectives[-1] >= outcome.objective
    assert told[-1].n_leaves >= 1


@pytest.mark.parametrize("stop", ["time_limit", "memory_limit"])
def test_a_true_search_that_runs_out_falls_back_to_the_guess(monkeypatch, stop):
    asked = []
    plain = guessed_search.search_columns

    def first_runs_out(data, grid, options, report):
        asked.append(options)
        found = plain(data, grid, options, report)
        if options.reference is not None:
            return found
        return replace(found, status=stop, lower=0)

    monkeypatch.setattr(guessed_search, "search_columns", first_runs_out)
    outcome = guess(max_depth=2, time_limit=100.0)
    assert outcome.status == "guessed_bounds"
    true, surrogate = asked
    assert true.reference is None
    assert 49 < true.limits.time_limit <= 50
    assert surrogate.reference is not None
    assert surrogate.limits.time_limit > 50
    best = ostrya.solve(*noisy()[:2], leaf_penalty=0.01, max_depth=2)
    assert outcome.objective == best.objective  # the better of the two trees is kept
    assert outcome.lower_bound <= best.objective
    seconds = [point.seconds for point in outcome.trace]
    assert seconds == sorted(seconds)


def test_a_true_search_that_is_stopped_by_hand_stops_all(monkeypatch):
    plain = guessed_search.search_columns
    asked = []

    def interrupted(*arguments):
        asked.append(arguments)
        return replace(plain(*arguments), status="interrupted", lower=0)

    monkeypatch.setattr(guessed_search, "search_columns", interrupted)
    assert guess(max_depth=2).status == "interrupted"
    assert len(asked) == 1


def test_a_true_search_is_given_the_cost_of_the_warm_start(monkeypatch):
    X, y, _ = noisy()
    start = ostrya.solve(X, y, leaf_penalty=0.01, max_depth=2)
    asked = []
    plain = guessed_search.search_columns

    def spy(data, grid, options, report):
        asked.append(grid.to_objective(options.upper))
        return plain(data, grid, options, report)

    monkeypatch.setattr(guessed_search, "search_columns", spy)
    outcome = guess(max_depth=2, warm_start=start.tree)
    assert asked == [pytest.approx(start.objective)]
    assert (outcome.status, outcome.gap) == ("guessed_bounds", 0.0)
    assert outcome.objective == start.objective


def test_upper_bound_of_a_problem_that_needs_no_guess_is_a_proof():
    rng = random.Random(5000)
    seen = set()
    for case in random_problems(5000, 150):
        arguments = {**case.arguments(), "max_depth": 2}
        best = ostrya.solve(**arguments)
        upper = best.objective + rng.choice([-0.02, 0.0, 0.02])
        reference = [rng.randrange(case.problem.n_classes) for _ in arguments["y"]]
        outcome = ostrya.solve(
            **arguments, reference_labels=np.array(reference), upper_bound=upper
        )
        seen.add(outcome.status)
        assert outcome.status in ("guessed_bounds", "upper_bound")
        if outcome.status == "upper_bound":
            assert best.objective >= upper
            assert outcome.lower_bound >= upper
        else:
            assert outcome.objective == best.objective
    assert seen == {"guessed_bounds", "upper_bound"}


def test_limits_change_no_claim():
    rng = random.Random(5100)
    for case in random_problems(5100, 60):
        reference = [rng.randrange(case.problem.n_classes) for _ in case.problem.labels]
        outcome = ostrya.solve(
            **{**case.arguments(), "time_limit": 1e-9},
            reference_labels=np.array(reference),
        )
        assert outcome.status in ("guessed_bounds", "time_limit")
        least = optimum(case.problem).cost
        assert recounted(case, outcome) >= least
        assert outcome.lower_bound <= float(case.objective(least)) * (1 + 1e-12) + 1e-15
