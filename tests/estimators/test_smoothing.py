"""Probabilities of leaves: smoothed, with intervals, the same in every export."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_wine
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ostrya
from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV, TopKTreeClassifier
from ostrya.estimators.model_format import digest
from ostrya.export import from_json, to_json, to_python

X, Y = load_wine(return_X_y=True)
WEIGHTS = 1.0 + np.arange(len(Y)) % 4


def stump(**parameters):
    return OptimalTreeClassifier(max_depth=1, **parameters)


def leaf_counts(clf):
    return clf.tree_.value[clf.apply(X)]


@pytest.mark.parametrize("make", [OptimalTreeClassifier, TopKTreeClassifier])
def test_laplace_adds_one_row_to_each_class(make):
    clf = make(max_depth=2, smoothing=1).fit(X, Y)
    counts = leaf_counts(clf)
    expected = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 3)
    np.testing.assert_allclose(clf.predict_proba(X), expected)
    plain = make(max_depth=2).fit(X, Y)
    np.testing.assert_allclose(
        plain.predict_proba(X), counts / counts.sum(axis=1, keepdims=True)
    )
    assert (clf.predict(X) == plain.predict(X)).all()
    assert clf.objective_ == plain.objective_


def test_the_scale_of_weights_does_not_change_smoothed_probabilities():
    """Boosting passes weights that sum to one: one more row would drown them."""
    first = stump(smoothing=1).fit(X, Y, WEIGHTS)
    second = stump(smoothing=1, leaf_penalty=first.leaf_penalty_)
    second.fit(X, Y, WEIGHTS / WEIGHTS.sum())
    np.testing.assert_allclose(first.predict_proba(X), second.predict_proba(X))


def test_effective_sizes_are_those_of_kish():
    clf = stump(class_weight="balanced").fit(X, Y, WEIGHTS)
    weights = WEIGHTS * (len(Y) / np.bincount(Y, WEIGHTS))[Y]
    leaf = clf.apply(X)
    for node in np.unique(leaf):
        w = weights[leaf == node]
        expected = w.sum() ** 2 / (w**2).sum()
        assert clf.tree_.n_effective[node] == pytest.approx(expected, abs=1e-5)
        assert expected < clf.tree_.n_samples[node]


@pytest.mark.parametrize("weights", [None, np.ones(len(Y)), np.full(len(Y), 0.1)])
def test_equal_weights_count_all_rows(weights):
    assert stump().fit(X, Y, weights).tree_.n_effective is None


@pytest.mark.parametrize("extreme", [1e-300, 1e-160, 1e160, 1e300])
def test_extreme_weights_have_effective_sizes(extreme):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = ostrya.solve(
            *([[0], [0], [1], [1]], [0, 0, 1, 1]),
            sample_weight=[1, 1, extreme, extreme],
            leaf_penalty=0,
        ).tree
        sizes = tree.n_effective if tree.n_effective is not None else tree.n_samples
        assert ((sizes > 0) & (sizes <= tree.n_samples)).all()
        assert np.isfinite(tree.intervals()).all()


def test_rows_of_weight_0_add_nothing_to_the_effective_size():
    tree = ostrya.solve(
        *([[0]] * 4 + [[1]] * 4, [0] * 4 + [1] * 4),
        sample_weight=[1, 1, 0, 0] * 2,
        leaf_penalty=0,
    ).tree
    assert tree.n_effective.tolist() == [4, 2, 2]


def test_intervals_are_those_of_wilson():
    """Newcombe 1998 (Statistics in Medicine 17), table I: 81 of 263, 15 of 148, ..."""
    known = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605)}
    known |= {(0, 20): (0.0, 0.1611), (1, 29): (0.0061, 0.1718)}
    for (part, total), ends in known.items():
        y = np.arange(total) < part
        tree = ostrya.solve(np.zeros((total, 1)), y.astype(int)).tree
        if tree.n_classes == 1:
            tree = ostrya.Tree(
                [-1], [np.nan], [-1], [-1], [0], [[float(total), 0.0]], [total], 1
            )
        found = tree.intervals()[0, 1]
        np.testing.assert_allclose(found, ends, atol=6e-5)
        np.testing.assert_allclose(tree.intervals()[0, 0], 1 - found[::-1])


def test_intervals_widen_with_confidence_and_with_unequal_weights():
    plain, weighted = stump().fit(X, Y).tree_, stump().fit(X, Y, WEIGHTS).tree_
    width = np.diff(plain.intervals(0.95)).mean()
    assert np.diff(plain.intervals(0.99)).mean() > width
    assert np.diff(weighted.intervals(0.95)).mean() > width


@pytest.mark.parametrize("wrong", [0, 1, 95, -0.5, "high", None])
def test_confidences_out_of_range_are_refused(wrong):
    tree = stump().fit(X, Y).tree_
    with pytest.raises((TypeError, ValueError), match="confidence must be a number"):
        tree.intervals(wrong)


@pytest.mark.parametrize("wrong", [-1, np.inf, np.nan, "laplace", None, True])
@pytest.mark.parametrize(
    "make", [OptimalTreeClassifier, TopKTreeClassifier, OptimalTreeClassifierCV]
)
def test_wrong_smoothing_is_refused_before_the_search(make, wrong):
    with pytest.raises((TypeError, ValueError), match="smoothing must be"):
        make(max_depth=1, smoothing=wrong).fit(X, Y)


def test_wrong_smoothing_is_refused_for_compressed_tables():
    frame = pd.DataFrame({"x": [1, 2, 3] * 50, "y": [0, 1, 1] * 50})
    with pytest.raises(ValueError, match="smoothing must be"):
        stump(smoothing=-1).fit(ostrya.preprocessing.compress(frame, "y"))


def test_tools_of_scikit_learn_smooth_too():
    assert clone(stump(smoothing=0.5)).smoothing == 0.5
    pipeline = make_pipeline(StandardScaler(), stump(smoothing=1))
    shares = cross_val_predict(pipeline, X, Y, cv=3, method="predict_proba")
    assert shares.min() > 0
    grid = {"smoothing": [0, 1]}
    search = GridSearchCV(stump(), grid, cv=3, scoring="neg_log_loss").fit(X, Y)
    assert search.best_params_ == {"smoothing": 1}
    calibrated = CalibratedClassifierCV(stump(smoothing=1), cv=3).fit(X, Y)
    assert log_loss(Y, calibrated.predict_proba(X)) < np.log(3)


def test_the_size_that_was_cross_validated_is_smoothed_too():
    clf = OptimalTreeClassifierCV(max_leaf_nodes=3, max_depth=2, cv=3, smoothing=1)
    assert clf.fit(X, Y).predict_proba(X).min() > 0
    assert clf.best_estimator_.smoothing == 1


def test_exports_have_the_same_probabilities():
    clf = OptimalTreeClassifier(max_depth=2, smoothing=1).fit(X, Y, WEIGHTS)
    expected = clf.predict_proba(X)
    np.testing.assert_allclose(clf.to_sklearn().predict_proba(X), expected)
    again, _ = from_json(to_json(clf))
    assert again == clf.tree_
    np.testing.assert_allclose(again.predict_proba(X), expected)
    names = {}
    exec(to_python(clf), names)
    found = [names["predict_proba"](row) for row in X[:9].tolist()]
    np.testing.assert_allclose(found, expected[:9])


def saved(path, clf):
    clf.save(path)
    return json.loads(path.read_text())


def test_model_files_keep_smoothing_and_effective_sizes(tmp_path):
    path = tmp_path / "model.json"
    clf = stump(smoothing=0.5).fit(X, Y, WEIGHTS)
    content = saved(path, clf)
    assert content["tree"]["smoothing"] == content["parameters"]["smoothing"] == 0.5
    again = OptimalTreeClassifier.load(path)
    assert again.tree_ == clf.tree_
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    np.testing.assert_array_equal(again.tree_.intervals(), clf.tree_.intervals())


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("smoothing", 2.0, "tree.smoothing must be .*, 0.5; got 2.0"),
        ("smoothing", "1", "tree.smoothing must be a number"),
        ("smoothing", -1.0, "smoothing must be a finite number >= 0"),
        ("n_effective", [1e9, 1.0, 1.0], "between 0 and n_samples"),
        ("n_effective", [1.0], "n_effective must have shape"),
        (
            "n_effective",
            ["a"],
            "tree.n_effective must contain|tree.n_effective must be",
        ),
    ],
)
def test_model_files_that_contradict_themselves_are_refused(
    tmp_path, name, value, words
):
    path = tmp_path / "model.json"
    content = saved(path, stump(smoothing=0.5).fit(X, Y, WEIGHTS))
    content["tree"][name] = value
    content["digest"] = digest(content)
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier.load(path)


def test_plain_models_are_written_as_before(tmp_path):
    content = saved(tmp_path / "model.json", stump().fit(X, Y))
    assert not {"smoothing", "n_effective"} & content["tree"].keys()


def test_the_report_shows_intervals_and_smoothed_probabilities(tmp_path):
    path = tmp_path / "report.html"
    clf = stump(smoothing=1).fit(X, Y)
    clf.report(path)
    page = path.read_text()
    start = page.index('id="content">') + len('id="content">')
    nodes = json.loads(page[start : page.index("</script>", start)])["nodes"]
    for node in (1, 2):
        assert nodes[node]["intervals"] == clf.tree_.intervals()[node].tolist()
        assert nodes[node]["probabilities"] == clf.tree_.shares()[node].tolist()
        value = clf.tree_.value[node]
        assert nodes[node]["shares"] == pytest.approx(value / value.sum())
    assert "intervals" not in nodes[0]
