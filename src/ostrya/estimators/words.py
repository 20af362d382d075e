"""A tree of encoded columns in words of the table, with thresholds of few digits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.features import short_between
from ostrya.tree import Tree


def in_words(tree: Tree, encoder: TableEncoder, classes: npt.NDArray[Any]) -> Tree:
    """Return `tree` with its questions, their denials and its class names."""
    questions, denials = [""] * tree.n_nodes, [""] * tree.n_nodes
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        asked = int(tree.feature[node]), float(tree.threshold[node])
        questions[node], denials[node] = (
            encoder.question(*asked),
            encoder.denial(*asked),
        )
    return replace(
        tree,
        questions=tuple(questions),
        denials=tuple(denials),
        class_names=tuple(str(label) for label in classes.tolist()),
    )


def with_short_thresholds(
    tree: Tree, searched: npt.NDArray[np.float64], matrix: npt.NDArray[np.float64]
) -> Tree:
    """Return `tree`, found over the columns `searched`, as one over `matrix`.

    A threshold may lie anywhere between its neighbours among the training values
    without any training row changing sides: it gets as few digits as that allows, so
    that words say exactly what is asked. This is the one place where thresholds of
    fitted trees are decided, whether all values were searched or only intervals
    between guessed thresholds.
    """
    threshold = tree.threshold.copy()
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        column = int(tree.feature[node])
        is_yes = searched[:, column] <= tree.threshold[node]
        values = matrix[:, column]
        threshold[node] = short_between(values[is_yes].max(), values[~is_yes].min())
    return replace(tree, threshold=threshold)
