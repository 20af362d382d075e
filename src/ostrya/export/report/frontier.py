"""Scores by number of leaves: of a frontier, or of a size that was cross-validated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any


def frontier_content(model: Any, frontier: Any) -> dict[str, Any] | None:
    """Return the scores of every size, and which was chosen; None: nothing is known.

    A line has scores, and how far they may go `below` and `above`.
    """
    if frontier is not None:
        if not hasattr(frontier, "points"):
            raise TypeError(
                "frontier must be what ostrya.frontier returned; got "
                f"{type(frontier).__name__}"
            )
        return _of_frontier(model, frontier)
    return _of_choice(model) if hasattr(model, "cv_results_") else None


def _of_frontier(model: Any, frontier: Any) -> dict[str, Any]:
    points = frontier.points
    n_open = sum(not point.is_optimal for point in points)
    n_leaves = model.n_leaves if hasattr(model, "n_leaves") else model.n_leaves_
    text = [
        f"The score is 1 - loss on the training rows, of the best trees of 1 to "
        f"{points[-1].max_leaves:,} leaves.",
        "Each is proved: no tree of so many leaves has a higher score."
        if not n_open
        else f"{n_open:,} of {len(points):,} sizes are not proved; whiskers go up to "
        "what their bounds allow.",
        f"This tree has {n_leaves:,}.",
    ]
    return {
        "text": text,
        "sizes": [point.max_leaves for point in points],
        "lines": [_training_line(points)],
        "chosen": n_leaves if n_leaves <= len(points) else None,
    }


def _of_choice(model: Any) -> dict[str, Any]:
    results, points = model.cv_results_, model.frontier_.points
    sizes = [int(size) for size in results["param_max_leaves"]]
    means = _numbers(results["mean_test_score"])
    spread = [error or 0.0 for error in _numbers(results["standard_error_test_score"])]
    lines = [_line("rows held out", means, spread, spread)]
    if "mean_train_score" in results:
        lines.append(_line("training rows", _numbers(results["mean_train_score"])))
    elif _is_accuracy(model):
        # Beyond the last point nothing changes.
        lines.append(_training_line([points[min(s, len(points)) - 1] for s in sizes]))
    chosen = sizes[model.best_index_]
    return {
        "text": _choice_text(model, chosen, means, any(spread)),
        "sizes": sizes,
        "lines": lines,
        "chosen": chosen,
    }


def _is_accuracy(model: Any) -> bool:
    """Whether scores on the rows held out are 1 - loss, as those of a frontier are."""
    return (
        model.scoring in (None, "accuracy")
        and model.objective == "accuracy"
        and model.class_weight is None
        and model.cost_matrix is None
    )


def _choice_text(
    model: Any, chosen: int, means: Sequence[float | None], has_spread: bool
) -> list[str]:
    """Return how the size was chosen, in sentences."""
    scored = [mean for mean in means if mean is not None]
    if not scored:
        return [
            "The fit was stopped before any rows held out were scored, so the number "
            f"of leaves, {chosen:,}, does not rest on them."
        ]
    by_rule = {
        "best": "the fewest of the highest mean score",
        "one_standard_error": "the fewest whose mean score is within one standard "
        "error of the highest",
    }
    whiskers = (
        ["Whiskers show one standard error to either side."] if has_spread else []
    )
    return [
        f"The best tree of each size was scored on the rows held out, in "
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
    """Return floats, and None where there is no number: JSON has no nan."""
    return [float(number) if math.isfinite(number) else None for number in column]
