"""Rows routed by compiled code: where a plain walk leads, however they are stored."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from export.trees import trees
from ostrya import Tree
from ostrya._core import Router
from ostrya._tree_shape import BLOCK, RowRouter, TreeShape
from ostrya.estimators.words import with_short_thresholds
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.digits import short_between

LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "every other row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every other column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "float32": lambda X: X.astype(np.float32),
    "other byte order": lambda X: X.astype(X.dtype.newbyteorder()),
    "int8": lambda X: X.astype(np.int8),
    "unaligned": lambda X: _unaligned(X),
}


def _unaligned(X):
    buffer = np.zeros(X.nbytes + 1, dtype=np.uint8)
    moved = np.frombuffer(buffer.data, X.dtype, offset=1, count=X.size).reshape(X.shape)
    moved[:] = X
    return moved


def walk(tree, row):
    node = 0
    while tree.feature[node] >= 0:
        is_yes = row[tree.feature[node]] <= tree.threshold[node]
        node = int((tree.yes if is_yes else tree.no)[node])
    return node


def chain(n_splits):
    """Return a tree whose every no child asks again, whether x0 is at most the next."""
    n_nodes = 2 * n_splits + 1
    node = np.arange(n_nodes)
    is_split = (node % 2 == 0) & (node < n_nodes - 1)
    return Tree(
        feature=np.where(is_split, 0, -1),
        threshold=np.where(is_split, node // 2 + 0.5, np.nan),
        yes=np.where(is_split, node + 1, -1),
        no=np.where(is_split, node + 2, -1),
        label=node % 2,
        value=np.ones((n_nodes, 2)),
        n_samples=np.ones(n_nodes),
        n_features=1,
    )


@given(trees(most_leaves=30), st.sampled_from(sorted(LAYOUTS)), st.integers(0, 40))
def test_rows_reach_the_leaf_of_a_plain_walk(tree, layout, n_rows):
    chance = np.random.default_rng(n_rows)
    X = LAYOUTS[layout](chance.normal(size=(n_rows, tree.n_features)) * 2)
    assert tree.apply(X).tolist() == [walk(tree, row) for row in X.astype(float)]


def test_parts_of_many_rows_are_put_together():
    tree = chain(3)
    X = np.arange(BLOCK + 5)[:, None] % 4.0
    assert tree.apply(X).tolist() == [[1, 3, 5, 6][int(x)] for x in X[:, 0]]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_nan_is_turned_away_where_it_is_asked_about(dtype):
    one = chain(1)
    names = ("feature", "threshold", "yes", "no", "label", "value", "n_samples")
    wide = Tree(**{name: getattr(one, name) for name in names}, n_features=2)
    X = np.array([[1.0, np.nan], [2.0, 0.0]], dtype=dtype)
    assert wide.apply(X).tolist() == [2, 2]
    with pytest.raises(ValueError, match="NaN in columns that the tree uses"):
        wide.apply(X[:, ::-1])


def test_arrays_that_are_no_tree_are_turned_away():
    feature, threshold = np.array([0, -1, -1], np.int32), np.array([0.5, 0, 0])
    ends = np.array([1, -1, -1], np.int32)
    for no in (0, 3, -1):
        with pytest.raises(ValueError, match="after their parent"):
            Router(feature, threshold, ends, np.array([no, -1, -1], np.int32))
    router = Router(feature, threshold, ends, np.array([2, -1, -1], np.int32))
    with pytest.raises(ValueError, match="X must have all columns"):
        router.find_leaves(np.zeros((3, 0)), True)


@given(trees(most_leaves=30))
def test_numbers_of_leaves_add_up(tree):
    shape = TreeShape(**tree.shape)
    of_leaves = np.where(shape.is_leaf, np.arange(tree.n_nodes) + 0.5, -1.0)
    sums = shape.add_up(of_leaves)
    for node, depth in tree.walk():
        below = [n for n in range(tree.n_nodes) if _is_below(tree, node, n)]
        assert sums[node] == sum(of_leaves[n] for n in below if shape.is_leaf[n])
        assert depth == sum(_is_below(tree, n, node) for n in range(tree.n_nodes)) - 1


def _is_below(tree, ancestor, node):
    """Tell whether a node is an ancestor of another, or the same."""
    if ancestor == node:
        return True
    return tree.feature[ancestor] >= 0 and any(
        _is_below(tree, int(child), node)
        for child in (tree.yes[ancestor], tree.no[ancestor])
    )


@given(trees(most_leaves=12), st.integers(0, 2**32 - 1))
def test_thresholds_become_short_as_one_by_one(tree, seed):
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(60, tree.n_features)) * 3
    X[0], X[1] = -50.0, 50.0  # every threshold has rows on both sides
    short = with_short_thresholds(tree, X, X, TableEncoder(X))
    for node in np.flatnonzero(tree.feature >= 0):
        column, cut = X[:, tree.feature[node]], tree.threshold[node]
        expected = short_between(
            column[column <= cut].max(), column[column > cut].min()
        )
        assert short.threshold[node] == expected


@pytest.mark.parametrize("n_rows", [1, 255, 257, BLOCK, BLOCK + 9])
def test_rows_are_counted_where_their_leaves_are(n_rows):
    tree = chain(5)
    chance = np.random.default_rng(n_rows)
    X = chance.integers(0, 7, (n_rows, 1)).astype(float)
    codes = chance.integers(0, 3, n_rows).astype(np.int32)
    router = RowRouter(TreeShape(**tree.shape))
    of_leaves = np.zeros((tree.n_nodes, 3))
    np.add.at(of_leaves, (tree.apply(X), codes), 1)
    counts = router.count(X, codes, 3)
    assert (counts == router.add_up(of_leaves)).all()
    assert counts[0].sum() == n_rows


@pytest.mark.parametrize("code", [-1, 3])
def test_a_code_that_is_no_class_is_not_counted(code):
    router = RowRouter(TreeShape(**chain(2).shape))
    with pytest.raises(ValueError, match="no class"):
        router.count(np.zeros((1, 1)), np.array([code], dtype=np.int32), 3)
