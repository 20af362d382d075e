"""What a Rashomon set prints and writes, without a browser."""

from __future__ import annotations

import copy
import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest

from known.test_known_optima import load
from ostrya import RashomonSet
from ostrya.estimators.set_report import objective_bins, places_to_list


@pytest.fixture(scope="module")
def compas():
    X, y = load("compas_binary12")
    return RashomonSet(leaf_penalty=0.005, max_depth=4).fit(X, y), X, y


def content(trees, path, *args, **options):
    trees.report(path, *args, **options)
    source = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="content">(.*?)</script>', source, re.DOTALL)[1])


def rebuilt(told, tree):
    """Return the nodes of a listed tree as (question, label, rows)."""
    nodes = zip(tree["questions"], tree["nodes"], strict=True)
    return [
        (
            None if asked < 0 else told["questions"][asked]["whole_question"],
            told["cells"][place]["label"],
            told["cells"][place]["rows"],
        )
        for asked, place in nodes
    ]


def test_the_page_lists_trees_of_the_set_at_their_places(compas, tmp_path):
    trees = compas[0]
    told = content(trees, tmp_path / "set.html", max_trees=60)
    assert told["total"] == "492,035"
    assert len(told["trees"]) == 60
    for listed in told["trees"]:
        tree = trees[int(listed["place"])]
        assert listed["objective"] == trees.objective(int(listed["place"]))
        assert (listed["leaves"], listed["depth"]) == (tree.n_leaves, tree.depth)
        expected = [
            (tree.questions[node] or None, int(tree.label[node]), tree.n_samples[node])
            for node in range(tree.n_nodes)
        ]
        assert rebuilt(told, listed) == expected
    sizes = {listed["leaves"] for listed in told["trees"]}
    assert sizes == set(trees.leaf_counts())


def test_shares_on_the_page_are_exact(compas, tmp_path):
    trees, X, _ = compas
    told = content(
        trees, tmp_path / "set.html", X.iloc[:80] if hasattr(X, "iloc") else X[:80]
    )
    counts = trees.feature_counts()
    assert {u["feature"]: u["trees"] for u in told["use"]} == {
        place: f"{count:,}" for place, count in enumerate(counts) if count
    }
    for key in ("sizes", "objectives"):
        total = sum(int(each["trees"].replace(",", "")) for each in told[key])
        assert total == trees.n_trees_
    rows = told["rows"]
    assert rows["asked"] == rows["total"] == 80
    votes = trees.vote_shares(X)
    for row in rows["table"]:
        assert row["label"] is None
        assert row["shares"] == pytest.approx(votes[row["row"]].tolist(), abs=1e-12)
    n_split = int((votes[:80].max(axis=1) < 1 - 1e-12).sum())
    assert rows["split"] == n_split > 0
    assert sum(row["alike"] for row in rows["table"]) <= n_split
    shown = [(*row["cells"], *row["shares"]) for row in rows["table"]]
    assert len(shown) == len(set(shown))
    X_like = np.asarray(X[:80])[:, rows["columns"]]
    for row in rows["table"]:
        same = (X_like == X_like[row["row"]]).all(axis=1)
        same &= np.isclose(votes[:80], votes[row["row"]], atol=1e-9).all(axis=1)
        assert row["alike"] == same.sum()


def test_a_sample_of_many_rows_votes(compas, tmp_path, monkeypatch):
    monkeypatch.setattr("ostrya.estimators.set_report.VOTE_SECONDS", 0.0)
    rows = content(compas[0], tmp_path / "set.html", max_trees=3)["rows"]
    assert rows["asked"] == 64
    assert rows["total"] == len(compas[2])
    assert sum(each["rows"] for each in rows["bins"]) == 64


def test_cells_of_every_kind_are_shown_as_they_are(tmp_path):
    chance = np.random.default_rng(1)
    n = 120
    X = pd.DataFrame(
        {
            "day": pd.Timestamp("2024-03-01")
            + pd.to_timedelta(chance.integers(0, 3, n), "D"),
            "wait": pd.to_timedelta(chance.integers(1, 4, n), "h"),
            "member": chance.random(n) < 0.5,
            "city": chance.choice(["Bonn", "Kiel"], n),
            "size": pd.Categorical(
                chance.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True
            ),
            "income": np.where(chance.random(n) < 0.3, np.nan, 1.5),
        }
    )
    y = chance.integers(0, 2, n)
    trees = RashomonSet(leaf_penalty=0.005, max_depth=2, epsilon=0.3).fit(X, y)
    rows = content(trees, tmp_path / "set.html")["rows"]
    assert len(rows["columns"]) == 6
    for row in rows["table"]:
        given = X.iloc[row["row"]]
        told = dict(
            zip((X.columns[c] for c in rows["columns"]), row["cells"], strict=True)
        )
        assert told["day"] == str(given["day"].date())
        assert told["wait"] == f"{given['wait'].seconds // 3600} h"
        assert told["member"] == ("true" if given["member"] else "false")
        assert told["city"] == given["city"]
        assert told["size"] == given["size"]
        assert told["income"] == ("missing" if np.isnan(given["income"]) else "1.5")
        assert row["label"] == str(y[row["row"]])


