"""What a model file claims agrees with its own tree, or the file is refused."""

from __future__ import annotations

import contextlib
import json
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
import ostrya
from estimators.test_model_files import LABELS, ROWS, changed, signed
from export.test_json import places
from ostrya import (
    OptimalityWarning,
    OptimalTreeClassifier,
    TableWarning,
    TopKTreeClassifier,
)
from ostrya.objectives import FBeta, PartialAUC

X = pd.DataFrame(ROWS)


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.json"
    OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(X, LABELS).save(path)
    return path.read_text("ascii")


def load(text, folder, make=OptimalTreeClassifier):
    path = folder / "claims.json"
    path.write_text(text)
    return make.load(path)


def of_version_1(text):
    """Return a file as earlier releases wrote it."""
    content = json.loads(text)
    del content["digest"]
    return json.dumps({**content, "version": 1})


CONTRADICTIONS = {
    "rows of a split": (
        ["tree", "n_samples", 0],
        9,
        r"n_samples\[0\] must be .*; got 9",
    ),
    "rows of a leaf": (
        ["tree", "n_samples", 1],
        9,
        r"n_samples\[0\] must be .*; got 8",
    ),
    "weights of a split": (["tree", "value", 0, 0], 5.0, r"value\[0\] must be the sum"),
    "vast weights": (
        ["tree", "value", 0],
        [1e308, 1e308],
        r"value\[0\] must have .*; got inf",
    ),
    "no weight": (["tree", "value", 0], [0.0, 0.0], r"value\[0\] must have .*; got 0"),
    "a label": (
        ["tree", "label", 1],
        1,
        r"label\[1\] must be 0.*value\[1\]; got 1",
    ),
    "loss": (["result", "loss"], 0.125, "result.loss must be 0.0.*; got 0.125"),
    "objective": (["result", "objective"], 0.02, "objective must be 0.03.*; got 0.02"),
    "penalty": (
        ["parameters", "leaf_penalty"],
        0.5,
        "parameters.leaf_penalty=0.5; got 0.01",
    ),
    "a negative penalty": (["parameters", "leaf_penalty"], -1, "leaf_penalty must be"),
    "gap": (
        ["result", "gap"],
        0.01,
        "result.gap must be .*objective 0.03 - lower_bound.*; got 0.01",
    ),
    "lower bound": (["result", "lower_bound"], 0.01, "result.gap must be .*; got 0.0"),
    "status": (["result", "status"], "optimal_in_top_k", "which is for top-k trees"),
    "a guess": (["result", "status"], "guessed_bounds", "result.guess is missing"),
    "guessed thresholds": (
        ["result", "status"],
        "optimal_in_guessed_thresholds",
        "by result.guess no thresholds were guessed",
    ),
    "selected thresholds": (
        ["result", "status"],
        "optimal_in_selected_thresholds",
        "by result.compression all thresholds were searched",
    ),
    "importances": (
        ["result", "feature_importances"],
        [0.1, 0.9, 0, 0],
        r"\[0\] must be .*; got 0.1",
    ),
    "a share of none": (
        ["result", "feature_importances"],
        [0.7, 0.2, 0, 0.1],
        "as the tree ignores it; got 0.1",
    ),
    "depth": (["parameters", "max_depth"], 1, "at most 1 levels.*max_depth; got 2"),
    "leaves": (
        ["parameters", "max_leaf_nodes"],
        2,
        "at most 2 leaves.*max_leaf_nodes; got 3",
    ),
    "rows a leaf": (
        ["parameters", "min_samples_leaf"],
        3,
        "min_samples_leaf=3 rows; got a leaf of",
    ),
    "an objective unknown": (
        ["parameters", "objective"],
        "gini",
        "'gini' is not known",
    ),
    "an objective of no kind": (["parameters", "objective"], [], "is not known"),
    "costs": (["parameters", "cost_matrix"], [[0, 1]], "cost_matrix must have shape"),
    "costs below 0": (["parameters", "cost_matrix"], [[0, -1], [1, 0]], "numbers >= 0"),
    "no number answers no": (["columns", 0, "largest"], 1.0, "must be below .*largest"),
    "classes in disorder": (
        ["classes", "labels"],
        ["yes", "no"],
        "labels must be sorted",
    ),
    "a trace": (["result", "trace"], [[0, 9, 9, 1, 1]], "at most result.objective"),
    "a crossed trace": (
        ["result", "trace"],
        [[0, 2, 1, 1, 1]],
        "lower bound of at most its",
    ),
    "time run back": (
        ["result", "trace"],
        [[2, 0, 1, 1, 1], [1, 0, 1, 1, 1]],
        "before the previous one",
    ),
    "an endless trace": (["result", "trace"], [[1e400, 0, 1, 1, 1]], "finite|JSON"),
}


