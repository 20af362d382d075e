"""leaf_penalty="auto": 1 % of the rows, and at least three rows."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import GridSearchCV, cross_validate

import ostrya
from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV, TopKTreeClassifier
from ostrya.estimators import _search
from ostrya.estimators.model_format import digest

IRIS, SPECIES = load_iris(return_X_y=True)  # 150 rows
CANCER, IS_BENIGN = load_breast_cancer(return_X_y=True)  # 569 rows
STUMP = OptimalTreeClassifier(max_depth=1)


def used(X, y, weights=None, **parameters):
    stump = OptimalTreeClassifier(max_depth=1, **parameters)
    return stump.fit(X, y, weights).leaf_penalty_


def test_auto_is_the_default_everywhere():
    for estimator in (OptimalTreeClassifier, TopKTreeClassifier):
        assert estimator().leaf_penalty == "auto"
        assert estimator(max_depth=1).fit(IRIS, SPECIES).leaf_penalty_ == 3 / 150
        assert estimator(max_depth=1).fit(CANCER, IS_BENIGN).leaf_penalty_ == 0.01
    assert ostrya.solve(IRIS, SPECIES, max_depth=1).leaf_penalty == 3 / 150
    assert ostrya.estimate_runtime(
        IRIS, SPECIES, max_depth=2
    ) == ostrya.estimate_runtime(IRIS, SPECIES, max_depth=2, leaf_penalty=3 / 150)


def test_a_given_penalty_is_kept():
    assert used(IRIS, SPECIES, leaf_penalty=0.013) == 0.013
    assert used(IRIS, SPECIES, leaf_penalty=0) == 0


def test_the_objective_counts_the_penalty_of_auto():
    clf = OptimalTreeClassifier(max_depth=3).fit(IRIS, SPECIES)
    assert clf.objective_ == pytest.approx(clf.loss_ + 3 / 150 * clf.n_leaves_)
    given = OptimalTreeClassifier(leaf_penalty=3 / 150, max_depth=3).fit(IRIS, SPECIES)
    assert clf.objective_ == given.objective_


def test_whole_weights_count_as_repeated_rows():
    weights = np.arange(150) % 3
    repeated = np.repeat(np.arange(150), weights)
    clf = STUMP.fit(IRIS, SPECIES, weights)
    assert clf.leaf_penalty_ == used(IRIS[repeated], SPECIES[repeated])
    outcome = ostrya.solve(IRIS, SPECIES, sample_weight=weights, max_depth=1)
    assert outcome.leaf_penalty == clf.leaf_penalty_


def test_rows_of_weight_0_are_not_counted():
    weights = np.arange(150) % 2
    assert used(IRIS, SPECIES, weights) == 3 / 75
    outcome = ostrya.solve(IRIS, SPECIES, sample_weight=weights, max_depth=1)
    assert outcome.leaf_penalty == 3 / 75


def test_weights_that_are_shares_do_not_shrink_the_table():
    """Boosting passes weights that sum to one: a penalty of 3 let no split in."""
    assert used(IRIS, SPECIES, np.full(150, 1 / 150)) == 3 / 150
    boosted = AdaBoostClassifier(STUMP, n_estimators=5).fit(IRIS, SPECIES)
    assert all(each.n_leaves_ > 1 for each in boosted.estimators_)


def test_the_order_of_weighted_rows_does_not_matter():
    weights = np.random.default_rng(0).uniform(1, 2, 150)
    order = np.random.default_rng(1).permutation(150)
    forwards = used(IRIS, SPECIES, weights)
    assert forwards == used(IRIS[order], SPECIES[order], weights[order])


@pytest.mark.parametrize(
    "parameters",
    [
        {"class_weight": "balanced"},
        {"class_weight": {0: 7}},
        {"objective": "balanced_accuracy"},
        {"cost_matrix": 5 * (1 - np.eye(3))},
    ],
)
def test_classes_and_costs_do_not_change_what_auto_means(parameters):
    assert used(IRIS, SPECIES, **parameters) == 3 / 150


def test_a_compressed_table_counts_its_rows_and_not_its_groups():
    frame = pd.DataFrame({"x": [1, 2, 3] * 50, "y": [0, 1, 1] * 50})
    assert used(ostrya.preprocessing.compress(frame, "y"), None) == 3 / 150
    assert (
        used(ostrya.preprocessing.compress(frame, "y"), None, min_samples_leaf=9)
        == 3 / 150
    )
    frame["w"] = [1, 0, 2] * 50
    assert used(ostrya.preprocessing.compress(frame, "y", "w"), None) == 3 / 150
    assert used(frame[["x"]], frame["y"], frame["w"]) == 3 / 150


def test_searches_on_folds_count_the_rows_of_the_fold(monkeypatch):
    seen = []

    def recording(data, settings, started, find=_search.find_tree):
        seen.append((data.n_samples, data.leaf_penalty))
        return find(data, settings, started)

    monkeypatch.setattr(_search, "find_tree", recording)
    TopKTreeClassifier(max_depth=1, k="auto").fit(IRIS, SPECIES)
    assert set(seen) == {(150, 3 / 150), (120, 3 / 120)}
    scores = cross_validate(STUMP, IRIS, SPECIES, cv=5, return_estimator=True)
    assert {each.leaf_penalty_ for each in scores["estimator"]} == {3 / 120}


def test_clone_and_grid_search_keep_auto():
    assert clone(STUMP).get_params()["leaf_penalty"] == "auto"
    grid = GridSearchCV(STUMP, {"leaf_penalty": ["auto", 0.3]}, cv=3)
    assert grid.fit(IRIS, SPECIES).best_params_ == {"leaf_penalty": "auto"}
    assert grid.best_estimator_.leaf_penalty_ == 3 / 150


def test_cross_validated_trees_have_no_penalty():
    clf = OptimalTreeClassifierCV(max_leaf_nodes=3, max_depth=2, cv=3).fit(
        IRIS, SPECIES
    )
    assert clf.leaf_penalty_ == clf.best_estimator_.leaf_penalty_ == 0


@pytest.mark.parametrize("wrong", ["Auto", "automatic", None])
def test_other_words_are_refused(wrong):
    message = r'leaf_penalty must be a finite number >= 0, or "auto" \('
    with pytest.raises(TypeError, match=message):
        OptimalTreeClassifier(leaf_penalty=wrong).fit(IRIS, SPECIES)


def saved(path, clf):
    clf.save(path)
    return json.loads(path.read_text())


def load(path, content):
    content["digest"] = digest(content)
    path.write_text(json.dumps(content))
    return OptimalTreeClassifier.load(path)


def test_model_files_keep_auto_and_the_penalty_used(tmp_path):
    path = tmp_path / "model.json"
    content = saved(path, STUMP.fit(IRIS, SPECIES))
    assert content["parameters"]["leaf_penalty"] == "auto"
    assert content["result"]["leaf_penalty"] == 3 / 150
    again = OptimalTreeClassifier.load(path)
    assert again.leaf_penalty == "auto"
    assert again.leaf_penalty_ == 3 / 150


@pytest.mark.parametrize("penalty", [0.005, 0.03, "auto", None])
def test_model_files_with_another_penalty_are_refused(tmp_path, penalty):
    path = tmp_path / "model.json"
    content = saved(path, STUMP.fit(IRIS, SPECIES))
    content["result"]["leaf_penalty"] = penalty
    with pytest.raises(ValueError, match=r"malformed model: result\.leaf_penalty"):
        load(path, content)


def test_older_model_files_have_the_parameter_alone(tmp_path):
    path = tmp_path / "model.json"
    clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=1).fit(IRIS, SPECIES)
    content = saved(path, clf)
    del content["result"]["leaf_penalty"]
    assert load(path, content).leaf_penalty_ == 0.01
    content["parameters"]["leaf_penalty"] = "auto"
    with pytest.raises(ValueError, match=r"result\.leaf_penalty must be a finite"):
        load(path, content)


def test_the_report_shows_the_penalty_used(tmp_path):
    STUMP.fit(IRIS, SPECIES).report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "plus a penalty of 0.02 per leaf" in page
