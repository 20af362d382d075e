"""The estimator's objectives of two classes, and its ROC curve."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import f1_score, fbeta_score, roc_auc_score

from ostrya import OptimalTreeClassifier, solve
from ostrya.export import plot_roc, roc_area, roc_points
from ostrya.objectives import FBeta, PartialAUC, WeightedAccuracy

RNG = np.random.default_rng(3)
X = RNG.integers(0, 4, size=(120, 3)).astype(float)
Y = np.where(X[:, 0] + RNG.normal(size=120) > 2.5, "yes", "no")


def fitted(**given):
    return OptimalTreeClassifier(leaf_penalty=0.02, **given).fit(X, Y)


def test_each_objective_is_what_scikit_learn_measures():
    auc = fitted(objective="auc")
    score = auc.predict_proba(X)[:, 1]
    assert auc.loss_ == pytest.approx(1 - roc_auc_score(Y == "yes", score))
    assert roc_area(auc.roc_points_) == pytest.approx(1 - auc.loss_)
    f1 = fitted(objective="f1")
    assert f1.loss_ == pytest.approx(1 - f1_score(Y, f1.predict(X), pos_label="yes"))
    f2 = fitted(objective=FBeta(beta=2.0))
    score = fbeta_score(Y, f2.predict(X), beta=2.0, pos_label="yes")
    assert f2.loss_ == pytest.approx(1 - score)
    for clf in (auc, f1, f2):
        assert clf.status_ == "optimal"
        assert clf.gap_ == 0.0
        assert clf.objective_ == pytest.approx(clf.loss_ + 0.02 * clf.n_leaves_)
        assert clf.feature_importances_.sum() == pytest.approx(1.0)
        assert clf.feature_importances_[0] == clf.feature_importances_.max()


@pytest.mark.parametrize(
    "objective", ["accuracy", "balanced_accuracy", WeightedAccuracy(omega=3)]
)
@pytest.mark.parametrize("engine", ["columns", "leaf_sets"])
def test_solve_knows_the_same_objectives(objective, engine):
    first = fitted(objective=objective)
    given = {"leaf_penalty": 0.02, "objective": objective, "engine": engine}
    second = solve(X, (Y == "yes").astype(int), **given)
    assert first.objective_ == pytest.approx(second.objective)


def test_a_callable_counts_weighted_errors():
    clf = OptimalTreeClassifier(
        leaf_penalty=0.1, max_depth=1, objective=lambda fp, fn: (fp + 3 * fn) / 120
    )
    clf.fit(X, Y)
    wrong = clf.predict(X) != Y
    loss = (np.sum(wrong & (Y == "no")) + 3 * np.sum(wrong & (Y == "yes"))) / 120
    assert clf.loss_ == pytest.approx(loss)
    assert clone(clf).objective is clf.objective


def test_roc_points_run_from_corner_to_corner():
    points = fitted(objective=PartialAUC(max_fpr=0.2)).roc_points_
    assert points[0].tolist() == [0.0, 0.0]
    assert points[-1].tolist() == [1.0, 1.0]
    assert (np.diff(points, axis=0) >= 0).all()
    slopes = np.diff(points[:, 1]) / np.maximum(np.diff(points[:, 0]), 1e-12)
    assert (np.diff(slopes) <= 1e-9).all()


def test_three_classes_have_no_roc_points():
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        X, X[:, 0].clip(0, 2).astype(int)
    )
    assert not hasattr(clf, "roc_points_")
    with pytest.raises(ValueError, match="two classes for a ROC curve; got 3"):
        roc_points(clf.tree_)


def test_plot_roc():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    trees = {name: fitted(objective=name).tree_ for name in ("auc", "f1", "accuracy")}
    axes = plot_roc(trees)
    assert len(axes.lines) == 4
    told = [text.get_text() for text in axes.get_legend().get_texts()]
    assert told[0].startswith("auc, area 0.")
    held_out = plot_roc(trees, X[:50], (Y[:50] == "yes").astype(int), ax=axes)
    assert held_out is axes
    with pytest.raises(
        ValueError, match="X and y must be given together; y is missing"
    ):
        plot_roc(trees, X)
    pyplot.close("all")


def test_a_model_of_a_callable_is_not_saved_as_another(tmp_path):
    saved = fitted(objective="auc")
    saved.save(tmp_path / "auc.json")
    again = OptimalTreeClassifier.load(tmp_path / "auc.json")
    assert again.objective == "auc"
    assert again.predict(X).tolist() == saved.predict(X).tolist()
    clf = OptimalTreeClassifier(max_depth=1, objective=lambda fp, fn: fp + fn)
    clf.fit(X, Y)
    with pytest.raises(TypeError, match="objective"):
        clf.save(tmp_path / "own.json")
