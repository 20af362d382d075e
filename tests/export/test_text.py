"""The drawing of a tree."""

from __future__ import annotations

import numpy as np
import pytest

from ostrya import Tree
from ostrya.export import export_rules, export_text
from test_tree import lone_leaf, make_tree


def test_drawing_with_default_names():
    assert str(make_tree()).splitlines() == [
        "x0 <= 1.5?",
        "├─ yes: x1 <= 0?",
        "│  ├─ yes: class 0   3 rows, 100% correct",
        "│  └─ no:  class 1   2 rows, 100% correct",
        "└─ no:  class 2      4 rows, 100% correct",
    ]


def test_drawing_with_given_names():
    drawing = export_text(make_tree(), ["age", "debt"], ["poor", "fair", "good"])
    assert "age <= 1.5?" in drawing
    assert "debt <= 0?" in drawing
    assert "└─ no:  good" in drawing


def test_drawing_in_the_words_of_the_tree():
    words = {"questions": ["young", "poor", "", "", ""], "class_names": list("abc")}
    tree = make_tree(**words)
    assert str(tree).splitlines()[:2] == ["young?", "├─ yes: poor?"]
    assert "└─ no:  c" in str(tree)
    assert "age <= 1.5?" in export_text(tree, ["age", "debt"])


def test_a_lone_leaf_is_one_line():
    assert str(lone_leaf()) == "class 1   8 rows, 75% correct"


def test_a_leaf_without_weight_claims_nothing():
    assert str(lone_leaf(value=(0.0, 0.0))) == "class 1   8 rows"


def test_large_counts_are_readable():
    tree = make_tree(n_samples=[1_000_009, 1_000_005, 1_000_003, 1, 4])
    assert "class 0   1,000,003 rows," in str(tree)
    assert "class 1           1 row," in str(tree)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (
            {"feature_names": ["a"]},
            r"feature_names must have one name per feature \(2\); got 1",
        ),
        (
            {"class_names": ["a"]},
            r"class_names must have one name per class \(3\); got 1",
        ),
    ],
)
def test_the_wrong_number_of_names_is_turned_away(names, words):
    with pytest.raises(ValueError, match=words):
        export_text(make_tree(), **names)


def test_one_long_rule_does_not_pad_the_others():
    n_splits = 200
    node = np.arange(2 * n_splits + 1)
    is_split = (node % 2 == 0) & (node < node[-1])
    tree = Tree(
        feature=np.where(is_split, node // 2, -1),
        threshold=np.where(is_split, 0.5, np.nan),
        yes=np.where(is_split, node + 1, -1),
        no=np.where(is_split, node + 2, -1),
        label=np.zeros_like(node),
        value=np.ones((len(node), 1)),
        n_samples=np.ones_like(node),
        n_features=n_splits,
    )
    first, *_, last = export_rules(tree).splitlines()
    assert first == f"{'if x0 <= 0.5 then class 0':200}   (1 row, 100% correct)"
    assert last.count(" and ") == n_splits - 1
