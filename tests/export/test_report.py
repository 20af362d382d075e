"""What a report holds, without a browser; tests/browser has what it does in one."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.metrics import precision_score, recall_score, roc_auc_score

import ostrya
from export.trees import NASTY
from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV
from ostrya.export import export_report, export_rules
from ostrya.export.report.inputs import _range
from ostrya.export.report.page import SCRIPTS, SET_SCRIPTS, _file
from ostrya.export.wording import one_line

X = [[20, "red"], [35, "red"], [40, "blue"], [None, "blue"], [50, "green"]]
Y = ["a", "b", "b", "b", "a"]


class Page(HTMLParser):
    """The elements of a page, and what stands in its scripts."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.scripts, self._is_script = [], [], False
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._is_script = tag == "script"

    def handle_endtag(self, tag):
        self._is_script = False

    def handle_data(self, data):
        if self._is_script:
            self.scripts.append(data)


def content(source):
    return json.loads(Page(source).scripts[0])


@pytest.fixture(scope="module")
def clf():
    return OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(X, Y)


def test_the_page_holds_what_the_model_says(clf):
    told = content(export_report(clf, X, Y))
    assert told["labels"] == ["a", "b"]
    assert told["title"] == f"Decision tree with {clf.n_leaves_} leaves"
    rules = [node["rule"] for node in told["nodes"] if "rule" in node]
    lines = [line.split("   (")[0].rstrip() for line in export_rules(clf).splitlines()]
    assert sorted(rules) == sorted(lines)
    assert len(told["search"]["moments"]) == len(clf.trace_)
    assert told["search"]["moments"][-1][1:] == [clf.lower_bound_, clf.objective_]
    assert "no tree within these limits" in told["proof"][0]
    assert told["proof"][2] == "Limits: depth at most 3, seconds at most 60."


def test_scores_are_those_of_the_rows(clf):
    new = [[25, "red"], [60, "green"], [None, None], [33, "red"]]
    true = ["a", "a", "zebra", "a"]
    training, given = content(export_report(clf, new, true))["scores"]
    assert training["right"] == clf.score(X, Y)
    assert np.trace(training["matrix"]) == training["right"] * len(X)
    assert given["unknown"] == 1
    assert given["right"] == clf.score(new, true)
    predicted = clf.predict(new)
    for code, label in enumerate(clf.classes_):
        row = [
            sum(t == label and p == other for t, p in zip(true, predicted, strict=True))
            for other in clf.classes_
        ]
        assert given["matrix"][code] == row
    assert sum(map(sum, given["by_leaf"].values())) == 3


def by_class(clf, X, y, weights=None):
    """Return the scores of each class as scikit-learn computes them."""
    predicted, shares = clf.predict(X), clf.predict_proba(X)
    given = {"labels": clf.classes_, "average": None, "sample_weight": weights}
    rows = zip(
        recall_score(y, predicted, **given),
        precision_score(y, predicted, **given),
        (
            roc_auc_score(y == label, shares[:, code], sample_weight=weights)
            for code, label in enumerate(clf.classes_)
        ),
        strict=True,
    )
    return [pytest.approx(row) for row in rows]


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_every_class_has_its_recall_precision_and_area(load):
    X, y = load(return_X_y=True)
    clf = OptimalTreeClassifier(max_depth=2).fit(X[::2], y[::2])
    scores = content(export_report(clf, X[1::2], y[1::2]))["scores"]
    for score, rows in zip(scores, (slice(0, None, 2), slice(1, None, 2)), strict=True):
        found = [(s["recall"], s["precision"], s["auc"]) for s in score["classes"]]
        assert found == by_class(clf, X[rows], y[rows])
        assert sum(s["weight"] for s in score["classes"]) == score["rows"]


def test_scores_by_class_of_weighted_rows():
    X, y = load_wine(return_X_y=True)
    weights = 1.0 + np.arange(len(y)) % 3
    clf = OptimalTreeClassifier(max_depth=2).fit(X, y, weights)
    (score,) = content(export_report(clf))["scores"]
    found = [(s["recall"], s["precision"], s["auc"]) for s in score["classes"]]
    assert found == by_class(clf, X, y, weights)


