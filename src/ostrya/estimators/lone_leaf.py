"""Hints about trees that ask nothing, so that nobody takes them for a result."""

from __future__ import annotations

from typing import Any

import numpy as np

from ostrya._warn_caller import warn_caller
from ostrya.preprocessing.hints import names_rows
from ostrya.preprocessing.training_table import TrainingTable

# Where all but this share of the rows have one label, others are rare.
RARE = 0.1
FEWEST_ROWS = 20
# A column with so many levels has few rows of each.
MANY_LEVELS = 50


def hint_at_lone_leaf(estimator: Any, table: TrainingTable) -> None:
    """Warn where a lone leaf was to be expected, and say what would help."""
    n_rows = table.n_rows
    if estimator.tree_.n_leaves > 1 or n_rows < FEWEST_ROWS or len(table.classes) < 2:
        return
    share = 1 - np.bincount(table.codes, table.counts).max() / n_rows
    is_plain = not table.is_weighted and table.costs is None
    if share < RARE and is_plain and estimator.objective == "accuracy":
        warn_caller(
            f"The best tree is a lone leaf: all but {share:.2g} of the rows have one "
            f"label, and a leaf must get {estimator.leaf_penalty:g} of them right that "
            'would else be wrong. To find the rare classes, say objective="'
            'balanced_accuracy" or class_weight, or lower leaf_penalty'
        )
        return
    counts = {
        feature.name: len(set(feature.levels).union(*feature.groups))
        for feature in table.encoder.features
        if feature.kind == "level"
    }
    name = max(counts, key=lambda n: counts[n], default=None)
    if name is None or names_rows(counts[name], n_rows):  # which was said already
        return
    if counts[name] >= MANY_LEVELS:
        warn_caller(
            f"The best tree is a lone leaf; column {name!r} has {counts[name]:,} "
            "levels or more, too many for questions about single ones to pay for a "
            "leaf, and too few rows of each to group them. Group them by what you know "
            "of them, or lower leaf_penalty"
        )
