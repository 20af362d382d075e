"""The choice of k keeps to the time of the fit, and ends when it is told to."""

from __future__ import annotations

import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import effort
from ostrya import OptimalityWarning, TopKTreeClassifier
from ostrya._solver import find_tree
from ostrya.estimators.choose_k import LAST_SECONDS, N_FOLDS
from ostrya.results import Progress


def rows_where_choice_pays():
    """Two features that say all together and nothing alone; two that say a little."""
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (200, 12)).astype(float)
    y = (X[:, 0] != X[:, 1]) ^ (rng.random(200) < 0.1)
    for weak in (2, 3):
        X[:, weak] = np.where(rng.random(200) < 0.4, y, X[:, weak])
    return X, y


X, Y = rows_where_choice_pays()


class SlowSearch:
    """Stands for `find_tree`: the same trees, with the time they take made up.

    A search of all rows takes `setup` seconds, which no limit cuts short, and `work`
    times k more. It tells of its progress once, halfway, and may be interrupted then.
    """

    def __init__(self, setup=0.0, work=0.0):
        self.setup, self.work = setup, work
        self.now = 0.0
        self.searches = []  # (k, rows, time limit)
        self.ctrl_c_at = None  # the search before which Ctrl-C comes in
        self.signal_at = None  # the search that hears of Ctrl-C itself

    def __call__(self, data, asked, started):
        k, time_limit = asked.top_k.k, asked.limits.time_limit
        on_progress = asked.on_progress
        self.searches.append((k, data.n_samples, time_limit))
        if len(self.searches) == self.ctrl_c_at:
            raise KeyboardInterrupt
        limits = replace(asked.limits, time_limit=None)
        unwatched = replace(asked, limits=limits, on_progress=None)
        outcome = find_tree(data, unwatched, started)
        share = data.n_samples / len(Y)
        takes = (self.setup + self.work * k) * share
        self.now += takes / 2
        is_interrupted = len(self.searches) == self.signal_at
        if on_progress is not None:
            is_interrupted |= on_progress(Progress(0.0, 0.0, 1.0, 1, 1, 1))
        if is_interrupted:
            return replace(outcome, status="interrupted", lower_bound=-1.0, gap=1.0)
        self.now += takes / 2
        if time_limit is not None and takes > time_limit:
            self.now -= takes - max(time_limit, self.setup * share)
            return replace(outcome, status="time_limit", lower_bound=-1.0, gap=1.0)
        return outcome

    def fit(self, on_progress=None, **options):
        """Fit with these searches and their clock."""
        with pytest.MonkeyPatch.context() as patch:
            clock = SimpleNamespace(perf_counter=lambda: self.now)
            patch.setattr("ostrya._solve.fit_monitor.time", clock)
            patch.setattr("ostrya.estimators._search.find_tree", self)
            clf = TopKTreeClassifier(k="auto", max_depth=2, **options)
            return clf.fit(X, Y, on_progress=on_progress)


@settings(max_examples=effort.cases(60), deadline=None)
@given(
    limit=st.floats(0.01, 100.0), setup=st.floats(0.0, 50.0), work=st.floats(0.0, 10.0)
)
@example(limit=0.5, setup=0.2, work=0.05)
@example(limit=60.0, setup=0.1, work=0.01)
def test_the_whole_fit_keeps_to_the_time_limit(limit, setup, work):
    slow = SlowSearch(setup, work)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimalityWarning)
        clf = slow.fit(time_limit=limit)
    assert slow.now <= max(limit, setup) * (1 + 1e-9)
    assert clf.status_ in ("optimal_in_top_k", "optimal", "time_limit")
    k, n_rows, _ = slow.searches[-1]
    assert clf.k_ == 1 or (k, n_rows) == (clf.k_, len(Y))


def test_the_tree_gets_the_time_that_the_choice_leaves():
    slow = SlowSearch(setup=0.1, work=0.01)
    clf = slow.fit(time_limit=100.0)
    assert clf.k_ > 1
    k, n_rows, limit = slow.searches[-1]
    assert (k, n_rows) == (clf.k_, len(Y))
    takes = slow.setup + slow.work * k
    assert limit == pytest.approx(100.0 - (slow.now - takes))
    assert limit > 50.0


def test_the_greedy_tree_is_grown_once():
    slow = SlowSearch(setup=1.0)
    clf = slow.fit(time_limit=3.0)
    assert slow.searches == [(1, len(Y), 3.0)]
    assert (clf.k_, clf.k_losses_) == (1, {})


