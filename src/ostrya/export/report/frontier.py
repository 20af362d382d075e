"""Collect scores by number of leaves, from a frontier or from cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any


def frontier_content(model: Any, frontier: Any) -> dict[str, Any] | None:
    """Return the scores of every size and the chosen size, or None if unknown.

    Each line consists of scores, and of their possible deviations `below` and `above`.
    """
    if frontier is not None:
        if not hasattr(frontier, "points"):
            raise TypeError(
                "frontier must be a result of ostrya.frontier; got "
                f"{type(frontier).__name__}"
            )
        return _of_frontier(model, frontier)
    return _of_choice(model) if hasattr(model, "cv_results_") else None


def _of_frontier(model: Any, frontier: Any) -> dict[str, Any]:
    points = frontier.points
    n_open = sum(not point.is_optimal for point in points)
    n_leaves = model.n_leaves if hasattr(model, "n_leaves") else model.n_leaves_
    text = [
        "The score is 1 - loss on the training rows, for the best trees with 1 to "
        f"{points[-1].max_leaf_nodes:,} leaves.",
        "All of them are proved: no tree with as many leaves has a higher score."
        if not n_open
        else f"{n_open:,} of {len(points):,} sizes are not proved optimal; error bars "
        "show the highest score that their bounds allow.",
        f"This tree has {n_leaves:,} {'leaf' if n_leaves == 1 else 'leaves'}.",
    ]
    return {
        "text": text,
        "sizes": [point.max_leaf_nodes for point in points],
        "lines": [_training_line(points)],
        "chosen": n_leaves if n_leaves <= len(points) else None,
    }


def _of_choice(model: Any) -> dict[str, Any]:
    results, points = model.cv_results_, model.frontier_.points
    sizes = [int(size) for size in results["param_max_leaf_nodes"]]
    means = _numbers(results["mean_test_score"])
    spread = [error or 0.0 for error in _numbers(results["standard_error_test_score"])]
    lines = [_line("held-out rows", means, spread, spread)]
    if "mean_train_score" in results:
        lines.append(_line("training rows", _numbers(results["mean_train_score"])))
    elif _is_accuracy(model):
        # Larger sizes have the tree of the last point.
        lines.append(_training_line([points[min(s, len(points)) - 1] for s in sizes]))
    chosen = sizes[model.best_index_]
    return {
        "text": _choice_text(model, chosen, means, any(spread)),
        "sizes": sizes,
        "lines": lines,
        "chosen": chosen,
    }


def _is_accuracy(model: Any) -> bool:
    """Return True if held-out scores are 1 - loss, like those of a frontier."""
    return (
        model.scoring in (None, "accuracy")
        and isinstance(model.objective, str)
        and model.objective == "accuracy"
        and model.class_weight is None
        and model.cost_matrix is None
    )


def _choice_text(
    model: Any, chosen: int, means: Sequence[float | None], has_spread: bool
) -> list[str]:
    """Return sentences about how the size was chosen."""
    scored = [mean for mean in means if mean is not None]
    if not scored:
        return [
            "The fit was stopped before any held-out rows were scored, so the number "
            f"of leaves, {chosen:,}, is not based on held-out scores."
        ]
    by_rule = {
        "best": "the smallest tree with the highest mean score",
        "one_standard_error": "the smallest tree whose mean score is within one "
        "standard error of the highest",
    }
    whiskers = ["Error bars show one standard error."] if has_spread else []
    return [
        "The best tree of each size was scored on held-out rows in "
        f"{model.n_splits_:,} folds. The highest mean score is {max(scored):.4f}.",
        f"Chosen: {chosen:,} {'leaf' if chosen == 1 else 'leaves'}, "
        f"{by_rule[model.rule]}.",
        *whiskers,
    ]


def _training_line(points: Sequence[Any]) -> dict[str, Any]:
    scores = [1 - point.loss for point in points]
    return _line("training rows", scores, None, [point.gap for point in points])


def _line(
    name: str,
    scores: Sequence[float | None],
    below: Sequence[float] | None = None,
    above: Sequence[float] | None = None,
) -> dict[str, Any]:
    none = [0.0] * len(scores)
    return {
        "name": name,
        "scores": list(scores),
        "below": list(below or none),
        "above": list(above or none),
    }


def _numbers(column: Iterable[Any]) -> list[float | None]:
    """Return floats, with None for NaN, which JSON does not support."""
    return [float(number) if math.isfinite(number) else None for number in column]
