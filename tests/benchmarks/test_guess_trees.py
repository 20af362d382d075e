"""The trees of the guesses paper are drawn, and told in short rules."""

from __future__ import annotations

import pytest

import ostrya
from benchmarks.guesses import trees


def test_rules_in_short():
    X = [[1, "a"], [2, "a"], [3, "a"], [3, "b"], [4, "b"], [2, "b"]]
    clf = ostrya.OptimalTreeClassifier(leaf_penalty=0.01).fit(
        X, ["good", "bad", "bad", "good", "good", "bad"]
    )
    short = trees.short_rules(clf.tree_, "good", "bad")
    assert short.startswith("if ")
    assert short.count("\nor if ") == 1
    assert short.endswith(" then good else bad")
    assert short.count("then") == 1
    with pytest.warns(ostrya.TableWarning, match="single leaf"):
        lone = ostrya.OptimalTreeClassifier(leaf_penalty=0.01).fit(
            [[1], [2]], ["bad", "bad"]
        )
    assert trees.short_rules(lone.tree_, "good", "bad") == "always bad"
