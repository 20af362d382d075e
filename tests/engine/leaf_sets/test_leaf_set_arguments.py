"""What cannot be asked for is turned away, and told what can."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import ostrya
from ostrya import _core
from ostrya.objectives import FBeta, PartialAUC
from strategies import random_problems

X = [[0], [1], [2], [3]]
Y = [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"objective": "acu"}, ValueError, "\"accuracy\", .*got 'acu'"),
        ({"objective": None}, TypeError, "objective must be .accuracy.*got"),
        (
            {"engine": "rows"},
            ValueError,
            "engine must be one of 'columns', 'leaf_sets'",
        ),
        ({"objective": "auc", "engine": "columns"}, ValueError, "use 'leaf_sets'"),
        (
            {"engine": "leaf_sets", "policy": "curious"},
            ValueError,
            "policy must be one of 'curiosity', .*'depth_first'.*got 'curious'",
        ),
        ({"policy": "curiosity"}, ValueError, "requires engine='leaf_sets'"),
        (
            {"bounds": ostrya.bounds.LeafSetBounds()},
            TypeError,
            "ostrya.bounds.Bounds or None",
        ),
        (
            {"bounds": ostrya.bounds.Bounds(), "engine": "leaf_sets"},
            TypeError,
            "ostrya.bounds.LeafSetBounds or None",
        ),
        (
            {"objective": "partial_auc"},
            ValueError,
            r"Use ostrya\.objectives\.PartialAUC",
        ),
        ({"objective": "f_beta"}, ValueError, r"got 'f_beta'\. Use .*FBeta\(\)"),
        ({"objective": FBeta}, TypeError, r"not a class; got FBeta\. Use FBeta\(\)"),
        (
            {"objective": "f1", "cost_matrix": [[0, 1], [2, 0]]},
            ValueError,
            "cost_matrix must be None for objective='f1'",
        ),
        (
            {"objective": "auc", "reference_labels": Y},
            ValueError,
            "reference_labels must be None",
        ),
        (
            {"objective": lambda fp, fn: fp - fn},
            ValueError,
            "never decreases when errors increase",
        ),
        ({"objective": lambda fp, fn: "bad"}, TypeError, "finite number; got 'bad'"),
        ({"objective": lambda fp, fn: 10**400}, TypeError, "finite number; got 1000"),
        (
            {"objective": lambda fp, fn: Fraction(10**400)},
            TypeError,
            "finite number; got Fraction",
        ),
        ({"objective": lambda fp, fn: np.inf}, TypeError, "finite number; got inf"),
    ],
)
def test_arguments(given, error, words):
    with pytest.raises(error, match=words):
        ostrya.solve(X, Y, **given)


def test_misspelt_bound():
    with pytest.raises(TypeError, match="look_ahed"):
        ostrya.bounds.LeafSetBounds(look_ahed=False)


@pytest.mark.parametrize("objective", ["auc", PartialAUC(), "f1", FBeta(), max])
def test_other_than_two_classes(objective):
    with pytest.raises(ValueError, match=r"requires two classes.*y has 3"):
        ostrya.solve(X, [0, 1, 2, 1], objective=objective)
    with pytest.raises(ValueError, match=r"rows of both classes.*class 1 has none"):
        ostrya.solve(X, [0, 0, 0, 0], objective=objective)
    with pytest.raises(ValueError, match="requires two classes"):
        ostrya.OptimalTreeClassifier(objective=objective).fit(X, [0, 1, 2, 1])
    with pytest.raises(ValueError, match="requires two classes"):
        ostrya.OptimalTreeClassifier(objective=objective).fit(X, [1, 1, 1, 1])


def test_an_exception_of_the_callable_reaches_the_caller():
    calls = []

    def fails_late(fp, fn):
        calls.append((fp, fn))
        if len(calls) > 40:
            raise LookupError("no such cost")
        return fp + fn

    rng = np.random.default_rng(0)
    rows = rng.integers(0, 5, size=(60, 3))
    with pytest.raises(LookupError, match="no such cost"):
        ostrya.solve(rows, rng.integers(0, 2, 60), objective=fails_late)


def test_the_engine_takes_no_policy_for_another():
    case = next(iter(random_problems(1, 1)))
    with pytest.raises(ValueError, match="called curious"):
        _core.solve_leaf_sets(*case.leaf_set_arguments(policy="curious"))