@pytest.mark.parametrize(
    ("path", "value", "words"), CONTRADICTIONS.values(), ids=CONTRADICTIONS
)
def test_contradictions_are_named(good, path, value, words, tmp_path):
    text = changed(good, path, value)
    for forged in (text, of_version_1(text)):
        with pytest.raises(ValueError, match=words):
            load(forged, tmp_path)


def test_optimal_is_refused_where_the_bound_is_lower(good, tmp_path):
    content = json.loads(good)
    result = content["result"]
    result["lower_bound"], result["trace"] = 0.01, []
    result["gap"] = result["objective"] - 0.01
    with pytest.raises(ValueError, match="status is 'optimal', but the lower bound"):
        load(json.dumps(signed(content)), tmp_path)
    result["status"] = "time_limit"
    assert load(json.dumps(signed(content)), tmp_path).gap_ > 0
    result["lower_bound"], result["gap"] = 9.0, 0.0
    with pytest.raises(ValueError, match=r"lower_bound must be at most.*; got 9\.0"):
        load(json.dumps(signed(content)), tmp_path)


def test_a_tree_exchanged_for_another_is_noticed(good, tmp_path):
    stump = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=1).fit(X, LABELS)
    content = json.loads(good)
    content["tree"] = stump.tree_.to_dict()
    with pytest.raises(ValueError, match=r"result\.loss must be .*; got 0\.0"):
        load(json.dumps(signed(content)), tmp_path)


def test_probabilities_of_vast_weights_add_up_to_one():
    tree = ostrya.Tree([-1], [math.nan], [-1], [-1], [0], [[1e308, 1e308]], [2], 1)
    assert tree.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]
    assert "50% correct" in str(tree)


