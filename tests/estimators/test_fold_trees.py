"""The trees that folds are compared by, and the model that is left of a fit."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs

from ostrya import OptimalityWarning, OptimalTreeClassifier, OptimalTreeClassifierCV
from ostrya._solve.fit_monitor import FitMonitor


def hard_rows():
    """A table that takes a search more than a moment."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(300, 8))
    return rows, (rows[:, :4].sum(axis=1) + rng.normal(size=300) > 0).astype(int)


@pytest.mark.parametrize("max_depth", ["auto", 3])
def test_a_model_that_was_interrupted_can_be_saved_and_loaded(max_depth, tmp_path):
    calls = []

    def stop(progress):
        calls.append(progress)
        return len(calls) > 3

    clf = OptimalTreeClassifierCV(max_leaf_nodes=6, max_depth=max_depth)
    with pytest.warns(OptimalityWarning, match="was interrupted"):
        clf.fit(*hard_rows(), on_progress=stop)
    clf.save(tmp_path / "model.json")
    again = OptimalTreeClassifierCV.load(tmp_path / "model.json")
    assert again.status_ == "interrupted"
    assert again.tree_ == clf.tree_


def test_folds_that_have_no_good_trees_in_time_are_not_compared(monkeypatch):
    """Such folds repeated the scores of small trees for all larger sizes."""
    from ostrya import _frontier

    sweep = _frontier.PenaltySweep.run
    swept = []

    def sweep_or_stop(self, *others):
        swept.append(self)
        return "time_limit" if len(swept) in (3, 5) else sweep(self, *others)

    monkeypatch.setattr(_frontier.PenaltySweep, "run", sweep_or_stop)
    with pytest.warns(OptimalityWarning, match="2 of 5 folds were left out"):
        clf = OptimalTreeClassifierCV(max_leaf_nodes=8, time_limit=None).fit(
            *hard_rows()
        )
    assert [status == "time_limit" for status in clf.fold_statuses_] == [
        *(False, True, False, True, False),
    ]
    scores = np.array([clf.cv_results_[f"split{i}_test_score"] for i in range(5)])
    assert np.isnan(scores[[1, 3]]).all()
    assert not np.isnan(scores[[0, 2, 4]]).any()
    assert clf.cv_results_["mean_test_score"] == pytest.approx(
        scores[[0, 2, 4]].mean(axis=0)
    )


def test_the_defaults_do_not_lose_to_one_penalty_for_lack_of_time():
    """With many classes and no time for proofs, trees of a few leaves were chosen."""
    rows, labels = make_blobs(700, 8, centers=9, cluster_std=4.0, random_state=5)
    is_held_out = np.arange(len(labels)) % 2 == 0
    training = rows[~is_held_out], labels[~is_held_out]
    clf = OptimalTreeClassifierCV(cv=3, time_limit=None).fit(*training)
    plain = OptimalTreeClassifier(time_limit=None).fit(*training)
    score, plain_score = (
        each.score(rows[is_held_out], labels[is_held_out]) for each in (clf, plain)
    )
    assert score >= plain_score - 0.02
    assert clf.fold_statuses_ == ["work_limit"] * 3
    assert clf.n_leaves_ >= 9
    point = clf.frontier_.at_leaves(min(plain.n_leaves_, clf.frontier_.max_leaf_nodes))
    assert point.loss <= plain.loss_ + 0.02


def test_folds_are_compared_by_quick_trees_where_time_is_short(monkeypatch):
    """With a limit of a few seconds, all folds were left out of the scores."""
    from ostrya._frontier import FrontierSearch

    monkeypatch.setattr(FrontierSearch, "passes_within", lambda self, seconds: 1)
    clf = OptimalTreeClassifierCV(max_leaf_nodes=8, time_limit=None).fit(*hard_rows())
    assert clf.fold_statuses_ == ["work_limit"] * 5
    assert not np.isnan(clf.cv_results_["mean_test_score"]).any()
    assert clf.best_score_ > clf.cv_results_["mean_test_score"][0]
    assert 1 < clf.n_leaves_ <= clf.best_params_["max_leaf_nodes"]


def test_without_scores_the_tree_is_as_good_as_that_of_the_default(monkeypatch):
    """The search for the default penalty was pruned to the size of another tree."""
    monkeypatch.setattr(FitMonitor, "overtime", lambda self: 0.0)
    with pytest.warns(OptimalityWarning, match="5 of 5 folds were left out"):
        clf = OptimalTreeClassifierCV(time_limit=None).fit(*hard_rows())
    plain = OptimalTreeClassifier(time_limit=None).fit(*hard_rows())
    cost = clf.loss_ + plain.leaf_penalty_ * clf.n_leaves_
    assert cost <= plain.objective_ + 1e-12


def test_clones_pickles_files_and_reports(tmp_path):
    clf = OptimalTreeClassifierCV(max_leaf_nodes=6, max_depth=3).fit(
        *load_iris(return_X_y=True)
    )
    rows = load_iris().data
    assert not hasattr(clone(clf), "tree_")
    assert pickle.loads(pickle.dumps(clf)).tree_ == clf.tree_
    clf.save(tmp_path / "model.json")
    for kind in (OptimalTreeClassifier, OptimalTreeClassifierCV):
        again = kind.load(tmp_path / "model.json")
        assert (again.predict(rows) == clf.predict(rows)).all()
        assert again.max_leaf_nodes == clf.best_params_["max_leaf_nodes"]
        assert again.tree_ == clf.tree_
        again.save(tmp_path / "again.json")
        texts = [(tmp_path / name).read_text() for name in ("model.json", "again.json")]
        assert texts[0] == texts[1]
    assert again.best_params_ == clf.best_params_
    assert again.score(*load_iris(return_X_y=True)) == clf.score(
        *load_iris(return_X_y=True)
    )
    clf.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 0


def test_the_defaults_do_not_lose_to_one_penalty_on_small_tables():
    """By the one-standard-error rule, they lost up to four percentage points."""
    leads = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(1200, 4))
        labels = rows[:, 0] + rows[:, 1] + 0.3 * rng.normal(size=1200) > 0
        training, held_out = (rows[:200], labels[:200]), (rows[200:], labels[200:])
        clf = OptimalTreeClassifierCV(
            max_leaf_nodes=8, max_depth=3, time_limit=None
        ).fit(*training)
        plain = OptimalTreeClassifier(max_depth=3, time_limit=None).fit(*training)
        leads.append(clf.score(*held_out) - plain.score(*held_out))
    assert min(leads) > -0.03
    assert np.mean(leads) > 0