def test_wrong_arguments_are_refused(compas, tmp_path):
    trees, X, y = compas
    path = tmp_path / "set.html"
    with pytest.raises(ValueError, match="max_trees must be an integer from 1 to"):
        trees.report(path, max_trees=0)
    with pytest.raises(ValueError, match="y must be combined with X"):
        trees.report(path, y=y)
    with pytest.raises(ValueError, match="one label per row of X: 6,907; got shape"):
        trees.report(path, X, y[:5])
    none = RashomonSet(leaf_penalty=0.1, max_objective=0.01).fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="the set contains no trees to show"):
        none.report(path)
    assert not path.exists()


def test_places_are_the_best_of_each_size():
    class Count:
        def __init__(self, n_leaves, n_trees, objective=0.0):
            self.n_leaves, self.n_trees, self.objective = n_leaves, n_trees, objective

    counts = [Count(3, 2), Count(4, 50), Count(3, 5), Count(5, 10**12)]
    assert places_to_list(counts[:3], 10**13) == list(range(57))
    few = places_to_list(counts, 21)
    assert few[:2] == [0, 1]
    assert len(few) == 21
    assert few == sorted(set(few))
    groups = np.searchsorted([2, 52, 57], few, side="right")
    assert np.bincount(groups).tolist() == [2, 7, 5, 7]
    assert places_to_list(counts, 1) == [0]
    bins = objective_bins([Count(3, 1, 0.1), Count(3, 3, 0.2)], 4)
    assert [each["trees"] for each in bins if each["share"]] == ["1", "3"]


def test_printing_a_set_begins_with_its_size(compas):
    text = str(compas[0])
    assert text.startswith("492,035 trees have an objective of at most 0.373766")
    assert "within 5% of the lowest" in text
    assert str(compas[0][0]) in text
    assert str(RashomonSet()) == "RashomonSet()"
    none = RashomonSet(leaf_penalty=0.1, max_objective=0.01).fit([[0], [1]], [0, 1])
    assert str(none) == "No tree has an objective of at most 0.01; the lowest is 0.2."


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_a_copy_is_the_same_set(compas, again):
    trees, X, _ = compas
    other = again(trees)
    assert other.n_trees_ == trees.n_trees_
    assert str(other[400_000]) == str(trees[400_000])
    assert (other.vote_shares(X[:50]) == trees.vote_shares(X[:50])).all()


def test_a_copy_of_an_incomplete_set_has_the_same_trees():
    chance = np.random.default_rng(0)
    X = chance.normal(size=(2000, 6))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + chance.normal(size=2000) > 0).astype(int)
    with pytest.warns(UserWarning, match="stopped"):
        trees = RashomonSet(leaf_penalty=0.002, max_depth=3, time_limit=0.3).fit(X, y)
    other = pickle.loads(pickle.dumps(trees))
    assert (other.n_trees_, other.status_) == (trees.n_trees_, "time_limit")
    assert other.complete_to_ == trees.complete_to_
    if trees.n_trees_:
        assert str(other[-1]) == str(trees[-1])


def leaves_below(node):
    if "c" not in node:
        return [node["f"]]
    return [leaf for child in node["c"] for leaf in leaves_below(child)]


def paths_of(node, above=()):
    if "c" not in node:
        return [above]
    below = (*above, node["f"][0])
    return [path for child in node["c"] for path in paths_of(child, below)]


def trie_paths(node, above=()):
    if node["f"] == "_":
        yield above, node["t"]
    for child in node.get("c", ()):
        yield from trie_paths(
            child, above if child["f"] == "_" else (*above, child["f"])
        )


def test_timbertrek_gets_every_path_of_every_tree(compas, tmp_path):
    trees, _, y = compas
    told = trees.to_timbertrek(tmp_path / "trek.json", max_trees=40)
    stored = json.loads((tmp_path / "trek.json").read_text(encoding="utf-8"))
    assert stored["trie"] == told["trie"]
    assert list(stored["treeMap"]) == [str(place) for place in range(1, 41)]
    found = list(trie_paths(told["trie"]))
    assert len(found) == len(set(found))
    expected = {
        (path, place)
        for place, (tree, *_) in told["treeMap"].items()
        for path in paths_of(tree)
    }
    assert set(found) == expected
    for hierarchy, objective, accuracy in told["treeMap"].values():
        leaves = leaves_below(hierarchy)
        assert sum(rows for _, rows, _ in leaves) == len(y)
        right = sum(correct for _, _, correct in leaves)
        assert accuracy == round(right / len(y), 5)
        loss = 1 - right / len(y)
        assert objective == pytest.approx(loss + 0.005 * len(leaves), abs=1e-12)
    asked = {int(f) for path, _ in found for f in path}
    assert asked == set(told["featureMap"])
    assert all(len(words) == 3 for words in told["featureMap"].values())


def test_timbertrek_needs_two_classes_and_a_question():
    X = [[i] for i in range(9)]
    three = RashomonSet(leaf_penalty=0.01, max_depth=2).fit(X, list("aaabbbccc"))
    with pytest.raises(ValueError, match="must have two classes for TimberTrek; got 3"):
        three.to_timbertrek()
    leaf = RashomonSet(leaf_penalty=0.4).fit([["a"], ["b"], ["b"]], ["x", "y", "y"])
    with pytest.raises(ValueError, match="at least one question"):
        leaf.to_timbertrek()
