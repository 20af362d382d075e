"""Tree: prediction, walking, round trips, and the invariant of its arrays."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

from ostrya import Tree
from ostrya._tree_shape import BLOCK, TreeShape

NAN = float("nan")


def make_tree(**changed):
    """Return x0 <= 1.5 ? (x1 <= 0 ? class 0 : class 1) : class 2."""
    arrays = {
        "feature": [0, 1, -1, -1, -1],
        "threshold": [1.5, 0.0, NAN, NAN, NAN],
        "yes": [1, 2, -1, -1, -1],
        "no": [4, 3, -1, -1, -1],
        "label": [2, 0, 0, 1, 2],
        "value": [[3, 2, 4], [3, 2, 0], [3, 0, 0], [0, 2, 0], [0, 0, 4]],
        "n_samples": [9, 5, 3, 2, 4],
        "n_features": 2,
    }
    return Tree(**{**arrays, **changed})


def lone_leaf(value=(2.0, 6.0)):
    return Tree([-1], [NAN], [-1], [-1], [1], [value], [8], 3)


ROWS = np.array([[0.0, 0.0], [1.5, 1.0], [1.6, 0.0], [-9.0, -9.0]])


def test_counts_of_nodes_leaves_and_depth():
    tree = make_tree()
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (5, 3, 2)
    assert (tree.n_classes, tree.n_features) == (3, 2)
    assert (lone_leaf().n_leaves, lone_leaf().depth) == (1, 0)


def test_rows_on_the_threshold_answer_yes():
    assert make_tree().apply(ROWS).tolist() == [2, 3, 4, 2]
    assert make_tree().predict(ROWS).tolist() == [0, 1, 2, 0]


def test_thresholds_are_compared_in_float64():
    tree = make_tree(threshold=[0.1, 0.0, NAN, NAN, NAN])
    above = np.array([[0.1, 0.0]], dtype=np.float32)  # 0.1 rounded up
    assert tree.apply(above).tolist() == [4]


def test_probabilities_are_shares_of_the_leaf():
    tree = lone_leaf()
    assert tree.predict_proba(np.zeros((2, 3))).tolist() == [[0.25, 0.75]] * 2


def test_a_leaf_without_weight_is_sure_of_its_label():
    tree = lone_leaf(value=(0.0, 0.0))
    assert tree.predict_proba(np.zeros((1, 3))).tolist() == [[0.0, 1.0]]


def test_no_rows_give_no_predictions():
    assert make_tree().predict(ROWS[:0]).shape == (0,)
    assert make_tree().predict_proba(ROWS[:0]).shape == (0, 3)


def test_walk_is_preorder_with_depths():
    assert list(make_tree().walk()) == [(0, 0), (1, 1), (2, 2), (3, 2), (4, 1)]


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        (ROWS[:, :1], ValueError, r"X must have shape \(n_samples, 2\); got \(4, 1\)"),
        (ROWS[0], ValueError, r"X must have shape .* got \(2,\)"),
        (ROWS.astype(str), TypeError, r"X must contain real numbers; got dtype <U"),
        (ROWS * NAN, ValueError, "X must not contain NaN"),
        (np.ma.masked_less(ROWS, 0), ValueError, r"X must have no masked.*got 2"),
        (
            [[0.0, 1.0], [2.0]],
            ValueError,
            r"X must be an array whose rows have equal.*got \[\[0",
        ),
    ],
)
def test_wrong_rows_are_turned_away(rows, error, words):
    with pytest.raises(error, match=words):
        make_tree().predict(rows)


def test_a_column_never_asked_about_may_hold_nan():
    tree = lone_leaf()
    assert tree.predict(np.full((1, 3), NAN)).tolist() == [1]


def test_arrays_are_read_only_copies():
    feature = np.array([-1], dtype=np.int32)
    tree = Tree(feature, [NAN], [-1], [-1], [0], [[1.0]], [1], 1)
    feature[0] = 7
    assert tree.feature.tolist() == [-1]
    with pytest.raises(ValueError, match="read-only"):
        tree.feature[0] = 0
    with pytest.raises(AttributeError):
        tree.feature = feature


@pytest.mark.parametrize("name", [*TreeShape._fields, "label", "value", "n_samples"])
def test_arrays_cannot_be_unlocked(name):
    tree = make_tree()
    for again in (tree, pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        array = getattr(again, name)
        for view in (array, array.view(), array[:1]):
            with pytest.raises(ValueError, match="WRITEABLE"):
                view.setflags(write=True)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        assert again == tree
    columns_first = np.asfortranarray(tree.value)
    assert make_tree(value=columns_first) == tree


@pytest.mark.parametrize(
    "again",
    [
        lambda tree: pickle.loads(pickle.dumps(tree)),
        copy.deepcopy,
        lambda tree: Tree.from_dict(tree.to_dict()),
        lambda tree: Tree.from_dict(json.loads(json.dumps(tree.to_dict()))),
    ],
    ids=["pickle", "deepcopy", "dict", "JSON"],
)
@pytest.mark.parametrize("tree", [make_tree(), lone_leaf()], ids=["split", "leaf"])
def test_round_trips_give_an_equal_locked_tree(again, tree):
    twin = again(tree)
    assert twin == tree
    assert hash(twin) == hash(tree)
    assert not twin.value.flags.writeable


def test_trees_that_differ_anywhere_are_unequal():
    assert make_tree() != make_tree(label=[0, 0, 0, 1, 2])
    assert make_tree() != make_tree(n_features=3)
    assert make_tree() != "a tree"


MALFORMED = {
    "no nodes": {
        **{name: [] for name in ("feature", "threshold", "yes", "no", "label")},
        "value": np.empty((0, 2)),
        "n_samples": [],
    },
    "short label": {"label": [0]},
    "flat value": {"value": [1, 2, 3, 4, 5]},
    "a cycle": {"yes": [1, 0, -1, -1, -1]},
    "a shared child": {"no": [2, 3, -1, -1, -1]},
    "no child in range": {"no": [9, 3, -1, -1, -1]},
    "two roots": {"feature": [-1, 1, -1, -1, -1]},
    "a last node that splits": {"feature": [0, 1, -1, -1, 0]},
    "a feature too many": {"feature": [0, 2, -1, -1, -1]},
    "a feature below -1": {"feature": [0, 1, -2, -1, -1]},
    "children at a leaf": {"yes": [1, 2, 3, -1, -1]},
    "threshold at a leaf": {"threshold": [1.5, 0.0, 1.0, NAN, NAN]},
    "NaN at a split": {"threshold": [NAN, 0.0, NAN, NAN, NAN]},
    "infinite threshold": {"threshold": [np.inf, 0.0, NAN, NAN, NAN]},
    "unknown label": {"label": [2, 0, 0, 1, 3]},
    "negative weight": {"value": -np.ones((5, 3))},
    "negative rows": {"n_samples": [9, 5, 3, 2, -4]},
    "n_features as text": {"n_features": "2"},
}


@pytest.mark.parametrize("changed", MALFORMED.values(), ids=MALFORMED)
def test_malformed_arrays_are_turned_away(changed):
    with pytest.raises(ValueError, match="malformed tree"):
        make_tree(**changed)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("two roots", "in preorder"),
        ("a feature too many", "feature must be below n_features"),
        ("a feature below -1", "feature must be -1 at leaves"),
        ("children at a leaf", "yes and no must be -1"),
        ("threshold at a leaf", "threshold must be NaN at leaves"),
        ("infinite threshold", "threshold must be finite"),
        ("unknown label", r"label must lie in 0\.\.2"),
        ("negative weight", "value must be finite and >= 0"),
        ("negative rows", "n_samples must be >= 0"),
    ],
)
def test_the_rule_that_is_broken_is_named(broken, words):
    with pytest.raises(ValueError, match=words):
        make_tree(**MALFORMED[broken])


def test_more_features_than_an_engine_could_number_are_no_fault():
    assert make_tree(n_features=10**30).n_features == 10**30


def test_a_tree_cut_short_is_turned_away():
    content = make_tree().to_dict()
    for name in ("feature", "threshold", "yes", "no", "label", "value", "n_samples"):
        content[name] = content[name][:-1]
    with pytest.raises(ValueError, match="preorder"):
        Tree.from_dict(content)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"format": "other"}, "not a tree"),
        ({"version": 2}, "version 2 is not known"),
        ({"feature": ["0", "1", "-1", "-1", "-1"]}, "feature must contain integers"),
        ({"yes": [1.5, 2, -1, -1, -1]}, "yes must contain integers"),
        ({"label": None}, "label must"),
        (
            {"feature": [2**32, 1, -1, -1, -1]},
            "feature must contain integers of 4 bytes",
        ),
        ({"threshold": 3}, "threshold must be a regular list"),
        ({"value": [[1], [1, 2]]}, "value must be a regular list"),
    ],
)
def test_malformed_dicts_are_turned_away(changed, words):
    with pytest.raises(ValueError, match=words):
        Tree.from_dict({**make_tree().to_dict(), **changed})


def test_incomplete_and_foreign_content_is_turned_away():
    content = make_tree().to_dict()
    del content["label"]
    with pytest.raises(ValueError, match="label missing"):
        Tree.from_dict(content)
    with pytest.raises(ValueError, match="not a tree"):
        Tree.from_dict([1, 2])


def test_a_long_chain_is_walked_without_recursion():
    splits = 5000
    nodes = 2 * splits + 1
    node = np.arange(nodes)
    is_split = (node % 2 == 0) & (node < nodes - 1)
    tree = Tree(
        feature=np.where(is_split, 0, -1),
        threshold=np.where(is_split, node * 1.0, NAN),
        yes=np.where(is_split, node + 1, -1),
        no=np.where(is_split, node + 2, -1),
        label=np.zeros(nodes),
        value=np.ones((nodes, 1)),
        n_samples=np.ones(nodes),
        n_features=1,
    )
    assert tree.depth == splits
    assert tree.apply([[-1.0], [1e9]]).tolist() == [1, nodes - 1]


def test_words_survive_round_trips():
    words = {"questions": ("a", "b", "", "", ""), "class_names": ("x", "y", "z")}
    tree = make_tree(**words)
    assert Tree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree != make_tree()
    assert "questions" not in make_tree().to_dict()


@pytest.mark.parametrize(
    "words",
    [
        {"questions": ["one"]},
        {"questions": "abcde"},
        {"class_names": ["a", "b"]},
        {"class_names": [0, 1, 2]},
    ],
)
def test_words_of_the_wrong_number_or_kind_are_turned_away(words):
    with pytest.raises(ValueError, match=r"malformed tree: (questions|class_names)"):
        make_tree(**words)


def test_rows_past_one_block_reach_their_leaves():
    column = np.linspace(0, 3, 2 * BLOCK + 7)
    leaf = make_tree().apply(np.column_stack([column, column]))
    assert ((leaf == 4) == (column > 1.5)).all()
