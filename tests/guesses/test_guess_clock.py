"""Guesses within the time of a fit: what is cut short is said, and stays sound."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

import ostrya
from ostrya import OptimalityWarning, OptimalTreeClassifier
from ostrya._guesses import elimination, reference_model
from ostrya._guesses.guess_clock import GuessClock, OutOfTimeError
from ostrya._guesses.row_sample import LEAST_ROWS, sample
from ostrya._solve.fit_monitor import FitMonitor
from ostrya.guesses import Guess

NO_TIME = 1e-9


def rows(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).round(1)
    y = (X[:, 0] + X[:, 1] > 0) ^ (rng.random(n) < 0.2)
    return X, y.astype(int)


def fit(X, y, on_progress=None, **options):
    clf = OptimalTreeClassifier(max_depth=2, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimalityWarning)
        return clf.fit(X, y, on_progress=on_progress)


def small():
    return GradientBoostingClassifier(n_estimators=4, max_depth=2, random_state=0)


@pytest.mark.parametrize(
    ("reference", "cut"),
    [
        (None, {"rows", "choice", "trees", "elimination"}),
        (small(), {"rows", "trees", "elimination", "check"}),
        (
            RandomForestClassifier(4, max_depth=2, random_state=0),
            {"rows", "elimination", "check"},
        ),
        (small().fit(*rows(3000)), {"elimination", "check"}),
    ],
    ids=["auto", "boosting", "forest", "fitted"],
)
def test_without_time_there_is_a_tree_and_what_is_said_of_it_is_true(reference, cut):
    X, y = rows(3000)
    clf = fit(X, y, guess=Guess(reference), time_limit=NO_TIME)
    assert set(clf.guess_.cut_short) == cut
    assert clf.lower_bound_ <= clf.objective_
    assert clf.loss_ == pytest.approx(1 - clf.score(X, y))
    score = clf.guess_.reference.score(X, y)
    assert clf.guess_.reference_score_before == pytest.approx(score)
    assert clf.guess_.gap_of_all_thresholds is None or clf.status_ == "guessed_bounds"


def test_with_time_enough_nothing_is_cut_short():
    X, y = rows()
    every, limited = (fit(X, y, guess=small(), time_limit=t) for t in (None, 1e6))
    assert every.guess_.cut_short == limited.guess_.cut_short == ()
    assert every.tree_ == limited.tree_


def test_bounds_of_all_thresholds_hold_for_all_thresholds():
    X, y = rows()
    best = fit(X, y, time_limit=None)
    assert best.status_ == "optimal"
    for guess in (Guess(small()), Guess(small(), thresholds=False)):
        clf = fit(X, y, guess=guess, time_limit=None)
        bound = clf.guess_.lower_bound_of_all_thresholds
        assert bound <= best.objective_ * (1 + 1e-12)
        assert clf.guess_.gap_of_all_thresholds == clf.objective_ - bound
        assert "over all thresholds" in clf.guess_.promise
        assert ("kept threshold" in clf.guess_.promise) == guess.thresholds


def test_a_stop_while_guessing_ends_the_guesses(monkeypatch):
    X, y = rows(200)
    told = []

    def stop(progress):
        told.append(progress)
        return progress.phase == "guessing"

    monkeypatch.setattr("ostrya._solve.fit_monitor.PAUSE", 0.0)
    clf = fit(X, y, guess="auto", on_progress=stop, time_limit=None)
    assert {"choice", "elimination"} <= set(clf.guess_.cut_short)
    phases = [progress.phase for progress in told]
    assert phases[0] == "preparing"
    assert phases.count("guessing") == 1
    assert phases[-1] == "guessing"  # whoever said stop is not asked again
    assert told[-1].objective == math.inf


def test_elimination_that_is_stopped_keeps_more_and_is_as_good(monkeypatch):
    X, y = rows()
    plain = ostrya.guesses.ThresholdGuess(small(), max_drop=0.1).fit(X, y)
    left = [3]

    def require(self, seconds=0.0, share=1.0):
        left[0] -= 1
        if left[0] < 0:
            raise OutOfTimeError

    monkeypatch.setattr(GuessClock, "require", require)
    cut = ostrya.guesses.ThresholdGuess(small(), max_drop=0.1).fit(X, y)
    assert set(plain.questions_) < set(cut.questions_)
    assert cut.n_thresholds_after_ < cut.n_thresholds_before_
    assert cut.reference_score_after_ >= cut.reference_score_before_ - 0.1


def test_a_clock_that_is_up_before_elimination_keeps_every_threshold(monkeypatch):
    X, y = rows()

    def none(*arguments):
        raise OutOfTimeError

    assert elimination.eliminate is reference_model.eliminate
    monkeypatch.setattr(reference_model, "eliminate", none)
    cut = ostrya.guesses.ThresholdGuess(small()).fit(X, y)
    assert cut.n_thresholds_after_ == cut.n_thresholds_before_
    assert not cut.refit_falls_short_


def test_guesses_get_half_of_what_is_left(monkeypatch):
    now = [100.0]
    for module in ("_solve.fit_monitor", "_guesses.guess_clock"):
        monkeypatch.setattr(f"ostrya.{module}.time.perf_counter", lambda: now[0])
    monitor = FitMonitor(12.0, None)
    now[0] = 102.0  # the table was read
    clock = GuessClock(monitor)
    assert clock.seconds == 5.0
    now[0] = 106.0
    assert clock.left() == pytest.approx(1.0)
    assert clock.is_up(0.5)
    assert not clock.is_up()
    clock.require(0.5)
    with pytest.raises(OutOfTimeError):
        clock.require(1.5)


def test_a_sample_depends_on_no_order_and_has_every_class():
    X, y = rows(5000)
    y[:3] = 2
    X[0, 0], X[1, 0] = -0.0, 0.0
    kept = sample(X, y, 0.3)
    order = np.random.default_rng(1).permutation(len(y))
    again = sample(X[order], y[order], 0.3)
    for code in range(3):
        assert kept[y == code].sum() == math.ceil(0.3 * (y == code).sum())
        rows_kept = [
            sorted(map(tuple, values[chosen & (labels == code)]))
            for values, chosen, labels in ((X, kept, y), (X[order], again, y[order]))
        ]
        assert rows_kept[0] == rows_kept[1]
    assert sample(X, y, 0.0).sum() >= LEAST_ROWS
