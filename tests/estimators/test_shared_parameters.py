"""Shared parameters have one order; defaults that differ are explained."""

from __future__ import annotations

import inspect
import re
from itertools import combinations

import pytest

import ostrya

ESTIMATORS = (
    *(ostrya.OptimalTreeClassifier, ostrya.OptimalTreeClassifierCV),
    *(ostrya.TopKTreeClassifier, ostrya.OptimalPolicyTree, ostrya.RashomonSet),
)
SEARCHES = (*ESTIMATORS, ostrya.solve, ostrya.frontier, ostrya.estimate_runtime)
# Defaults that differ from those of `OptimalTreeClassifier`, by a word that the
# docstring explains them with.
EXPLAINED = {
    ("OptimalTreeClassifierCV", "max_leaf_nodes"): "because",
    ("TopKTreeClassifier", "max_depth"): "because",
    ("RashomonSet", "max_depth"): "because",
    ("solve", "max_depth"): "because",
    ("frontier", "max_depth"): "because",
    ("frontier", "max_leaf_nodes"): "because",
}


def parameters(search):
    """Return the keywords of an estimator or function, by name."""
    known = inspect.signature(search).parameters.items()
    return {name: each for name, each in known if each.kind is each.KEYWORD_ONLY}


def section(search, name):
    """Return what the docstring says about a parameter."""
    text = inspect.getdoc(search)
    found = re.search(rf"^{name} : .*\n((?:    .*\n|\n)+)", text, re.MULTILINE)
    return found[1]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_constructors_take_keywords_only(estimator):
    assert (
        parameters(estimator).keys() == inspect.signature(estimator).parameters.keys()
    )


@pytest.mark.parametrize(("one", "other"), list(combinations(SEARCHES, 2)))
def test_shared_parameters_have_one_order(one, other):
    first, second = parameters(one), parameters(other)
    assert [name for name in first if name in second] == [
        name for name in second if name in first
    ]


@pytest.mark.parametrize("search", [ostrya.solve, ostrya.frontier, *ESTIMATORS[1:]])
def test_other_defaults_are_explained(search):
    usual = parameters(ostrya.OptimalTreeClassifier)
    for name, each in parameters(search).items():
        if name not in usual or each.default == usual[name].default:
            continue
        if name == "time_limit":  # functions have none, as their docstrings say
            assert each.default is None
            continue
        assert EXPLAINED[search.__name__, name] in section(search, name)
