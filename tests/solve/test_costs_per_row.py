"""`solve` with a cost for each row and class, against brute force."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ostrya
from oracle import Problem, optimum
from ostrya.top_k import TopKSplits


@st.composite
def problems(draw):
    n, n_labels = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    cells = st.integers(0, draw(st.sampled_from([1, 2, 9])))
    rows = draw(st.lists(st.tuples(cells, cells), min_size=n, max_size=n))
    costs = st.lists(st.integers(-20, 20), min_size=n_labels, max_size=n_labels)
    return rows, draw(st.lists(costs, min_size=n, max_size=n))


def of_oracle(rows, costs, weights, **limits):
    """Each row is a class of its own; classes beyond the labels cost too much.

    Costs are shifted by 20, so that none is negative.
    """
    n = len(rows)
    width = max(n, len(costs[0]))
    shifted = [tuple(cost + 20 for cost in row) for row in costs]
    padded = [row + (10**30,) * (width - len(row)) for row in shifted]
    padded += [(10**30,) * width] * (width - n)
    classes = tuple(range(n))
    return Problem(tuple(rows), classes, tuple(weights), tuple(padded), **limits)


@given(problems(), st.data())
def test_the_objective_is_that_of_brute_force(problem, data):
    rows, costs = problem
    weights = data.draw(
        st.none() | st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows))
    )
    units = data.draw(st.sampled_from([1, 4, 10]))
    charge = data.draw(st.integers(0, 8))
    limits = {
        "max_depth": data.draw(st.sampled_from([None, 0, 1, 2])),
        "max_leaf_nodes": data.draw(st.sampled_from([None, 1, 3])),
        "min_samples_leaf": data.draw(st.integers(1, 3)),
    }
    mass = len(rows) if weights is None else sum(weights)
    outcome = ostrya.solve(
        np.array(rows, dtype=float),
        costs=np.array(costs) / units,
        sample_weight=weights,
        leaf_penalty=charge / (mass * units),
        **limits,
    )
    plain = [1] * len(rows) if weights is None else weights
    best = optimum(of_oracle(rows, costs, plain, penalty=charge, **limits)).cost
    expected = float(Fraction(best - 20 * mass, mass * units))
    assert outcome.status in ("optimal", "optimal_to_rounding")
    assert outcome.objective == pytest.approx(expected, abs=1e-12)
    assert outcome.lower_bound <= outcome.objective
    assert outcome.gap <= 1e-9
    label = outcome.tree.predict(rows)
    paid = np.average((np.array(costs) / units)[range(len(rows)), label], weights=plain)
    assert outcome.loss == pytest.approx(paid, abs=1e-12)


@given(problems(), st.integers(0, 3))
def test_rounded_costs_are_solved_within_the_gap(problem, depth):
    """Costs without a common unit are rounded, which the gap accounts for."""
    rows, costs = problem
    rng = np.random.default_rng(len(rows))
    noisy = np.array(costs) + rng.random(np.shape(costs))
    outcome = ostrya.solve(rows, costs=noisy, max_depth=depth, leaf_penalty=0.01)
    exact = [[Fraction(cost) + 30 for cost in row] for row in noisy.tolist()]
    scaled = [[int(cost * 2**60) - 20 for cost in row] for row in exact]
    n = len(rows)
    penalty = int(Fraction(0.01) * n * 2**60)
    best = optimum(of_oracle(rows, scaled, [1] * n, penalty=penalty, max_depth=depth))
    true = float(Fraction(best.cost, n * 2**60) - 30)
    assert outcome.lower_bound <= true + 1e-12
    assert outcome.objective <= true + outcome.gap + 1e-12
    assert outcome.gap < 1e-9


def test_labels_are_costs_of_one_for_all_other_classes():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (200, 4))
    y = (X[:, 0] > 2).astype(int) + (X[:, 1] > 3)
    y[rng.random(200) < 0.2] = 0
    weights = rng.integers(1, 4, 200)
    for weight in (None, weights):
        by_label = ostrya.solve(X, y, max_depth=3, sample_weight=weight)
        costs = 1 - np.eye(3)[y]
        by_cost = ostrya.solve(X, costs=costs, max_depth=3, sample_weight=weight)
        assert by_cost.leaf_penalty == by_label.leaf_penalty
        assert by_cost.objective == by_label.objective
        assert by_cost.lower_bound == by_label.lower_bound
        again = ostrya.solve(
            X, costs=costs, max_depth=3, sample_weight=weight, warm_start=by_label.tree
        )
        assert again.objective == by_label.objective
        assert again.status == "optimal"


def test_the_tree_has_the_mean_cost_of_each_class():
    X, costs = [[0], [0], [1], [1]], [[1, 5], [3, 5], [4, -2], [4, 2]]
    tree = ostrya.solve(X, costs=costs, leaf_penalty=0.1).tree
    assert tree.costs.tolist() == [[3, 2.5], [2, 5], [4, 0]]
    assert tree.label.tolist() == [1, 0, 1]
    assert tree.predict_proba([[0], [1]]).tolist() == [[1, 0], [0, 1]]
    assert ostrya.Tree.from_dict(tree.to_dict()) == tree
    assert "mean cost 2" in str(tree)


def test_the_order_of_rows_and_their_shift_do_not_matter():
    rng = np.random.default_rng(1)
    X, costs = rng.integers(0, 9, (300, 3)), rng.normal(size=(300, 3))
    costs[:, 1] += np.where(X[:, 0] > 4, -1, 1)
    first = ostrya.solve(X, costs=costs, max_depth=2, leaf_penalty=0.01)
    order = rng.permutation(300)
    second = ostrya.solve(X[order], costs=costs[order], max_depth=2, leaf_penalty=0.01)
    assert first.objective == second.objective
    assert first.tree.feature.tolist() == second.tree.feature.tolist()
    shift = rng.integers(-3, 4, (300, 1))
    third = ostrya.solve(X, costs=costs + shift, max_depth=2, leaf_penalty=0.01)
    assert third.objective == pytest.approx(first.objective + shift.mean(), abs=1e-12)


def test_a_checkpoint_belongs_to_its_costs(tmp_path):
    rng = np.random.default_rng(2)
    X, costs = rng.integers(0, 5, (100, 3)), rng.integers(0, 9, (100, 3))
    file = tmp_path / "search"
    first = ostrya.solve(X, costs=costs, max_depth=2, checkpoint=file)
    again = ostrya.solve(X, costs=costs, max_depth=2, checkpoint=file)
    assert again.objective == first.objective
    costs[0, 0] += 1
    with pytest.raises(ValueError, match="cannot be resumed"):
        ostrya.solve(X, costs=costs, max_depth=2, checkpoint=file)


X, COSTS = [[0.0], [1.0]], [[0.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": [0, 1]}, "y cannot be combined with costs"),
        ({"cost_matrix": [[0, 1], [1, 0]]}, "cost_matrix cannot be combined"),
        ({"class_weight": {0: 2}}, "class_weight cannot be combined"),
        ({"objective": "f1"}, "objective cannot be combined"),
        ({"top_k": TopKSplits(k=2)}, "top_k cannot be combined with costs per row"),
        ({"reference_labels": [0, 1]}, "reference_labels cannot be combined"),
        ({"engine": "leaf_sets"}, "engine cannot be combined"),
        ({"costs": [0, 1]}, "costs must have 2 dimensions"),
        ({"costs": [[0, 1]]}, r"one row per row of X \(2\); got 1"),
        ({"costs": np.zeros((2, 0))}, "at least one column"),
        ({"costs": [[0, np.nan], [1, 0]]}, r"finite numbers; got nan at costs\[0, 1\]"),
        ({"costs": [[0, 1e200], [1, 0]]}, "at most 1e\\+100"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ostrya.solve(X, **{"costs": COSTS, **arguments})


def test_without_costs_there_must_be_labels():
    message = r"y must contain integer class codes.*pass costs"
    with pytest.raises(TypeError, match=message):
        ostrya.solve(X)


def test_equal_costs_give_a_single_leaf():
    outcome = ostrya.solve([[0], [1]], costs=[[2.5, 2.5], [1, 1]], leaf_penalty=0.0)
    assert (outcome.n_leaves, outcome.objective, outcome.gap) == (1, 1.75, 0.0)
