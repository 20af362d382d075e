"""Report the number of leaves chosen by cross-validation, as text and as data."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.cli.hold_out import folds_of_rows
from ostrya.cli.validation import Report, Rows
from ostrya.results.outcome import is_stopped

Places = npt.NDArray[np.intp]


def fold_places(rows: Rows, n_folds: int) -> list[tuple[Places, Places]]:
    """Return training rows and held-out rows of each fold, or raise."""
    fold = folds_of_rows(rows.codes, n_folds)
    return [
        (np.flatnonzero(fold != number), np.flatnonzero(fold == number))
        for number in range(n_folds)
    ]


def told_choice(model: Any) -> str:
    """Return a text table of sizes, proofs, scores and the choice."""
    results = model.cv_results_
    told = ["leaves      loss  proved         held-out score   training      CART"]
    kinds = ("mean_train_score", "mean_cart_test_score")
    for place, size in enumerate(results["param_max_leaf_nodes"].tolist()):
        point = _point(model, size)
        proved = "yes" if point.is_optimal else f"within {point.gap:.4f}"
        score = results["mean_test_score"][place]
        error = results["standard_error_test_score"][place]
        training, cart = (_number(results[kind][place]) for kind in kinds)
        chosen = "  <- chosen" if place == model.best_index_ else ""
        told.append(
            f"{size:>6}  {point.loss:>8.4f}  {proved:<13}  {_number(score)} ± "
            f"{_number(error)}  {training:>8}  {cart:>8}{chosen}"
        )
    told.append(f"{_sentence(model)}.")
    return "\n".join(told)


def choice_numbers(model: Any) -> dict[str, Any]:
    """Return the same as plain data; missing scores are None."""
    results = model.cv_results_
    kinds = {
        "score": "mean_test_score",
        "standard_error": "standard_error_test_score",
        "training_score": "mean_train_score",
        "cart_score": "mean_cart_test_score",
    }
    sizes = []
    for place, size in enumerate(results["param_max_leaf_nodes"].tolist()):
        point = _point(model, size)
        scores = {
            name: _known(results[column][place])
            for name, column in kinds.items()
            if column in results
        }
        bounds = {"lower_bound": point.lower_bound, "proved": point.is_optimal}
        sizes.append({"max_leaf_nodes": size, "loss": point.loss, **bounds, **scores})
    intervals = [
        {
            "n_leaves": each.n_leaves,
            "least_penalty": each.least_penalty,
            "most_penalty": _known(each.most_penalty),
            "proved": each.is_optimal,
        }
        for each in model.frontier_.hull
    ]
    return {
        "status": model.status_,
        "chosen": model.best_params_["max_leaf_nodes"],
        "n_folds": model.n_splits_,
        "fold_statuses": model.fold_statuses_,
        "sizes": sizes,
        "penalties": intervals,
    }


def choice_report(model: Any, rows: Rows) -> Report:
    """Return the report of ``fit --cv``: the choice and its held-out scores."""
    place = model.best_index_
    scores = [
        model.cv_results_[f"split{number}_test_score"][place]
        for number in range(model.n_splits_)
    ]
    folds = [
        {
            "n_rows": len(held_out),
            "status": status,
            "accuracy": _known(score),
        }
        for (_, held_out), status, score in zip(
            model.cv, model.fold_statuses_, scores, strict=True
        )
    ]
    scored = [score for score in scores if not np.isnan(score)]
    found = None
    if scored:
        found = {
            "n_folds": model.n_splits_,
            "accuracy": float(np.mean(scored)),
            "accuracy_std": float(np.std(scored)),
            "folds": folds,
        }
    numbers = {"chosen_leaves": model.best_params_["max_leaf_nodes"]}
    return Report([_sentence(model)], {**numbers, "cross_validation": found})


def _sentence(model: Any) -> str:
    size = model.best_params_["max_leaf_nodes"]
    leaves = "1 leaf" if size == 1 else f"{size} leaves"
    if np.isnan(model.best_score_):
        return f"At most {leaves}: stopped before any fold was scored"
    place = model.best_index_
    error = model.cv_results_["standard_error_test_score"][place]
    told = (
        f"At most {leaves}, chosen by {model.n_splits_} folds: "
        f"{model.best_score_:.2%} of held-out rows correct (standard error {error:.2%})"
    )
    n_open = sum(map(is_stopped, model.fold_statuses_))
    if n_open:
        told = f"{told}; {n_open} of the folds stopped before a proof"
    return told


def _point(model: Any, size: int) -> Any:
    """Return the best tree of all rows with at most `size` leaves."""
    return model.frontier_.at_leaves(min(size, model.frontier_.max_leaf_nodes))


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4f}"


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
