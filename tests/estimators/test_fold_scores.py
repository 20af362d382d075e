"""The time that folds share, and what becomes of them once it is up."""

from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import pytest

from ostrya import OptimalityWarning, OptimalTreeClassifier, OptimalTreeClassifierCV
from ostrya._solve.fit_monitor import FitMonitor
from ostrya.estimators.fold_scores import FoldClock

RNG = np.random.default_rng(0)
X = RNG.integers(0, 4, (120, 3)).astype(float)
Y = (((X[:, 0] > 1) & (X[:, 1] > 1)) ^ (RNG.random(120) < 0.15)).astype(int)
SMALL = {"max_leaf_nodes": 6, "max_depth": 3}


def test_searches_leave_time_for_the_scores_that_follow_them():
    class Monitor:
        def left(self):
            return 60.0

    clock = FoldClock(Monitor())
    assert clock.share(2) == 30
    clock.note(5.0)
    clock.note(4.0)
    assert (clock.share(2), clock.share(1)) == (25, 55)
    clock.note(100.0)
    assert 0 < clock.share(1) < 1


def test_a_fold_being_scored_may_take_as_long_again_as_the_reading():
    class Monitor:
        over = 0.0

        def overtime(self):
            return self.over

    monitor = Monitor()
    clock = FoldClock(monitor, reading=2.0)
    told = []
    for monitor.over in (-np.inf, -0.1, 0.0, 2.0, 2.1):
        told.append((clock.is_over(), clock.is_long_over()))
    assert told == [(False, False)] * 2 + [(True, False)] * 2 + [(True, True)]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_no_fold_is_encoded_once_the_time_is_up(n_jobs, monkeypatch):
    """Each fold used to read its part of the table again, limit or not."""
    encoded = []
    encode = OptimalTreeClassifier._encode

    def encode_and_count(self, X, *others, **options):
        encoded.append(len(X))
        return encode(self, X, *others, **options)

    monkeypatch.setattr(OptimalTreeClassifier, "_encode", encode_and_count)
    monkeypatch.setattr(FitMonitor, "overtime", lambda self: 0.0)
    with pytest.warns(OptimalityWarning, match="5 of 5 folds were left out"):
        clf = OptimalTreeClassifierCV(**SMALL, n_jobs=n_jobs).fit(X, Y)
    assert encoded == []
    assert clf.fold_statuses_ == ["time_limit"] * 5
    assert np.isnan(clf.best_score_)
    assert clf.tree_.n_leaves == clf.n_leaves_ == clf.best_params_["max_leaf_nodes"] > 1
    assert len(clf.predict(X)) == len(Y)


@pytest.mark.parametrize("return_cart_score", [False, True])
def test_no_size_is_scored_long_after_the_time_is_up(return_cart_score, monkeypatch):
    """The time ends after so many scores; a fold that is not whole does not count."""
    scored, n_before = [], np.inf

    def score(model, X, y):
        scored.append(X.tobytes())
        return float(np.mean(model.predict(X) == y))

    def overtime(self):
        return np.inf if len(scored) >= n_before else -1.0

    def fitted():
        scored.clear()
        clf = OptimalTreeClassifierCV(
            **SMALL, scoring=score, return_cart_score=return_cart_score
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OptimalityWarning)
            return clf.fit(X, Y)

    monkeypatch.setattr(FitMonitor, "overtime", overtime)
    assert fitted().fold_statuses_ == ["optimal"] * 5
    ends = np.cumsum(list(Counter(scored).values())).tolist()
    for n_before in (0, 1, ends[0], ends[0] + 1, ends[3], ends[4]):
        clf = fitted()
        assert len(scored) == n_before
        n_whole = clf.fold_statuses_.count("optimal")
        assert clf.fold_statuses_[n_whole:] == ["time_limit"] * (5 - n_whole)
        if not return_cart_score:
            assert n_whole == sum(end <= n_before for end in ends)
        assert np.isnan(clf.best_score_) == (n_whole == 0)
        assert len(clf.predict(X)) == len(Y)
