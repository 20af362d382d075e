"""How a classifier is shown: printed, in a notebook, and inside other estimators."""

from __future__ import annotations

import copy
from html import escape

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ostrya import (
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    TopKTreeClassifier,
    solve,
)
from ostrya.export import export_report, export_svg, export_text

X, Y = load_iris(return_X_y=True)
CONSTRUCTOR = "OptimalTreeClassifier(leaf_penalty=0.02, max_depth=2)"


@pytest.fixture
def clf():
    return OptimalTreeClassifier(leaf_penalty=0.02, max_depth=2).fit(X, Y)


def test_a_printed_classifier_begins_with_its_accuracy_and_its_proof(clf):
    first, empty, *tree = str(clf).splitlines()
    assert "96.00% of 150 training rows" in first
    assert "3 leaves" in first
    assert "proved" in first
    assert empty == ""
    assert tree == export_text(clf).splitlines()


@pytest.mark.parametrize(
    "kind", [OptimalTreeClassifier, OptimalTreeClassifierCV, TopKTreeClassifier]
)
def test_everything_shown_begins_with_the_same_sentence(kind, tmp_path):
    made = kind(max_depth=2).fit(X, Y)
    (sentence, *_) = str(made).splitlines()
    assert "training rows correct" in sentence
    assert "roved" in sentence
    assert str(made.tree_) == str(made)
    escaped = escape(sentence)
    assert made._repr_html_().startswith(f"<p>{escaped}</p>")
    assert made.tree_._repr_html_().startswith(f"<p>{escaped}</p>")
    page = export_report(made)
    assert page.index("<h1") < page.index(escaped) < page.index('id="summary"')
    made.save(tmp_path / "model.json")
    again = kind.load(tmp_path / "model.json")
    assert "according to the model file" in str(again.tree_).splitlines()[0]
    assert again.tree_ == made.tree_


def test_a_tree_of_a_search_has_no_sentence():
    tree = solve([[0], [1]] * 20, [0, 1] * 20).tree
    assert tree.headline == ""
    assert str(tree) == export_text(tree)


def test_a_classifier_without_a_proof_is_printed_with_its_gap(clf):
    stopped = copy.copy(clf)
    stopped.status_, stopped.lower_bound_, stopped.gap_ = "time_limit", 0.05, 0.05
    first = str(stopped).splitlines()[0]
    assert "not proved" in first
    assert "0.0500" in first


def test_an_unfitted_classifier_is_printed_as_its_constructor():
    clf = OptimalTreeClassifier(leaf_penalty=0.02, max_depth=2)
    assert str(clf) == repr(clf) == CONSTRUCTOR
    assert clf._repr_mimebundle_()["text/plain"] == CONSTRUCTOR


def test_repr_is_the_constructor_after_fit_and_in_other_estimators(clf):
    assert repr(clf) == CONSTRUCTOR
    assert repr([clf]) == f"[{CONSTRUCTOR}]"
    for outer in (make_pipeline(StandardScaler(), clf), GridSearchCV(clf, {})):
        assert "".join(repr(outer).split()).count("".join(CONSTRUCTOR.split())) == 1
        assert "training rows" not in repr(outer)


def test_a_notebook_shows_the_sentence_the_picture_and_the_diagram(clf):
    bundle = clf._repr_mimebundle_()
    assert bundle["text/plain"] == str(clf)
    for html in (bundle["text/html"], clf._repr_html_()):
        sentence = html.index("96.00% of 150 training rows")
        picture = html.index(export_svg(clf))
        constructor = html.index(CONSTRUCTOR)
        assert sentence < picture < constructor < html.index("sk-container")


def test_a_pipeline_keeps_the_diagram_of_scikit_learn(clf):
    html = make_pipeline(StandardScaler(), clf)._repr_html_()
    assert "StandardScaler" in html
    assert "OptimalTreeClassifier" in html
    assert html.count("sk-container") >= 1


def test_a_display_of_text_is_respected(clf):
    with sklearn.config_context(display="text"):
        assert not hasattr(clf, "_repr_html_")
        assert clf._repr_mimebundle_() == {"text/plain": str(clf)}


def test_names_in_the_html_are_escaped():
    table = np.array([["<odd>"], ["<odd>"], ["x"], ["x"]], dtype=object)
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        table, ["<label>", "<label>", "&", "&"]
    )
    html = clf._repr_html_()
    assert "&lt;odd&gt;" in html
    assert "<odd>" not in html
    assert "&lt;label&gt;" in html


def test_another_objective_is_named_with_its_value():
    clf = OptimalTreeClassifier(
        leaf_penalty=0.02, max_depth=2, objective="balanced_accuracy"
    )
    clf.fit(X[:120], Y[:120])
    score = balanced_accuracy_score(Y[:120], clf.predict(X[:120]))
    assert f"balanced accuracy {score:.4f};" in str(clf)


def test_a_cross_validated_classifier_shows_its_score_on_held_out_rows():
    clf = OptimalTreeClassifierCV(cv=3, max_leaf_nodes=3, max_depth=2).fit(X, Y)
    assert f"cross-validated accuracy {clf.best_score_:.4f};" in str(clf)
    assert clf._repr_mimebundle_()["text/plain"] == str(clf)


def test_a_top_k_tree_says_of_which_trees_it_is_the_best():
    clf = TopKTreeClassifier(k=2, max_depth=2).fit(X, Y)
    assert "the 2 best splits of each node" in str(clf).splitlines()[0]


def test_a_loaded_model_says_that_its_file_claims_the_proof(clf, tmp_path):
    clf.save(tmp_path / "model.json")
    again = OptimalTreeClassifier.load(tmp_path / "model.json")
    assert "according to the model file" in str(again).splitlines()[0]
