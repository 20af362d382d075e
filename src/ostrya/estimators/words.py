"""A tree of encoded columns in words of the table, with thresholds of few digits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._coded_matrix import Matrix
from ostrya._condition import IsMissing, if_known, is_or_missing
from ostrya.preprocessing import TableEncoder
from ostrya.tree import Tree


def in_words(tree: Tree, encoder: TableEncoder, classes: npt.NDArray[Any]) -> Tree:
    """Return `tree` with its questions, their denials and its class names."""
    questions, denials = [""] * tree.n_nodes, [""] * tree.n_nodes
    for column, nodes in _splits_by_column(tree):
        words = encoder.wordings(column, tree.threshold[nodes].tolist())
        for node, question, denial in zip(nodes.tolist(), *words, strict=True):
            questions[node], denials[node] = question, denial
    for node in _splits_without_missing(tree, encoder):
        if is_or_missing(denials[node]):
            denials[node] = if_known(denials[node])
    return replace(
        tree,
        questions=tuple(questions),
        denials=tuple(denials),
        class_names=tuple(str(label) for label in classes.tolist()),
    )


def _splits_without_missing(tree: Tree, encoder: TableEncoder) -> Iterator[int]:
    """Yield each split that no row reaches whose value of its column is missing.

    A missing value answers yes to "is missing" and no to every other question, so that
    a split above on the same column may send it elsewhere.
    """
    # The columns of the table that have a value in every row of a node.
    waiting: list[tuple[int, frozenset[int]]] = [(0, frozenset())]
    while waiting:
        node, known = waiting.pop()
        column = int(tree.feature[node])
        if column < 0:
            continue
        source = int(encoder.source[column])
        if source in known:
            yield node
        asked = encoder.condition(column, float(tree.threshold[node]))
        never_missing = known | {source}
        yes, no = int(tree.yes[node]), int(tree.no[node])
        if isinstance(asked, IsMissing):
            waiting += [(yes, known), (no, never_missing)]
        else:
            waiting += [(yes, never_missing), (no, known)]


def with_short_thresholds(
    tree: Tree,
    searched: Matrix,
    matrix: Matrix,
    encoder: TableEncoder,
    least: Matrix | None = None,
) -> Tree:
    """Return `tree`, found over the columns `searched`, as one over `matrix`.

    A threshold may lie anywhere between its neighbours among the training values
    without any training row changing sides: it gets as few digits as that allows, so
    that words say exactly what is asked. This is the one place where thresholds of
    fitted trees are decided, whether all values were searched or only intervals
    between guessed thresholds. Where a row stands for several, `matrix` has their
    largest values and `least` the least ones.
    """
    threshold = tree.threshold.copy()
    for column, nodes in _splits_by_column(tree):
        cuts, place = np.unique(tree.threshold[nodes], return_inverse=True)
        short = short_thresholds(column, cuts, searched, matrix, encoder, least)
        threshold[nodes] = short[place.reshape(-1)]
    return replace(tree, threshold=threshold)


def short_thresholds(
    column: int,
    cuts: npt.NDArray[np.float64],
    searched: Matrix,
    matrix: Matrix,
    encoder: TableEncoder,
    least: Matrix | None = None,
) -> npt.NDArray[np.float64]:
    """Return ascending thresholds of one column with as few digits as they need."""
    least = matrix if least is None else least
    ends = matrix[:, column], least[:, column]
    below, above = _neighbours(cuts, searched[:, column], *ends)
    return encoder.short_between(column, below, above)


def _splits_by_column(tree: Tree) -> Iterator[tuple[int, npt.NDArray[np.intp]]]:
    """Yield each column that is asked about, and the nodes that ask."""
    order = np.argsort(tree.feature, kind="stable")
    ends = np.flatnonzero(np.diff(tree.feature[order])) + 1
    for nodes in np.split(order, ends)[1:]:  # the leaves come first
        yield int(tree.feature[nodes[0]]), nodes


def _neighbours(
    cuts: npt.NDArray[np.float64],
    searched: npt.NDArray[np.float64],
    largest: npt.NDArray[np.float64],
    smallest: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return, for each of the ascending cuts, the values of rows next to it.

    They are the largest value of the rows searched as at most the cut, and the least
    of the others. All rows are looked at once, however many cuts there are.
    """
    place = np.searchsorted(cuts, searched, side="left")  # cuts[:place] < searched
    most = np.full(len(cuts) + 1, -np.inf)
    least = np.full(len(cuts) + 1, np.inf)
    np.maximum.at(most, place, largest)
    np.minimum.at(least, place, smallest)
    below = np.maximum.accumulate(most)[:-1]
    above = np.minimum.accumulate(least[::-1])[::-1][1:]
    return below, above
