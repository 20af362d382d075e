"""Trees of a Rashomon set as compact data: parts that trees share are stored once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.export.text import leaf_rules
from ostrya.export.wording import WordedTree, worded
from ostrya.tree import Tree


class _Shared:
    """Distinct items in order of first appearance."""

    def __init__(self) -> None:
        self.items: list[dict[str, Any]] = []
        self._places: dict[Hashable, int] = {}

    def place(self, key: Hashable, make: Callable[[], dict[str, Any]]) -> int:
        """Return the index of the item with this key, which `make` returns if new."""
        if key not in self._places:
            self._places[key] = len(self.items)
            self.items.append(make())
        return self._places[key]


class ListedTrees:
    """The trees of a page.

    Each tree is two lists in preorder, "yes" before "no": its questions, with -1 for
    leaves, and its nodes, as indices into what all trees share.

    Parameters
    ----------
    trees : sequence of Tree
        With their words.
    places : sequence of int
        Of each tree in the set.
    objectives : sequence of float
        Of each tree.
    source : ndarray of intp
        The column of the table behind each column of the trees.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        places: Sequence[int],
        objectives: Sequence[float],
        source: npt.NDArray[np.intp],
    ) -> None:
        self._source = source
        self._questions, self._nodes = _Shared(), _Shared()
        self._trees = [
            {
                # Places may be too large for the numbers of a browser.
                "place": str(place),
                "objective": objective,
                "leaves": tree.n_leaves,
                "depth": tree.depth,
                "right": _accuracy(tree),
                "questions": [self._question(words, node) for node in order],
                "nodes": [self._node(words, node, rules) for node in order],
            }
            for tree, place, objective in zip(trees, places, objectives, strict=True)
            for words in [worded(tree, None, None, None)]
            for order in [[node for node, _, _ in words.walk()]]
            for rules in [dict(leaf_rules(words))]
        ]

    def content(self) -> dict[str, Any]:
        """Return the trees and what they share as JSON data."""
        return {
            "trees": self._trees,
            "questions": self._questions.items,
            "cells": self._nodes.items,
        }

    def _question(self, words: WordedTree, node: int) -> int:
        if words.is_leaf(node):
            return -1
        texts = words.whole_question(node), words.whole_denial(node)
        return self._questions.place(
            texts,
            lambda: {
                "question": f"{words.question(node)}?",
                "whole_question": texts[0],
                "answers": list(words.answers(node)),
                "feature": int(self._source[words.tree.feature[node]]),
            },
        )

    def _node(self, words: WordedTree, node: int, rules: dict[int, str]) -> int:
        tree = words.tree
        told = {
            "label": int(tree.label[node]),
            "rows": int(tree.n_samples[node]),
            "shares": words.shares(node).tolist(),
        }
        key = (*told.values(), rules.get(node))
        return self._nodes.place(
            (key[0], key[1], tree.value[node].tobytes(), key[3]),
            lambda: (
                {
                    **told,
                    "rule": rules[node],
                    "intervals": tree.intervals()[node].tolist(),
                }
                if node in rules
                else told
            ),
        )


def _accuracy(tree: Tree) -> float:
    """Return the share of the training weight that is correctly classified."""
    leaf = np.flatnonzero(tree.feature < 0)
    return float(tree.value[leaf, tree.label[leaf]].sum() / tree.value[0].sum())