def test_scores_that_are_not_defined_are_left_out(clf):
    """A class without rows has no recall, one never predicted no precision."""
    leaf = OptimalTreeClassifier(max_leaf_nodes=1).fit(X, Y)
    training, given = content(export_report(leaf, X[:1], ["zebra"]))["scores"]
    assert [s["precision"] for s in training["classes"]] == [None, 0.6]
    assert [s["auc"] for s in training["classes"]] == [0.5, 0.5]
    assert [s["recall"] for s in given["classes"]] == [None, None]
    assert [s["precision"] for s in given["classes"]] == [None, 0.0]
    assert [s["auc"] for s in given["classes"]] == [None, None]


def test_weights_are_said_to_be_weights():
    made = OptimalTreeClassifier(
        leaf_penalty=0.01, class_weight={"a": 2.5, "b": 1}
    ).fit(X, Y)
    score = content(export_report(made))["scores"][0]
    assert score["unit"] == "weight"
    assert np.sum(score["matrix"]) == 8.0


def test_hostile_words_stay_data():
    levels = [*NASTY[:4], "</script>", "<!--<script>"]
    frame = pd.DataFrame({"</script><b>": levels * 3, "@@rules@@": range(18)})
    y = np.array([f"{level}'s" for level in levels] * 3)
    made = OptimalTreeClassifier(leaf_penalty=0.001, max_depth=3).fit(frame, y)
    source = export_report(made, title="</title><b>@@script@@</b>")
    page = Page(source)
    assert "b" not in {tag for tag, _ in page.tags}
    assert [tag for tag, _ in page.tags].count("script") == 2
    told = json.loads(page.scripts[0])
    assert set(told["labels"]) == {one_line(label) for label in y}
    assert told["title"] == "</title><b>@@script@@</b>"
    assert source.count("</script>") == 2


def test_the_page_loads_nothing(clf):
    source = export_report(clf)
    page = Page(source)
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    addresses = [a[k] for _, a in page.tags for k in ("src", "href") if k in a]
    assert addresses == ["data:,", "#rules"]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", source)
    assert "innerHTML" not in source
    assert "eval(" not in source


def test_outcomes_have_reports_too():
    outcome = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01)
    told = content(export_report(outcome))
    assert told["labels"] == ["class 0", "class 1"]
    assert told["inputs"][0]["name"] == "x0"
    with pytest.raises(ValueError, match="X and y must be None for an Outcome"):
        export_report(outcome, [[0]], [0])


def test_arguments_are_checked(clf):
    with pytest.raises(TypeError, match="got a Tree, which has no proof"):
        export_report(clf.tree_)
    with pytest.raises(
        ValueError, match="X and y must be given together; y is missing"
    ):
        export_report(clf, X)
    with pytest.raises(
        ValueError, match="X and y must be given together; X is missing"
    ):
        export_report(clf, y=Y)
    with pytest.raises(ValueError, match=r"one label per row of X \(5\); got 1"):
        export_report(clf, X, ["a"])


def test_files_are_written_whole(clf, tmp_path):
    clf.report(tmp_path / "model.html", X, Y, title="Colours")
    source = (tmp_path / "model.html").read_text(encoding="utf-8")
    assert source == export_report(clf, X, Y, title="Colours")


def test_levels_no_page_can_compare_are_said():
    frame = pd.DataFrame({"a": pd.Categorical([1, "1", 2, "2"])})
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, [0, 1, 1, 1])
    told = content(export_report(made))
    assert told["inputs"] is None
    assert "Convert them to strings" in told["no_inputs"]


def test_bounds_that_are_not_there_yet_are_left_out():
    outcome = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01)
    first = outcome.trace[0]._replace(lower_bound=-np.inf, objective=np.inf)
    made = replace(outcome, trace=(first, *outcome.trace))
    moments = content(export_report(made))["search"]["moments"]
    assert len(moments) == len(outcome.trace)


