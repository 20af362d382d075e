"""A hint for trees with a single leaf: why there is no split, and what to change."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ostrya._arguments import is_number
from ostrya._coded_matrix import cells_of
from ostrya._warn_caller import warn_caller
from ostrya.preprocessing.hints import names_rows
from ostrya.preprocessing.training_table import TrainingTable

# Classes are imbalanced if the rarest has less than this part of an equal share.
RARE = 0.8
# A column with at least so many levels has few rows of each.
MANY_LEVELS = 50
MOST_LETTERS = 40
CONSTRAINTS = ("monotonic_cst", "interaction_cst")


class Reason(NamedTuple):
    """Why a tree has no split, and what to change, as two parts of a sentence."""

    why: str
    remedy: str


def hint_at_single_leaf(estimator: Any, table: TrainingTable) -> None:
    """Warn if the tree is a single leaf, unless the limits allow nothing else."""
    if estimator.tree_.n_leaves > 1 or _is_limited(estimator):
        return
    if any(getattr(estimator, name, None) is not None for name in CONSTRAINTS):
        return  # the reasons below are those of a search over all trees
    reasons = (
        _one_class,
        _constant_columns,
        _too_few_rows,
        _penalty_above_any_loss,
        _no_split_pays,
    )
    why, remedy = next(filter(None, (find(estimator, table) for find in reasons)))
    warn_caller(
        f"The tree is a single leaf that predicts {_label(estimator)} for every row, "
        f"because {why}. To change this, {remedy}."
    )


def hint_at_chosen_leaf(estimator: Any) -> None:
    """Warn if cross-validation chose a single leaf over larger trees."""
    if estimator.tree_.n_leaves > 1 or _is_limited(estimator):
        return
    if len(estimator.classes_) == 1:
        why, remedy = _only_class()
    else:
        why = "no larger tree scored better on the held-out rows"
        remedy = 'set scoring and objective to "balanced_accuracy" if a class is rare'
        if estimator.rule == "one_standard_error":
            why += " by more than one standard error"
            remedy += ', or set rule="best"'
        else:
            remedy += ", or add columns that are related to y"
    warn_caller(
        f"The tree is a single leaf that predicts {_label(estimator)} for every row, "
        f"because {why}. To change this, {remedy}."
    )


def _is_limited(estimator: Any) -> bool:
    """Return whether the limits allow a single leaf only, as the caller wanted."""
    return bool(estimator.max_leaf_nodes == 1 or estimator.max_depth == 0)


def _label(estimator: Any) -> str:
    shown = repr(estimator.classes_[estimator.tree_.label[:1]].tolist()[0])
    return shown if len(shown) <= MOST_LETTERS else f"{shown[: MOST_LETTERS - 3]}..."


def _only_class() -> Reason:
    return Reason(
        "y contains no other class", "check y, or add training rows of other classes"
    )


def _one_class(estimator: Any, table: TrainingTable) -> Reason | None:
    return _only_class() if len(table.classes) == 1 else None


def _constant_columns(estimator: Any, table: TrainingTable) -> Reason | None:
    cells = cells_of(table.matrix)
    if cells.shape[1] and (cells.min(axis=0) < cells.max(axis=0)).any():
        return None
    return Reason(
        "no column of X can split the training rows",
        "add columns whose values differ between rows",
    )


def _too_few_rows(estimator: Any, table: TrainingTable) -> Reason | None:
    fewest = estimator.min_samples_leaf
    if table.n_rows >= 2 * fewest:
        return None
    return Reason(
        f"min_samples_leaf={fewest} requires {2 * fewest:,} rows for a split and there "
        f"are {table.n_rows:,}",
        "set a smaller min_samples_leaf, or add rows",
    )


def _penalty_above_any_loss(estimator: Any, table: TrainingTable) -> Reason | None:
    largest = 1.0 if table.costs is None else float(table.costs.max())
    is_auto = isinstance(estimator.leaf_penalty, str)
    if is_auto or callable(estimator.objective) or estimator.leaf_penalty_ < largest:
        return None
    return Reason(
        f"leaf_penalty={estimator.leaf_penalty_:g} is not below the largest possible "
        f"loss, {largest:g}, so no second leaf can pay for itself",
        f'set leaf_penalty="auto", or a much smaller number such as {0.01 * largest:g}',
    )


def _no_split_pays(estimator: Any, table: TrainingTable) -> Reason:
    is_plain = (
        isinstance(estimator.objective, str)
        and estimator.objective == "accuracy"
        and not table.is_weighted
        and table.costs is None
    )
    counts = np.bincount(table.codes, table.counts)
    correct = f"this is correct for {counts.max() / table.n_rows:.1%} of them and "
    why = f"{correct if is_plain else ''}{_missing_gain(estimator, table, is_plain)}"
    remedies = []
    if is_plain and counts.min() < RARE * table.n_rows / len(counts):
        remedies.append(
            'set objective="balanced_accuracy" or class_weight="balanced", so that '
            "rarer classes count as much as the others"
        )
    elif (column := _column_of_many_levels(table)) is not None:
        remedies.append(f"group the many levels of column {column!r}")
    if estimator.leaf_penalty_ > 0:
        lower = max(estimator.leaf_penalty_ / 10, 1 / table.n_rows)
        remedies.append(f"decrease leaf_penalty, for example to {lower:.1g}")
    if is_number(estimator.max_depth):
        remedies.append("increase max_depth")
    if len(remedies) < 2:
        remedies.append("add columns that are related to y")
    return Reason(why, ", or ".join(remedies))


def _missing_gain(estimator: Any, table: TrainingTable, is_plain: bool) -> str:
    """Return what no tree within the limits achieves."""
    penalty, depth = estimator.leaf_penalty_, estimator.max_depth
    tree = f"no tree within max_depth={depth}" if is_number(depth) else "no tree"
    if penalty == 0:
        return f"{tree} has a loss below {estimator.loss_:.3g}"
    given = '"auto"' if isinstance(estimator.leaf_penalty, str) else f"{penalty:g}"
    required = f"per additional leaf that leaf_penalty={given} requires"
    if is_plain:
        # Rounded first, because 0.07 * 100 is slightly more than 7.
        rows = math.ceil(round(penalty * table.n_rows, 6))
        return f"{tree} corrects the {rows:,} rows {required}"
    loss = f"lowers the loss of {estimator.loss_:.3g} by the {penalty:.3g}"
    return f"{tree} {loss} {required}"


def _column_of_many_levels(table: TrainingTable) -> str | None:
    """Return the column with the most levels if these are many, but not row names."""
    counts = {
        feature.name: len(set(feature.levels).union(*feature.groups))
        for feature in table.encoder.features
        if feature.kind == "level"
    }
    name = max(counts, key=lambda n: counts[n], default=None)
    if name is None or counts[name] < MANY_LEVELS:
        return None
    # Columns that name rows got a warning of their own.
    return None if names_rows(counts[name], table.n_rows) else name
