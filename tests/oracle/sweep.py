"""The optimum of a shallow tree on more rows.

The last split is found by moving one row after the other from `no` to `yes` and
keeping both sides' losses, so the work is n * columns instead of its square. The
number of leaves is not limited here.
"""

from __future__ import annotations

from oracle.costs import leaf_cost


def sweep_optimum(problem, depth=None):
    """The least cost of any tree of at most this depth (the problem's by default)."""
    depth = problem.max_depth if depth is None else depth
    assert depth is not None
    assert problem.max_leaf_nodes is None
    losses = [
        [problem.scale * weight * cost for cost in problem.costs[label]]
        for label, weight in zip(problem.labels, problem.weights, strict=True)
    ]
    return _best_cost(problem, losses, problem.all_rows, depth)


def _best_cost(problem, losses, rows, depth):
    best = leaf_cost(problem, rows)
    if depth == 0:
        return best
    for feature in range(problem.n_features):
        best = min(best, _best_split_cost(problem, losses, rows, (feature, depth)))
    return best


def _best_split_cost(problem, losses, rows, question):
    feature, depth = question
    ordered = sorted(rows, key=lambda i: problem.rows[i][feature])
    yes, no = [0] * problem.n_classes, [0] * problem.n_classes
    for i in ordered:
        no = [a + b for a, b in zip(no, losses[i], strict=True)]
    best = float("inf")
    for size, i in enumerate(ordered[:-1], start=1):
        yes = [a + b for a, b in zip(yes, losses[i], strict=True)]
        no = [a - b for a, b in zip(no, losses[i], strict=True)]
        if problem.rows[i][feature] == problem.rows[ordered[size]][feature]:
            continue
        if min(size, len(ordered) - size) < problem.min_samples_leaf:
            continue
        if depth == 1:
            cost = min(yes) + min(no) + 2 * problem.penalty
        else:
            cost = _best_cost(problem, losses, ordered[:size], depth - 1)
            cost += _best_cost(problem, losses, ordered[size:], depth - 1)
        best = min(best, cost)
    return best
