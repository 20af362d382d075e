"""Trees of least cost under constraints: no allowed tree of a full list costs less."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from ostrya import _core


def drawn(seed, *, has_directions, has_groups):
    """A table of few rows, costs and limits, and constraints on its features."""
    rng = random.Random(f"constrained/{seed}")
    n_rows = rng.randint(2, 10)
    tops = [rng.choice([1, 1, 2, 3]) for _ in range(rng.randint(1, 4))]
    n_classes = 2 if has_directions else rng.choice([2, 2, 3])
    costs = [
        [rng.choice([1, 1, 1, 2]) * (i != j) for j in range(n_classes)]
        for i in range(n_classes)
    ]
    features = range(len(tops))
    groups = []
    if has_groups:
        groups = [
            [f for f in features if rng.random() < 0.6]
            for _ in range(rng.randint(1, 3))
        ]
    return {
        "X": np.array([[rng.randint(0, top) for top in tops] for _ in range(n_rows)])
        * 1.0,
        "codes": np.array([rng.randrange(n_classes) for _ in range(n_rows)], np.int32),
        "weights": np.array([rng.choice([1, 1, 1, 2, 3]) for _ in range(n_rows)]),
        "costs": np.array(costs, np.int64),
        "scale": rng.choice([1, 2, 3]),
        "penalty": rng.choice([0, 1, 1, 2]),
        "max_depth": rng.choice([1, 2, 2, 3]),
        "max_leaf_nodes": rng.choice([None, None, None, 2, 3]),
        "min_samples_leaf": rng.choice([1, 1, 1, 2]),
        "directions": [rng.choice([0, 1, -1]) * has_directions for _ in features],
        "groups": groups,
    }


def solve(problem, lower=0, **options):
    return _core.solve_constrained(
        problem["X"],
        problem["codes"],
        problem["weights"].astype(np.int64),
        problem["costs"],
        problem["scale"],
        problem["penalty"],
        _core.Limits(
            max_depth=problem["max_depth"],
            max_leaf_nodes=problem["max_leaf_nodes"],
            min_samples_leaf=problem["min_samples_leaf"],
            time_limit=options.pop("time_limit", None),
        ),
        problem["directions"],
        problem["groups"],
        lower,
        **options,
    )


class AllowedTrees:
    """Lists trees with every label in every leaf. A tree is a label or a tuple."""

    def __init__(self, problem):
        self.problem = problem
        X = problem["X"]
        self.cuts = [
            (feature, (low + high) / 2)
            for feature in range(X.shape[1])
            for low, high in itertools.pairwise(sorted(set(X[:, feature])))
        ]
        values = [np.unique(column) for column in X.T]
        self.grid = np.array(list(itertools.product(*values)))

    def below(self, most):
        """Yield the cost and tree of each allowed tree that costs less."""
        rows = np.ones(len(self.problem["X"]), bool)
        depth = self.problem["max_depth"]
        leaves = self.problem["max_leaf_nodes"] or 2**depth
        for cost, n_leaves, tree in self.trees(rows, depth, frozenset(), most - 1):
            if n_leaves <= leaves and self.is_monotone(tree):
                yield cost, tree

    def trees(self, rows, depth, asked, most):
        problem = self.problem
        for label in range(len(problem["costs"])):
            loss = problem["costs"][problem["codes"][rows], label]
            loss = (loss * problem["weights"][rows]).sum()
            cost = problem["scale"] * loss + problem["penalty"]
            if cost <= most:
                yield cost, 1, label
        if depth == 0:
            return
        for feature, threshold in self.cuts:
            path = asked | {feature}
            if problem["groups"] and not any(
                path <= set(group) for group in problem["groups"]
            ):
                continue
            yes = rows & (problem["X"][:, feature] <= threshold)
            no = rows & ~yes
            if min(yes.sum(), no.sum()) < problem["min_samples_leaf"]:
                continue
            for one, n_one, left in self.trees(yes, depth - 1, path, most):
                for two, n_two, right in self.trees(no, depth - 1, path, most - one):
                    tree = feature, threshold, left, right
                    yield one + two, n_one + n_two, tree

    def is_monotone(self, tree):
        directions = self.problem["directions"]
        if not any(directions):
            return True
        labels = {tuple(point): label_of(tree, point) for point in self.grid}
        for point, label in labels.items():
            for feature, direction in enumerate(directions):
                for other in labels:
                    is_above = other[feature] > point[feature] and all(
                        a == b
                        for f, (a, b) in enumerate(zip(point, other, strict=True))
                        if f != feature
                    )
                    if is_above and (labels[other] - label) * direction < 0:
                        return False
        return True


def label_of(tree, point):
    while isinstance(tree, tuple):
        feature, threshold, yes, no = tree
        tree = yes if point[feature] <= threshold else no
    return tree


def found_tree(found, labels, node=0):
    if found.feature[node] < 0:
        return labels[node]
    return (
        int(found.feature[node]),
        float(found.threshold[node]),
        found_tree(found, labels, found.yes[node]),
        found_tree(found, labels, found.no[node]),
    )


def check(problem):
    found, labels = solve(problem)
    tree = found_tree(found, labels)
    assert found.status == "optimal"
    assert found.lower == found.upper
    allowed = AllowedTrees(problem)
    same = [cost for cost, each in allowed.below(found.upper + 1) if each == tree]
    assert same == [found.upper]
    assert not list(allowed.below(found.upper))


@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize(
    ("has_directions", "has_groups"), [(True, False), (False, True), (True, True)]
)
def test_no_allowed_tree_costs_less(block, has_directions, has_groups):
    for seed in range(25 * block, 25 * block + 25):
        check(drawn(seed, has_directions=has_directions, has_groups=has_groups))
