"""The oracle against a still more literal one, and against cases worked by hand."""

from __future__ import annotations

import ast
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from oracle import (
    AtLeast,
    Leaf,
    Oracle,
    Problem,
    Split,
    all_trees,
    leaf_cost,
    literal_optimum,
    optimum,
    sweep_optimum,
    tree_cost,
    tree_depth,
    tree_leaves,
    unavoidable_loss,
)
from oracle.costs import is_legal

ERRORS = ((0, 1), (1, 0))
XOR = Problem(
    rows=((0, 0), (0, 1), (1, 0), (1, 1)),
    labels=(0, 1, 1, 0),
    weights=(1, 1, 1, 1),
    costs=ERRORS,
    scale=10,
    penalty=1,
)


def tiny_problem(rng: random.Random) -> Problem:
    n_rows, n_classes = rng.randint(1, 8), rng.randint(1, 3)
    values = 2 if n_classes == 3 else 3
    rows = [tuple(rng.randrange(values) for _ in range(2)) for _ in range(n_rows)]
    return Problem(
        rows=tuple(rows),
        labels=tuple(rng.randrange(n_classes) for _ in rows),
        weights=tuple(rng.randint(0, 3) for _ in rows),
        costs=tuple(
            tuple(rng.randint(0, 3) for _ in range(n_classes)) for _ in range(n_classes)
        ),
        scale=rng.randint(1, 3),
        penalty=rng.randint(0, 4),
        max_depth=rng.choice([0, 1, 2, 2, 2]),
        max_leaf_nodes=rng.choice([None, 1, 2, 3, 4]),
        min_samples_leaf=rng.choice([1, 1, 2]),
    )


@pytest.mark.parametrize("seed", range(5))
def test_memo_equals_writing_down_every_tree(seed):
    rng = random.Random(seed)
    for _ in range(30):
        problem = tiny_problem(rng)
        best = optimum(problem)
        assert (best.cost, best.leaves) == literal_optimum(problem, problem.max_depth)
        assert tree_cost(problem, best.tree) == best.cost
        assert tree_leaves(best.tree) == best.leaves
        assert tree_depth(best.tree) <= problem.max_depth
        assert is_legal(problem, best.tree, problem.all_rows)


@pytest.mark.parametrize("seed", range(5))
def test_sweep_equals_memo(seed):
    rng = random.Random(seed)
    for _ in range(60):
        problem = replace(tiny_problem(rng), max_leaf_nodes=None, max_depth=seed)
        assert sweep_optimum(problem) == optimum(problem).cost


@pytest.mark.parametrize("seed", range(3))
def test_larger_trees_equal_writing_down_every_tree(seed):
    rng = random.Random(seed)
    for _ in range(30):
        # On two yes/no columns no legal tree is deeper than two.
        problem = replace(tiny_problem(rng), max_leaf_nodes=None, max_depth=None)
        bits = tuple((a % 2, b % 2) for a, b in problem.rows)
        problem = replace(problem, rows=bits)
        trees = [
            tree
            for tree in all_trees(problem, 2)
            if is_legal(problem, tree, problem.all_rows)
        ]
        larger = AtLeast(Oracle(problem))
        for size in range(5):
            by_leaves = [t for t in trees if tree_leaves(t) >= size]
            by_depth = [t for t in trees if tree_depth(t) >= size]
            for found, left in (
                (larger.leaves(problem.all_rows, size), by_leaves),
                (larger.depth(problem.all_rows, size), by_depth),
            ):
                costs = (tree_cost(problem, tree) for tree in left)
                assert found == min(costs, default=float("inf"))


def test_xor_by_hand():
    assert optimum(XOR).cost == 4
    assert optimum(XOR).leaves == 4
    assert optimum(replace(XOR, max_depth=1)).cost == 21
    assert optimum(replace(XOR, max_leaf_nodes=3)).cost == 13
    assert optimum(replace(XOR, min_samples_leaf=2)).cost == 21
    assert optimum(replace(XOR, penalty=7)).cost == 27
    assert leaf_cost(XOR, XOR.all_rows) == 21
    assert unavoidable_loss(XOR, XOR.all_rows) == 0


def test_tree_cost_by_hand():
    tree = Split(0, 0, Leaf(0), Split(1, 0, Leaf(1), Leaf(0)))
    assert tree_cost(XOR, tree) == 13
    assert tree_cost(XOR, tree, rows=(0, 2)) == 3
    assert Oracle(XOR).best_split((0, 1)).cost == 2
    assert Oracle(XOR).best_split((0,)) is None


def test_equal_rows_lose_what_they_must():
    problem = replace(XOR, rows=((0, 0),) * 3 + ((1, 1),))
    assert unavoidable_loss(problem, problem.all_rows) == 10
    assert optimum(problem).cost == 12


def test_oracle_imports_the_standard_library_and_itself():
    known = sys.stdlib_module_names | {"oracle"}
    for path in Path(__file__).parent.glob("*.py"):
        if path.name.startswith("test_"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert {name.name.split(".")[0] for name in node.names} <= known
            if isinstance(node, ast.ImportFrom):
                assert node.module.split(".")[0] in known
