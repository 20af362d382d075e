"""Properties that every outcome must have, however its search ended."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ostrya.results import Frontier, Outcome

# An objective is a sum of floats that may be taken in another order, of weights that
# may have been rounded to a grid of at least 16 levels per mean weight.
CLOSE = 1e-9
CLOSED = (
    "optimal",
    "optimal_in_top_k",
    "optimal_to_rounding",
    "upper_bound",
    "guessed_bounds",
)
STATUSES = (*CLOSED, "time_limit", "memory_limit", "interrupted")


def assert_sound(outcome: Outcome, given: dict[str, Any]) -> None:
    """Assert that the tree obeys its limits and that everything reported is true."""
    tree = outcome.tree
    assert outcome.status in STATUSES, outcome.status
    assert outcome.n_leaves == tree.n_leaves
    _assert_within_limits(tree, given)
    assert outcome.lower_bound <= outcome.objective
    assert outcome.gap == outcome.objective - outcome.lower_bound
    if outcome.is_optimal:
        assert outcome.gap == 0.0
    penalties = outcome.leaf_penalty * outcome.n_leaves
    assert close(outcome.objective, outcome.loss + penalties)
    if given.get("objective", "accuracy") == "accuracy":
        assert close(outcome.loss, recounted_loss(tree, given)), (
            outcome.loss,
            recounted_loss(tree, given),
        )
    _assert_orderly(outcome)


def _assert_within_limits(tree: Any, given: dict[str, Any]) -> None:
    assert given.get("max_depth") is None or tree.depth <= given["max_depth"]
    assert (
        given.get("max_leaf_nodes") is None or tree.n_leaves <= given["max_leaf_nodes"]
    )
    leaves = tree.feature < 0
    reached = np.bincount(tree.apply(given["X"]), minlength=tree.n_nodes)[leaves]
    if given.get("top_k") is None and tree.n_leaves > 1:
        assert reached.min() >= given.get("min_samples_leaf", 1), reached


def _assert_orderly(outcome: Outcome) -> None:
    """Assert that the trace is monotone."""
    lowers = [point.lower_bound for point in outcome.trace]
    uppers = [point.objective for point in outcome.trace]
    assert lowers == sorted(lowers), lowers
    assert uppers == sorted(uppers, reverse=True), uppers


def recounted_loss(tree: Any, given: dict[str, Any]) -> float:
    """Return the weighted mean cost of the tree's predictions."""
    return loss_of(tree.predict(given["X"]), given)


def loss_of(predicted: Any, given: dict[str, Any]) -> float:
    """Return the weighted mean cost of predictions, one class code per row."""
    y = given["y"]
    weights = given.get("sample_weight", np.ones(len(y)))
    costs = given.get("cost_matrix")
    cost = (y != predicted).astype(float) if costs is None else costs[y, predicted]
    return math.fsum(weights * cost) / math.fsum(weights)


def close(a: float, b: float, by: float = CLOSE) -> bool:
    """Return whether two objectives differ only by rounding."""
    return math.isclose(a, b, rel_tol=by, abs_tol=by)


def assert_agree(first: Outcome, second: Outcome, by: float = CLOSE) -> None:
    """Assert that two searches of the same problem do not contradict each other."""
    assert first.lower_bound <= second.objective + by * (1 + abs(second.objective))
    assert second.lower_bound <= first.objective + by * (1 + abs(first.objective))


def assert_frontier_sound(frontier: Frontier, given: dict[str, Any]) -> None:
    """Assert that all trees obey the limits and have the reported loss."""
    for point in frontier.points:
        _assert_within_limits(point.tree, given)
        assert point.n_leaves == point.tree.n_leaves <= point.max_leaf_nodes
        assert point.lower_bound <= point.loss
        predicted = frontier.classes[point.tree.predict(given["X"])]
        assert close(point.loss, loss_of(predicted, given))


def assert_frontiers_agree(first: Frontier, second: Frontier) -> None:
    """Assert that two frontiers of a problem do not contradict each other."""
    assert first.max_leaf_nodes == second.max_leaf_nodes
    longest = max(len(first.points), len(second.points))
    for size in range(1, longest + 1):
        one, other = first.at_leaves(size), second.at_leaves(size)
        assert one.lower_bound <= other.loss + CLOSE * (1 + other.loss)
        assert other.lower_bound <= one.loss + CLOSE * (1 + one.loss)
