"""The searches that are written from the papers' pseudocode, against exact ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import ostrya
from benchmarks.guesses.born_again import born_again, fewest_leaves
from benchmarks.guesses.dl85_reference import Dl85
from benchmarks.osdt.incremental import FORMS, Search


def tables(count, seed):
    """Small tables of yes/no columns, with two classes."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        X = rng.integers(0, 2, (int(rng.integers(5, 40)), int(rng.integers(1, 5))))
        y = (X[:, 0] ^ (rng.random(len(X)) < 0.3)).astype(int)
        if len(np.unique(y)) == 2:
            yield X, y, rng


@pytest.mark.parametrize(("has_bit_vectors", "is_incremental"), FORMS)
def test_every_form_of_osdt_finds_the_optimum(has_bit_vectors, is_incremental):
    for X, y, rng in tables(25, 1):
        penalty = Fraction(int(rng.integers(1, 6)), 100)
        search = Search(X, y, penalty, has_bit_vectors, is_incremental)
        _, best = search.run()
        exact = ostrya.solve(X, y, leaf_penalty=float(penalty), max_depth=X.shape[1])
        assert float(best) == pytest.approx(exact.objective)


def test_all_forms_of_osdt_look_at_the_same_trees():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, (40, 4)), rng.integers(0, 2, 40)
    for most in (None, 5):
        runs = {Search(X, y, Fraction(1, 50), *form).run(most) for form in FORMS}
        assert len(runs) == 1
    assert Search(X, y, Fraction(1, 50), True, True).run(5)[0] == 5


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_dl85_without_guesses_finds_the_optimum(depth):
    for X, y, _ in tables(40, 3):
        found = Dl85(X, y, depth).solve()
        exact = ostrya.solve(X, y, leaf_penalty=0, max_depth=depth)
        assert found.is_complete
        assert found.errors == round(exact.loss * len(y))
        assert np.sum(found.tree.predict(X.astype(bool)) != y) == found.errors


def test_dl85_respects_its_support():
    for X, y, _ in tables(40, 4):
        found = Dl85(X, y, 2, 4).solve()
        exact = ostrya.solve(X, y, leaf_penalty=0, max_depth=2, min_samples_leaf=4)
        assert found.errors == round(exact.loss * len(y))


def test_dl85_with_guesses_keeps_the_theorem():
    """No more errors than if every row that the reference misclassifies were lost."""
    n_worse = 0
    for X, y, rng in tables(150, 5):
        reference = np.where(rng.random(len(y)) < 0.3, 1 - y, y)
        found = Dl85(X, y, 2, reference=reference).solve()
        right = (reference == y).astype(float)
        lost = len(y) - int(right.sum())
        kept = 0
        if right.any():
            best = ostrya.solve(X, y, leaf_penalty=0, max_depth=2, sample_weight=right)
            kept = round(best.loss * right.sum())
        exact = ostrya.solve(X, y, leaf_penalty=0, max_depth=2)
        assert round(exact.loss * len(y)) <= found.errors <= lost + kept
        n_worse += found.errors > round(exact.loss * len(y))
    assert n_worse  # guesses that prune too much are seen here


def test_a_born_again_tree_has_the_fewest_leaves():
    rng = np.random.default_rng(6)
    for _ in range(30):
        grid = rng.integers(0, 3, rng.integers(1, 5, 2))
        cells = np.argwhere(np.ones_like(grid))
        # Every error costs more than all leaves together.
        exact = ostrya.solve(
            cells, np.unique(grid, return_inverse=True)[1].ravel(), leaf_penalty=1e-4
        )
        assert exact.loss == 0
        assert fewest_leaves(grid) == exact.n_leaves


def test_a_born_again_tree_has_the_labels_of_its_forest():
    pytest.importorskip("sklearn")
    X = np.random.default_rng(7).random((80, 2))
    y = (X[:, 0] > X[:, 1]).astype(int)
    found = born_again(X, y)
    assert 1 < found.leaves <= found.cells
    assert np.mean(found.labels == y) > 0.8
    with pytest.raises(ValueError, match="two columns; got 3"):
        born_again(np.ones((4, 3)), np.array([0, 1, 0, 1]))


def test_dl85_stops_in_time():
    X = np.random.default_rng(0).integers(0, 2, (300, 40))
    found = Dl85(X, X[:, 0] ^ X[:, 1] ^ X[:, 2], 4, time_limit=0.0).solve()
    assert not found.is_complete
    assert found.tree.n_leaves == 1
