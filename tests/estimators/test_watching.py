"""What a fit tells while it runs, and what it says that would have helped."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console
from sklearn.tree import DecisionTreeClassifier

import ostrya._live as live
from ostrya import (
    OptimalityWarning,
    OptimalTreeClassifier,
    TopKTreeClassifier,
)
from ostrya.guesses import Guess

X = [[1], [2], [3], [4]]
Y = [0, 1, 1, 0]
CLASSIFIERS = (OptimalTreeClassifier, TopKTreeClassifier)
BOTH = pytest.mark.parametrize("kind", CLASSIFIERS)


def noise(n=400, columns=12):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, columns)), rng.integers(0, 2, n)


@BOTH
def test_nothing_is_printed_unless_asked_for(kind, capfd):
    kind(leaf_penalty=0.05, max_depth=2).fit(X, Y)
    assert capfd.readouterr() == ("", "")


@BOTH
def test_without_a_terminal_the_last_line_is_told(kind, capfd):
    clf = kind(leaf_penalty=0.05, max_depth=2, verbose=1).fit(X, Y)
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert f"best {clf.objective_:.4f}" in err
    assert err.rstrip().endswith(clf.status_)


def test_a_terminal_shows_a_line_while_it_runs(monkeypatch, capfd):
    console = Console(stderr=True, force_terminal=True, width=100, color_system=None)
    monkeypatch.setattr(live, "_PlainConsole", lambda: console)
    OptimalTreeClassifier(leaf_penalty=0.05, verbose=1).fit(X, Y)
    err = capfd.readouterr().err
    assert "preparing the table" in err
    assert err.rstrip().endswith("optimal")


def test_a_notebook_shows_one_output_that_changes(monkeypatch, capfd):
    shown = []

    def display(words, *, display_id):
        assert display_id
        shown.append(repr(words))
        return SimpleNamespace(update=lambda words: shown.append(repr(words)))

    ipython = SimpleNamespace(
        get_ipython=lambda: SimpleNamespace(kernel=object()),
        display=SimpleNamespace(display=display),
    )
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    clf = OptimalTreeClassifier(leaf_penalty=0.05, verbose=1).fit(X, Y)
    assert capfd.readouterr() == ("", "")
    assert "preparing" in shown[0]
    assert shown[-1].endswith(f"3 leaves   {clf.status_}")


@pytest.mark.parametrize(
    ("verbose", "error"), [(-1, ValueError), ("yes", TypeError), (None, TypeError)]
)
@BOTH
def test_bad_verbose_is_refused(kind, verbose, error):
    with pytest.raises(error, match="verbose must be an integer >= 0"):
        kind(verbose=verbose).fit(X, Y)


@BOTH
def test_the_first_call_comes_before_the_table_is_read(kind):
    told = []
    with pytest.raises(ValueError, match="y"):
        kind().fit(X, Y[:3], on_progress=told.append)
    assert [progress.phase for progress in told] == ["preparing"]


@BOTH
def test_a_stop_before_the_search_gives_a_tree_all_the_same(kind):
    told = []

    def stop(progress):
        told.append(progress)
        return True

    rows, labels = noise()
    clf = kind(leaf_penalty=1e-4, max_depth=None)
    with pytest.warns(OptimalityWarning, match="search was interrupted"):
        clf.fit(rows, labels, on_progress=stop)
    assert len(told) == 1
    assert clf.predict(rows).shape == labels.shape


@pytest.mark.parametrize(
    ("clf", "helps"),
    [
        (
            OptimalTreeClassifier(max_depth=None),
            'max_depth=3 or 4; guess="auto"; TopKTreeClassifier; a longer time_limit.',
        ),
        (
            OptimalTreeClassifier(max_depth=9, objective="auc"),
            'in this order: guess="thresholds[+]depth"; a longer time_limit.',
        ),
        (
            OptimalTreeClassifier(
                max_depth=9,
                guess=Guess(
                    DecisionTreeClassifier(max_depth=9),
                    thresholds=False,
                    bounds=False,
                    check=False,
                ),
            ),
            "in this order: TopKTreeClassifier; a longer time_limit.",
        ),
        (
            TopKTreeClassifier(max_depth=None),
            "in this order: max_depth=3 or 4; a smaller k; a longer time_limit.",
        ),
    ],
    ids=["plain", "auc", "guess", "top-k"],
)
def test_the_warning_names_what_helps_here(clf, helps):
    clf.set_params(time_limit=1e-9, leaf_penalty=1e-4)
    with pytest.warns(OptimalityWarning, match=helps):
        clf.fit(*noise())