def test_no_search_is_begun_that_time_cannot_let_through():
    slow = SlowSearch(setup=1.0)
    slow.fit(time_limit=15.0)  # 1 s for the tree, 4 s for the folds of k = 1
    assert [k for k, *_ in slow.searches] == [1] * (1 + N_FOLDS)


@pytest.mark.parametrize("place", [*range(2, 9), 13, 18, 23, 26])
@pytest.mark.parametrize("how", ["callback", "callback raises", "ctrl-c", "signal"])
def test_a_stop_ends_the_choice_at_once(how, place):
    slow = SlowSearch(setup=0.1, work=0.001)
    told = []

    def stop(progress):
        if progress.phase == "preparing":
            return False
        told.append(progress)
        if how == "callback raises" and len(told) == place:
            raise KeyboardInterrupt
        return how == "callback" and len(told) == place

    slow.ctrl_c_at = place if how == "ctrl-c" else None
    slow.signal_at = place if how == "signal" else None
    with pytest.warns(OptimalityWarning, match="before k was chosen"):
        clf = slow.fit(time_limit=1000.0, on_progress=stop)
    assert clf.status_ == "interrupted"
    n_tried = (place - 2) // N_FOLDS  # one search for the greedy tree, N_FOLDS for a k
    assert list(clf.k_losses_) == [2**i for i in range(n_tried)]
    if n_tried:
        assert clf.k_losses_[clf.k_] == min(clf.k_losses_.values())
    else:
        assert clf.k_ == 1
    after = slow.searches[place:]
    assert after == ([] if clf.k_ == 1 else [(clf.k_, len(Y), LAST_SECONDS)])
    if how.startswith("callback"):
        assert len(told) == place  # whoever said stop is not asked again
    assert clf.gap_ == 0.0


def test_a_stopped_fit_does_not_grow_a_tree_that_takes_long():
    slow = SlowSearch(setup=LAST_SECONDS)
    slow.ctrl_c_at = 20
    with pytest.warns(OptimalityWarning, match="before k was chosen"):
        clf = slow.fit(time_limit=None)
    assert min(clf.k_losses_, key=clf.k_losses_.get) > 1
    assert clf.k_ == 1
    assert len(slow.searches) == 20


def test_a_stop_in_the_first_search_is_that_of_a_search():
    slow = SlowSearch(setup=0.1)
    with pytest.warns(OptimalityWarning, match="search was interrupted"):
        clf = slow.fit(on_progress=lambda progress: True)
    assert (clf.status_, clf.k_, clf.k_losses_) == ("interrupted", 1, {})
    assert len(slow.searches) == 1


@pytest.mark.parametrize("place", [1, 3, 26])  # 26: the last search of the choice
def test_a_stop_at_the_very_end_of_a_search_is_heard(place, monkeypatch):
    slow = SlowSearch(setup=0.1)
    told = []

    def deaf(data, asked, started):
        """A search that is done by the time it is told to stop."""
        outcome = slow(data, replace(asked, on_progress=None), started)
        asked.on_progress(Progress(0.0, 0.0, 1.0, 1, 1, 1))
        return outcome

    def stop(progress):
        if progress.phase == "preparing":
            return False
        told.append(progress)
        return len(told) == place

    monkeypatch.setattr("ostrya.estimators._search.find_tree", deaf)
    with pytest.warns(OptimalityWarning, match="before k was chosen"):
        clf = TopKTreeClassifier(k="auto", max_depth=2).fit(X, Y, on_progress=stop)
    assert clf.status_ == "interrupted"
    assert slow.searches[place:] == [(8, len(Y), LAST_SECONDS)][: clf.k_ > 1]
    assert clf.k_ == (8 if place == 26 else 1)


def test_seconds_count_from_the_start_of_the_fit():
    slow = SlowSearch(setup=1.0)
    told = []

    def listen(progress):
        if progress.phase == "searching":
            told.append((progress.seconds, slow.now))

    slow.fit(time_limit=None, on_progress=listen)
    assert len(told) == len(slow.searches) > N_FOLDS
    assert all(seconds == now for seconds, now in told)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("time_limit", "long"),
        ("time_limit", -1),
        ("memory_limit", 1),
        ("max_depth", -1),
        ("criterion", "log"),
    ],
)
def test_bad_arguments_are_turned_away(name, value):
    with pytest.raises((TypeError, ValueError), match=f"{name} must be"):
        TopKTreeClassifier(k="auto").set_params(**{name: value}).fit(X, Y)
