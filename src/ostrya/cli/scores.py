"""Score a model on rows whose labels are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Scores = dict[str, float]


def scores_of(model: Any, rows: Any, labels: Sequence[Any]) -> Scores:
    """Return the accuracy, and the score of the objective of the model.

    Rows with a label that the model does not know count as misclassified. Scores that
    are undefined on these rows, such as an area with only one class, are omitted.

    Parameters
    ----------
    model : classifier
        A fitted classifier.
    rows : table
        Rows that the classifier accepts.
    labels : sequence
        The true label of each row.
    """
    codes = {label: code for code, label in enumerate(model.classes_.tolist())}
    true = np.array([codes.get(label, -1) for label in labels], dtype=np.intp)
    leaf = model.apply(rows)
    predicted = model.tree_.label[leaf]
    scores = {"accuracy": float(np.mean(predicted == true))}
    is_known = true >= 0
    if model.cost_matrix is not None and is_known.all():
        costs = np.asarray(model.cost_matrix, dtype=np.float64)
        scores["mean_cost"] = float(costs[true, predicted].mean())
    if len(model.classes_) == 2 or _name(model.objective) == "balanced_accuracy":
        shares = model.tree_.shares()[leaf]
        parts = true[is_known], predicted[is_known], shares[is_known]
        value = _by_objective(model, *parts)
        if value is not None:
            scores[_name(model.objective)] = value
    return scores


def _name(objective: Any) -> str:
    return str(getattr(objective, "name", objective))


def _by_objective(
    model: Any,
    true: npt.NDArray[np.intp],
    predicted: npt.NDArray[np.intp],
    shares: npt.NDArray[np.float64],
) -> float | None:
    objective = _name(model.objective)
    if objective == "balanced_accuracy":
        there = np.unique(true)
        recalls = [np.mean(predicted[true == code] == code) for code in there]
        return float(np.mean(recalls)) if len(there) else None
    positives, negatives = np.sum(true == 1), np.sum(true == 0)
    if objective not in _TWO_CLASSES or not (positives and negatives):
        return None
    if objective in ("auc", "partial_auc"):
        end = model.objective.max_fpr if objective == "partial_auc" else 1.0
        return _area(true, shares[:, 1], end)
    wrong_alarms = np.sum((predicted == 1) & (true == 0))
    overlooked = np.sum((predicted == 0) & (true == 1))
    if objective == "weighted_accuracy":
        omega = float(model.objective.omega)
        lost = wrong_alarms + omega * overlooked
        return float(1 - lost / (omega * positives + negatives))
    squared = 1.0 if objective == "f1" else float(model.objective.beta) ** 2
    found = (1 + squared) * (positives - overlooked)
    return float(found / (found + squared * overlooked + wrong_alarms))


_TWO_CLASSES = ("weighted_accuracy", "auc", "partial_auc", "f1", "f_beta")


def _area(
    true: npt.NDArray[np.intp], share: npt.NDArray[np.float64], end: float
) -> float:
    """Return the area under the ROC curve left of `end`, divided by `end`."""
    # Imported here because it is slow and rarely needed.
    from sklearn.metrics import roc_curve

    false_rates, true_rates, _ = roc_curve(true, share, drop_intermediate=False)
    # Up to the first point that is not left of the end. If the curve is vertical at the
    # end, its lower point counts.
    last = int(np.searchsorted(false_rates, end, side="left")) + 1
    height = np.interp(end, false_rates[last - 2 : last], true_rates[last - 2 : last])
    x = np.append(false_rates[: last - 1], end)
    y = np.append(true_rates[: last - 1], height)
    return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2 / end)


def in_words(scores: Scores, rows: str) -> str:
    """Return scores as a phrase; `rows` describes the rows.

    Examples
    --------
    >>> in_words({"accuracy": 0.95, "balanced_accuracy": 0.9}, "20 rows")
    '95.00% of 20 rows correct, balanced accuracy 0.9000'
    """
    first, *more = scores.items()
    told = [f"{first[1]:.2%} of {rows} correct"]
    told += [f"{name.replace('_', ' ')} {value:.4f}" for name, value in more]
    return ", ".join(told)


def mean_of(parts: Sequence[Scores]) -> Scores:
    """Return the mean of each score that all parts have."""
    names = [name for name in parts[0] if all(name in part for part in parts)]
    return {name: float(np.mean([part[name] for part in parts])) for name in names}