def test_many_classes_have_no_matrix():
    y = [str(i // 3) for i in range(120)]
    made = OptimalTreeClassifier(max_leaf_nodes=1).fit([[i] for i in range(120)], y)
    assert content(export_report(made))["scores"][0]["matrix"] is None


@pytest.mark.parametrize(
    "marks", [[], [0.0], [5.0], [-3.5, 1e-9], [1e308, -1e308], [5e-324], [2**53, 0.5]]
)
def test_sliders_have_their_marks_inside(marks):
    found = _range(marks)
    assert all(np.isfinite(number) for number in found.values())
    assert found["least"] < found["most"]
    assert found["step"] > 0
    for mark in marks:
        if abs(mark) <= 1e300:
            assert found["least"] <= mark <= found["most"]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_letters_are_told_from_their_paper():
    themes = re.findall(r":root \{(.*?)\}", _file("page.css"), re.DOTALL)
    assert len(themes) == 3, "light, dark, on paper"
    for theme in themes:
        colours = dict(re.findall(r"--(\w+): (#\w{6});", theme))
        for ground in ("paper", "panel"):
            for letters in ("ink", "pale"):
                assert contrast(colours[letters], colours[ground]) >= 7
            assert contrast(colours["line"], colours[ground]) >= 2.9
            if "accent" in colours:
                assert contrast(colours["accent"], colours[ground]) >= 4.5


def test_scripts_are_small_and_all_are_read():
    folder = resources.files("ostrya.export.report")
    found = {path.name for path in folder.iterdir() if path.name.endswith(".js")}
    assert found == {*SCRIPTS, *SET_SCRIPTS}
    assert all(_file(name).count("\n") <= 300 for name in SCRIPTS)


def test_what_is_no_frontier_is_refused(clf):
    with pytest.raises(
        TypeError, match=r"frontier must be a result of ostrya.frontier; got list"
    ):
        export_report(clf, frontier=[1, 2])


def test_a_model_of_another_size_is_not_marked_on_a_frontier(clf):
    frontier = ostrya.frontier([[1], [2], [3]], [0, 0, 1], max_leaf_nodes=1)
    told = content(export_report(clf, frontier=frontier))["frontier"]
    assert told["sizes"] == [1]
    assert told["chosen"] is None
    assert content(export_report(clf))["frontier"] is None


@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
def test_training_scores_are_shown_where_they_compare(scoring):
    rows = [[i % 4, i % 3] for i in range(24)]
    labels = [int(i % 4 == 1) for i in range(24)]
    made = OptimalTreeClassifierCV(max_leaf_nodes=3, cv=3, scoring=scoring)
    told = content(export_report(made.fit(rows, labels)))["frontier"]
    names = [line["name"] for line in told["lines"]]
    assert names == ["held-out rows", "training rows"][: 2 if scoring is None else 1]
    made.set_params(return_train_score=True)
    told = content(export_report(made.fit(rows, labels)))["frontier"]
    assert len(told["lines"]) == 2


def test_a_choice_that_was_stopped_is_told():
    made = OptimalTreeClassifierCV(max_leaf_nodes=3, cv=3)
    rows, labels = [[i % 4] for i in range(24)], [int(i % 4 == 1) for i in range(24)]
    with pytest.warns(ostrya.OptimalityWarning):
        made.fit(rows, labels, on_progress=lambda _: True)
    told = content(export_report(made))["frontier"]
    assert told["lines"][0]["scores"] == [None] * len(told["sizes"])
    assert "before any held-out rows were scored" in told["text"][0]


def test_the_proof_of_a_chosen_size_is_of_that_size():
    rows, labels = [[i] for i in range(6)] * 5, [0, 1, 0, 1, 0, 1] * 5
    made = OptimalTreeClassifierCV(max_leaf_nodes=4, max_depth=2, cv=3).fit(
        rows, labels
    )
    made.best_estimator_.max_leaf_nodes = 3
    proof = " ".join(content(export_report(made))["proof"])
    assert "leaves at most 3" in proof
    assert "leaves at most 4" not in proof
    assert "leaves are not penalised" in proof
