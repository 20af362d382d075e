"""All trees within a threshold: counted and listed as brute force lists them."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from oracle import Leaf, Oracle, Problem
from oracle.rashomon import AllTrees
from ostrya import _core


def drawn(seed):
    """A problem of few rows with everything that may differ, and a threshold."""
    rng = random.Random(f"rashomon/{seed}")
    n_rows = rng.randint(1, 12)
    kinds = [rng.choice([1, 1, 1, 2, 3, n_rows]) for _ in range(rng.randint(1, 4))]
    n_classes = rng.choice([2, 2, 2, 3, 4])
    costs = [[int(i != j) for j in range(n_classes)] for i in range(n_classes)]
    if rng.random() < 0.3:
        costs = [
            [rng.randint(0, 4) * (i != j) for j in range(n_classes)]
            for i in range(n_classes)
        ]
    if rng.random() < 0.1:
        costs[0] = [1] * n_classes  # rows of this class are indifferent to their label
    weights = [1] * n_rows
    if rng.random() < 0.5:
        heavy = rng.choice([3, 3, 3, 2**33])
        weights = [rng.choice([1, 1, 2, 5, heavy]) for _ in range(n_rows)]
    penalty = rng.choice([0, 1, 1, 2, 3, 5])
    # Brute force takes long for many rows and levels.
    depth = rng.choice([0, 1, 2, 3, 3, *([4, None] if n_rows < 8 else [])])
    if penalty == 0:
        depth = 2 if depth is None else min(depth, 2)
    problem = Problem(
        rows=tuple(
            tuple(float(rng.randint(0, k)) for k in kinds) for _ in range(n_rows)
        ),
        labels=tuple(rng.randrange(n_classes) for _ in range(n_rows)),
        weights=tuple(weights),
        costs=tuple(map(tuple, costs)),
        scale=rng.choice([1, 1, 2, 7]),
        penalty=penalty,
        max_depth=depth,
        max_leaf_nodes=rng.choice([None, None, None, 2, 3, 5]),
        min_samples_leaf=rng.choice([1, 1, 1, 2, 3]),
    )
    slack = rng.choice([0, 1, 2, 4, 6, 9]) * rng.choice([1, problem.scale])
    return problem, slack, rng.random() < 0.6


def count(problem, optimum, most, equal_siblings=True, **options):
    return _core.RashomonTrees(
        np.array(problem.rows, dtype=float),
        np.array(problem.labels, np.int32),
        np.array(problem.weights, np.int64),
        np.array(problem.costs, np.int64),
        problem.scale,
        problem.penalty,
        _core.Limits(
            max_depth=problem.max_depth,
            max_leaf_nodes=problem.max_leaf_nodes,
            min_samples_leaf=problem.min_samples_leaf,
            time_limit=options.pop("time_limit", None),
        ),
        optimum,
        most,
        equal_siblings,
        **options,
    )


def number(words):
    return sum(word << 32 * at for at, word in enumerate(words))


def questions(tree):
    """The questions of a tree in preorder; None at leaves."""
    if isinstance(tree, Leaf):
        return [None]
    asked = tree.feature, tree.threshold
    return [asked, *questions(tree.yes), *questions(tree.no)]


def listed(trees):
    """Every tree of an enumeration, in order."""
    columns = trees.columns
    for cost, leaves, words in trees.kinds:
        for place in range(number(words)):
            column, cut, _, _ = trees.tree(cost, leaves, [place] if place else [])
            yield [
                None if at < 0 else (columns[at][0], columns[at][1][which])
                for at, which in zip(column, cut, strict=True)
            ]


@pytest.mark.parametrize("block", range(20))
def test_trees_and_their_order_are_those_of_brute_force(block):
    for seed in range(100 * block, 100 * block + 100):
        problem, slack, equal_siblings = drawn(seed)
        limits = problem.max_depth, problem.max_leaf_nodes
        optimum = Oracle(problem).best(problem.all_rows, *limits).cost
        found = count(problem, optimum, optimum + slack, equal_siblings)
        kinds = {(cost, leaves): number(words) for cost, leaves, words in found.kinds}
        if sum(kinds.values()) > 2000:
            continue
        expected = AllTrees(problem, equal_siblings).up_to(optimum + slack)
        assert kinds == Counter((cost, leaves) for cost, leaves, _ in expected)
        assert list(listed(found)) == [questions(tree) for _, _, tree in expected]
        assert found.status == "complete"
        assert found.complete_to == optimum + slack


@pytest.mark.parametrize(("depth", "bits"), [(2, 8), (4, 32), (5, 64), (7, 128)])
def test_counts_of_any_size_are_exact(depth, bits):
    n_features = 7
    rows = [tuple(float(i >> k & 1) for k in range(n_features)) for i in range(2**7)]
    rng = random.Random(depth)
    problem = Problem(
        rows=tuple(rows),
        labels=tuple(rng.randrange(2) for _ in rows),
        weights=(1,) * len(rows),
        costs=((0, 1), (1, 0)),
        max_depth=depth,
    )
    # All row sets of one size are alike: each question parts them into halves.
    expected = 1
    for level in range(depth):
        expected = 1 + (n_features - depth + 1 + level) * expected**2
    found = count(problem, 0, len(rows))
    total = sum(number(words) for *_, words in found.kinds)
    assert total == expected > 2**bits
    cost, leaves, words = found.kinds[-1]
    last = number(words) - 1
    place = [last >> 32 * at & 0xFFFFFFFF for at in range(len(words))]
    column, *_ = found.tree(cost, leaves, place)
    assert sum(at < 0 for at in column) == leaves


def test_a_stop_leaves_the_trees_up_to_some_cost():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 6)).round(1)
    labels = (rows[:, 0] + rows[:, 1] * rows[:, 2] + rng.normal(size=400) > 0).astype(
        int
    )
    problem = Problem(
        rows=tuple(map(tuple, rows)),
        labels=tuple(labels),
        weights=(1,) * 400,
        costs=((0, 1), (1, 0)),
        penalty=4,
        max_depth=3,
    )
    whole = count(problem, 100, 112)
    assert whole.status == "complete"
    calls = []

    def is_interrupted():
        calls.append(None)
        return len(calls) > 2

    part = count(problem, 100, 112, is_interrupted=is_interrupted)
    if part.status == "complete":
        pytest.skip("this machine is done before it looks at the clock twice")
    assert part.status == "interrupted"
    if part.complete_to is None:
        assert part.kinds == []
    else:
        known = [kind for kind in whole.kinds if kind[0] <= part.complete_to]
        assert part.kinds == known


def test_trees_without_a_feature_are_those_that_do_not_ask_about_it():
    for seed in range(100):
        problem, slack, equal_siblings = drawn(seed)
        limits = problem.max_depth, problem.max_leaf_nodes
        optimum = Oracle(problem).best(problem.all_rows, *limits).cost
        found = count(problem, optimum, optimum + slack, equal_siblings)
        if sum(number(words) for *_, words in found.kinds) > 500:
            continue
        trees = list(listed(found))
        for feature in range(problem.n_features):
            without = [
                tree for tree in trees if feature not in {q[0] for q in tree if q}
            ]
            kinds = found.kinds_without([feature], optimum + slack)
            assert sum(number(words) for *_, words in kinds) == len(without)
