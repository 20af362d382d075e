"""A tree of encoded columns in words of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.preprocessing import TableEncoder
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
