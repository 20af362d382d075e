"""Trees of a Rashomon set as data for TimberTrek, a viewer of sparse decision trees.

TimberTrek (Wang et al. 2022, IEEE VIS) knows trees of yes/no questions about two
classes. Its data have three parts: a map of the questions, the trees, and the paths to
their leaves, merged where they begin with the same questions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ostrya.export.wording import WordedTree, worded
from ostrya.tree import Tree

# The name of a column, and what is asked about it.
_QUESTION = re.compile(r"(.+?) (<= .*|= .*|in \{.*|is missing)", re.DOTALL)


def timbertrek(trees: Sequence[Tree], objectives: Sequence[float]) -> dict[str, Any]:
    """Return trees in the format of TimberTrek.

    Parameters
    ----------
    trees : sequence of Tree
        Trees with their words, of two classes.
    objectives : sequence of float
        The objective of each.

    Returns
    -------
    dict
        With ``"trie"``, ``"featureMap"`` and ``"treeMap"``; trees are numbered from 1
        and questions from 0. Trees without a question are omitted, because TimberTrek
        cannot show them.

    Raises
    ------
    ValueError
        If there are more than two classes, or no tree with a question.
    """
    if trees[0].n_classes != 2:
        raise ValueError(
            f"the trees must have two classes for TimberTrek; got {trees[0].n_classes}"
        )
    numbers: dict[str, int] = {}
    features: dict[int, list[str]] = {}
    trie: dict[str, Any] = {"f": "root", "c": []}
    listed: dict[int, list[Any]] = {}
    for tree, objective in zip(trees, objectives, strict=True):
        if tree.n_leaves == 1:
            continue
        words = worded(tree, None, None, None)
        for node in range(tree.n_nodes):
            if not words.is_leaf(node):
                _number(words, node, numbers, features)
        place = len(listed) + 1
        right = sum(_right(tree, node) for node in _leaves(words))
        listed[place] = [
            _hierarchy(words, 0, numbers),
            objective,
            round(right / float(tree.value[0].sum()), 5),
        ]
        for path in dict.fromkeys(_paths(words, numbers)):
            _add_path(trie, path, place)
    if not listed:
        raise ValueError(
            "the set must contain a tree with at least one question; got only a "
            "single leaf. Increase epsilon or decrease leaf_penalty"
        )
    return {"trie": trie, "featureMap": features, "treeMap": listed}


def _number(
    words: WordedTree,
    node: int,
    numbers: dict[str, int],
    features: dict[int, list[str]],
) -> None:
    """Give the question of a node a number, if it has none."""
    question = words.whole_question(node)
    if question not in numbers:
        numbers[question] = len(numbers)
        found = _QUESTION.fullmatch(question)
        name, condition = found.groups() if found else (question, "")
        features[numbers[question]] = [name, condition, words.question(node)]


def _leaves(words: WordedTree) -> list[int]:
    return [node for node in range(words.tree.n_nodes) if words.is_leaf(node)]


def _right(tree: Tree, node: int) -> float:
    return float(tree.value[node, tree.label[node]])


def _hierarchy(words: WordedTree, node: int, numbers: dict[str, int]) -> dict[str, Any]:
    """Return the subtree of a node: question or label, rows, correct rows of a leaf."""
    tree, rows = words.tree, int(words.tree.n_samples[node])
    if words.is_leaf(node):
        right = words.right(node) or 0.0
        return {"f": ["-+"[int(tree.label[node])], rows, round(rows * right)]}
    return {
        "f": [str(numbers[words.whole_question(node)]), rows, -1],
        "c": [_hierarchy(words, child, numbers) for child in words.children(node)],
    }


def _paths(words: WordedTree, numbers: dict[str, int]) -> list[tuple[str, ...]]:
    """Return the questions on the way to each leaf."""
    paths: list[tuple[str, ...]] = []
    above: list[tuple[str, ...]] = [()] * words.tree.n_nodes
    for node, _, _ in words.walk():
        if words.is_leaf(node):
            paths.append(above[node])
            continue
        asked = (*above[node], str(numbers[words.whole_question(node)]))
        for child in words.children(node):
            above[child] = asked
    return paths


def _add_path(trie: dict[str, Any], path: tuple[str, ...], place: int) -> None:
    """Add a path of a tree to the paths of all trees."""
    at = trie
    for asked in path:
        below = next((child for child in at["c"] if child["f"] == asked), None)
        if below is None:
            below = {"f": asked, "c": []}
            at["c"].append(below)
        at = below
    at["c"].append({"f": "_", "t": place})
