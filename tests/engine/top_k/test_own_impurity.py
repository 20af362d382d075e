"""Top-k with an impurity that the user defines: checked, exact, and on every path."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from test_row_sets import long_case

import ostrya
from oracle.top_k import TopKOracle
from ostrya import TopKTreeClassifier, _core
from ostrya._solve.impurity import Impurity, check_impurity
from ostrya.top_k import TopKSplits
from strategies import random_problems


def error(shares):
    """Return the share of rows that the majority misclassifies."""
    return 1 - shares.max(axis=1)


def root_of_gini(shares):
    return np.sqrt(1 - (shares**2).sum(axis=1))


def times_four(shares):
    return 4 * (1 - (shares**2).sum(axis=1))


def exact_error(masses):
    """Return `error` times the mass, scaled to 1 for equal shares, as a fraction."""
    n_classes = len(masses)
    return Fraction(sum(masses) - max(masses)) / (1 - Fraction(1, n_classes))


def exact_gini(masses):
    n, n_classes = sum(masses), len(masses)
    left = n - sum(Fraction(m * m, n) for m in masses)
    return left / (1 - Fraction(1, n_classes))


OWN = {error: exact_error, times_four: exact_gini}


@pytest.mark.parametrize("by_rows", [False, True])
@pytest.mark.parametrize("ranks_features", [False, True])
@pytest.mark.parametrize("function", OWN)
def test_equals_a_plain_recursion(function, ranks_features, by_rows):
    n_compared = 0
    for index, case in enumerate(random_problems(f"{ranks_features}{by_rows}", 120)):
        rng = random.Random(index)
        problem = case.problem
        if not all(problem.weights) or problem.n_classes < 2:
            continue
        if problem.max_depth is None or problem.max_depth > 4:
            case = replace(case, problem=replace(problem, max_depth=rng.randint(1, 4)))
        k = rng.choice([1, 2, 3, 5])
        top_k = _core.TopK(
            [k],
            criterion="own",
            ranks_features=ranks_features,
            by_rows=by_rows,
            impurity=Impurity(function),
        )
        found = _core.solve(*case.core_arguments(top_k=top_k))
        oracle = TopKOracle(case.problem, [k], OWN[function], by_feature=ranks_features)
        assert found.lower == found.upper == oracle.cost()
        n_compared += 1
    assert n_compared > 4  # fewer with --quick


@pytest.mark.parametrize("ranks_features", [False, True])
def test_sets_of_rows_are_bounded_by_concavity_as_every_cut_is_counted(ranks_features):
    for seed in range(6):
        case = long_case(np.random.default_rng(seed))
        found = [
            _core.solve(
                *case.core_arguments(
                    top_k=_core.TopK(
                        [3],
                        criterion="own",
                        ranks_features=ranks_features,
                        by_rows=by_rows,
                        impurity=Impurity(root_of_gini),
                    )
                )
            )
            for by_rows in (False, True)
        ]
        assert found[0].upper == found[1].upper
        assert found[0].lower == found[1].lower


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_a_function_equals_the_word_for_it(n_classes, n_jobs):
    rng = np.random.default_rng(n_classes)
    X = rng.integers(0, 9, (200, 5))
    y = (X[:, 0] + X[:, 1] + rng.integers(0, 4, 200)) % n_classes
    arguments = {"leaf_penalty": 0, "max_depth": 3, "k": 3, "n_jobs": n_jobs}
    by_word = TopKTreeClassifier(criterion="gini", **arguments).fit(X, y)
    by_function = TopKTreeClassifier(criterion=times_four, **arguments).fit(X, y)
    assert by_function.tree_.to_dict() == by_word.tree_.to_dict()
    assert by_function.status_ == by_word.status_


def dented(shares):
    """Concave but for a dent between shares of 0.30 and 0.31."""
    p = shares.max(axis=1)
    return 1 - p - 0.01 * ((p > 0.69) & (p < 0.70))


WRONG = {
    "convex": (lambda p: (p**2).sum(axis=1), "got 1 for a single class"),
    "a step": (lambda p: (p.max(axis=1) < 0.8) * 1.0, "not concave at"),
    "a dent": (dented, "not concave at"),
    "squared": (lambda p: error(p) ** 2, "not concave at"),
    "asymmetric": (lambda p: p[:, 0] * (1 - p[:, 0] ** 3), "another order"),
    "zero": (lambda p: 0 * p[:, 0], "above 0 for equal frequencies"),
    "negative": (lambda p: -error(p), "above 0 for equal frequencies"),
    "one number": (lambda p: 0.5, "one impurity for each of the 1 rows"),
    "not reduced": (lambda p: p, "Use axis=1"),
    "infinite": (lambda p: 1 / (p.max(axis=1) - 0.5), "must be finite"),
    "words": (lambda p: ["high"] * len(p), "must return an array of numbers"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_function_that_cannot_rank_splits_is_refused(name):
    function, message = WRONG[name]
    X, y = np.array([[0], [1], [2], [3]]), [0, 1, 0, 1]
    with (
        np.errstate(all="ignore"),
        pytest.raises((TypeError, ValueError), match=message),
    ):
        TopKTreeClassifier(criterion=function).fit(X, y)


@pytest.mark.parametrize("n_classes", [3, 4, 6])
@pytest.mark.parametrize("name", ["squared", "asymmetric", "convex"])
def test_more_classes_are_checked_too(name, n_classes):
    function, _ = WRONG[name]
    with pytest.raises(ValueError, match="criterion must be a concave"):
        check_impurity(function, n_classes)


@pytest.mark.parametrize("n_classes", range(2, 8))
@pytest.mark.parametrize("function", [error, root_of_gini, times_four])
def test_concave_functions_are_accepted_and_scaled(function, n_classes):
    check_impurity(function, n_classes)
    scaled = Impurity(lambda p: 1e9 * function(p))
    assert scaled(np.full((1, n_classes), 1 / n_classes)).tolist() == [1.0]


@pytest.mark.parametrize("criterion", ["error", 3, None, dict])
def test_other_criteria_are_refused(criterion):
    with pytest.raises((TypeError, ValueError), match="'sqrt' or a function; got"):
        TopKTreeClassifier(criterion=criterion).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_exception_of_the_function_ends_the_search(n_jobs):
    n_rows = []

    def fails_later(shares):
        n_rows.append(len(shares))
        if len(n_rows) > 30:
            raise LookupError("no impurity today")
        return error(shares)

    rng = np.random.default_rng(0)
    X, y = rng.random((300, 6)), rng.integers(0, 2, 300)
    clf = TopKTreeClassifier(criterion=fails_later, leaf_penalty=0, n_jobs=n_jobs)
    with pytest.raises(LookupError, match="no impurity today"):
        clf.fit(X, y)
    assert len(n_rows) < 40


def test_what_the_function_keeps_does_not_change():
    kept = []

    def keeps(shares):
        kept.append((shares, shares.copy()))
        return error(shares)

    X = np.array(list(product([0, 1], repeat=4)))
    top_k = TopKSplits(k=2, criterion=keeps)
    ostrya.solve(X, X[:, 0] ^ X[:, 3], leaf_penalty=0, max_depth=3, top_k=top_k)
    assert len(kept) > 5
    for shares, before in kept:
        np.testing.assert_array_equal(shares, before)
        np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_the_engine_refuses_a_word_without_its_function():
    case = next(iter(random_problems(300, 1)))
    for words in ({"criterion": "own"}, {"criterion": "gini", "impurity": error}):
        with pytest.raises(ValueError, match="an impurity goes with"):
            _core.solve(*case.core_arguments(top_k=_core.TopK([2], **words)))


def test_a_model_file_does_not_keep_the_function(tmp_path):
    X, y = np.array([[0], [1], [2], [3]]), [0, 1, 0, 1]
    clf = TopKTreeClassifier(criterion=error, leaf_penalty=0).fit(X, y)
    clf.save(tmp_path / "model.json")
    loaded = TopKTreeClassifier.load(tmp_path / "model.json")
    assert loaded.criterion == "entropy"
    assert loaded.predict(X).tolist() == clf.predict(X).tolist()