def test_labels_that_their_type_cannot_hold_are_refused(tmp_path):
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        [[1.0], [2.0]], np.array([1, 2], np.float32)
    )
    clf.save(tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text()
    for label, words in (
        (1e300, "would become inf"),
        (2.1, "exact as float32; got 2.1"),
        (1e999, "no"),
    ):
        with pytest.raises(ValueError, match=words):
            load(changed(text, ["classes", "labels"], [1.0, label]), tmp_path)


def test_a_file_edited_after_it_was_saved_is_noticed(good, tmp_path):
    content = json.loads(good)
    content["tree"]["threshold"][0] += 1.0
    with pytest.raises(ValueError, match="digest does not match its content"):
        load(json.dumps(content), tmp_path)
    content = json.loads(good)
    content["version"] = 1
    with pytest.raises(ValueError, match="digest is not known"):
        load(json.dumps(content), tmp_path)


def test_files_of_version_1_are_read(good, tmp_path):
    again = load(of_version_1(good), tmp_path)
    assert again.predict(X).tolist() == LABELS


def test_what_only_the_rows_could_prove_is_marked(good, tmp_path):
    clf = load(good, tmp_path)
    assert clf.result_from_file_ is True
    assert clf.fit(X, LABELS).result_from_file_ is False


def numbers(content):
    """Return the paths of all numbers in some JSON."""
    found = []
    for path in places(content):
        item = content
        for step in path:
            item = item[step]
        if type(item) in (int, float):
            found.append(path)
    return found


@given(data=st.data())
@settings(max_examples=effort.cases(400))
def test_one_edited_number_is_refused_or_harmless(data, good, tmp_path_factory):
    """Whoever knows of the digest may still say what the rows alone could disprove."""
    content = json.loads(good)
    path = data.draw(st.sampled_from(numbers(content)))
    number = data.draw(
        st.integers(-3, 9) | st.floats(0, 2) | st.sampled_from([2**31, 2**63, 1e308])
    )
    folder = tmp_path_factory.getbasetemp()
    original = load(good, folder)
    edited = json.loads(changed(good, path, number))
    # Without a new digest every other content is refused.
    edited_digest = {**edited, "digest": content["digest"]}
    if edited["digest"] != content["digest"]:
        with pytest.raises(ValueError, match="malformed model"):
            load(json.dumps(edited_digest), folder)
    clf = None
    with contextlib.suppress(ValueError):
        clf = load(json.dumps(edited), folder)
    if clf is None:
        return
    is_question = path[:2] in (("tree", "threshold"), ("tree", "feature"))
    if not is_question:
        assert np.array_equal(clf.predict(X), original.predict(X))
        # To within rounding: a weight of 1e-269 is no weight.
        shares = clf.predict_proba(X)
        np.testing.assert_allclose(shares, original.predict_proba(X), atol=1e-9)
    slack = 1e-8
    assert abs(clf.loss_ - original.loss_) <= slack
    assert abs(clf.objective_ - original.objective_) <= slack
    assert clf.lower_bound_ <= clf.objective_
    assert clf.status_ != "optimal" or clf.gap_ == 0
    assert np.allclose(clf.feature_importances_, original.feature_importances_)


@st.composite
def fits(draw):
    """Draw an estimator, rows, labels and weights of any scale."""
    seed = draw(st.integers(0, 2**32 - 1))
    chance = np.random.default_rng(seed)
    n = draw(st.integers(4, 40))
    rows = chance.integers(0, 6, (n, 3)).astype(float)
    measures = ("auc", PartialAUC(max_fpr=0.3), "f1", FBeta(beta=2.0))
    objective = draw(st.sampled_from(["accuracy", "balanced_accuracy", *measures]))
    labels = chance.integers(0, 2, n)
    labels[:2] = [0, 1]
    parameters = {
        "leaf_penalty": draw(st.sampled_from([0.0, 1e-7, 0.01, 1 / 3])),
        "max_depth": draw(st.sampled_from([0, 1, 3])),
        "objective": objective,
        "time_limit": 5,
    }
    make = OptimalTreeClassifier
    if objective not in measures:
        if draw(st.booleans()):
            costs = chance.random((2, 2)) * 10.0 ** draw(st.integers(-6, 6))
            parameters["cost_matrix"] = costs.tolist()
        if draw(st.booleans()):
            make, parameters = TopKTreeClassifier, {**parameters, "k": 2}
    kinds = (None, chance.random(n) + 0.1, chance.integers(1, 4, n) * 1.0)
    weights = draw(st.sampled_from((*kinds, 10.0 ** chance.integers(-2, 3, n))))
    return make(**parameters), rows, labels, weights


@given(fits())
@settings(max_examples=effort.cases(60))
def test_every_honest_file_is_read_and_equal(tmp_path_factory, drawn):
    clf, rows, labels, weights = drawn
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimalityWarning)
        warnings.simplefilter("ignore", TableWarning)  # of trees with a single leaf
        clf.fit(rows, labels, sample_weight=weights)
    path = tmp_path_factory.getbasetemp() / "honest.json"
    clf.save(path)
    text = path.read_text()
    for written in (text, of_version_1(text)):
        again = load(written, path.parent, type(clf))
        assert again.tree_ == clf.tree_
        for name in (
            "objective_",
            "loss_",
            "lower_bound_",
            "gap_",
            "status_",
            "trace_",
        ):
            assert getattr(again, name) == getattr(clf, name)
        assert np.array_equal(again.predict_proba(rows), clf.predict_proba(rows))
