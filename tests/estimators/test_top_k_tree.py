"""TopKTreeClassifier as people will use it."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from ostrya import OptimalityWarning, OptimalTreeClassifier, TopKTreeClassifier
from ostrya._solve.options import OPTIONS

WINE = load_wine(return_X_y=True)


def noisy_rows(seed=0, n=300):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, 12)).astype(float)
    y = (X[:, 0] != X[:, 1]) ^ (rng.random(n) < 0.2)
    return X, y


def test_no_choice_is_as_accurate_as_a_greedy_tree():
    X, y = load_breast_cancer(return_X_y=True)
    for criterion in ("entropy", "gini"):
        ours = TopKTreeClassifier(
            leaf_penalty=0, max_depth=3, k=1, criterion=criterion
        ).fit(X, y)
        cart = DecisionTreeClassifier(max_depth=3, criterion=criterion, random_state=0)
        assert 1 - ours.loss_ == pytest.approx(cart.fit(X, y).score(X, y))


def test_all_choice_is_the_optimal_tree():
    X, y = WINE
    ours = TopKTreeClassifier(k="all", max_depth=2, leaf_penalty=0.01).fit(X, y)
    best = OptimalTreeClassifier(max_depth=2, leaf_penalty=0.01).fit(X, y)
    assert ours.status_ == best.status_ == "optimal"
    assert ours.objective_ == best.objective_


def test_what_was_proved_is_kept():
    X, y = WINE
    clf = TopKTreeClassifier(k=4, max_depth=2).fit(X, y)
    assert clf.status_ == "optimal_in_top_k"
    assert clf.gap_ == 0.0
    assert clf.lower_bound_ == clf.objective_
    assert clf.k_ == 4
    assert clf.k_losses_ == {}
    assert clf.depth_ <= 2
    assert len(clf.trace_) > 0
    assert clf.score(X, y) == pytest.approx(1 - clf.loss_)
    assert clf.feature_importances_.sum() == pytest.approx(1.0)


def test_weights_costs_and_classes():
    X, y = WINE
    names = np.array(["red", "rosé", "white"])[y]
    weights = np.where(y == 2, 3.0, 1.0)
    costs = [[0, 1, 5], [1, 0, 1], [5, 1, 0]]
    clf = TopKTreeClassifier(
        k=3, max_depth=2, cost_matrix=costs, class_weight={"red": 2.0}, criterion="sqrt"
    )
    clf.fit(X, names, sample_weight=weights)
    predicted = np.searchsorted(clf.classes_, clf.predict(X))
    weights = weights * np.where(y == 0, 2.0, 1.0)
    loss = np.average(np.array(costs)[y, predicted], weights=weights)
    assert clf.loss_ == pytest.approx(loss)


def test_tables_with_categories_and_gaps():
    X = [[20, "red"], [35, "red"], [40, "blue"], [18, "blue"], [None, "red"]]
    clf = TopKTreeClassifier(k=2, max_depth=2, leaf_penalty=0.01).fit(
        X, ["no", "yes", "no", "no", "yes"]
    )
    assert clf.loss_ == 0.0


def test_auto_chooses_by_held_out_rows_whatever_their_order():
    X, y = noisy_rows()
    clf = TopKTreeClassifier(k="auto", max_depth=2, time_limit=None).fit(X, y)
    assert clf.k_ in clf.k_losses_
    assert clf.k_losses_[clf.k_] == min(clf.k_losses_.values())
    assert list(clf.k_losses_) == [2**i for i in range(len(clf.k_losses_))]
    assert clf.k == "auto"
    order = np.random.default_rng(1).permutation(len(X))
    again = clone(clf).fit(X[order], y[order])
    assert again.k_ == clf.k_
    assert again.k_losses_ == clf.k_losses_
    fixed = TopKTreeClassifier(k=clf.k_, max_depth=2).fit(X, y)
    assert fixed.objective_ == clf.objective_


def test_auto_finds_that_choice_pays():
    # Two features that say nothing alone and everything together, and one that says
    # a little: the greedy tree starts with the latter.
    rng = np.random.default_rng(2)
    X = rng.integers(0, 2, (400, 3)).astype(float)
    y = X[:, 0] != X[:, 1]
    X[:, 2] = np.where(rng.random(400) < 0.6, y, X[:, 2])
    clf = TopKTreeClassifier(k="auto", max_depth=2).fit(X, y)
    assert clf.k_ > 1
    assert clf.loss_ == 0.0


def test_auto_with_hardly_any_rows():
    clf = TopKTreeClassifier(leaf_penalty=0.01, k="auto").fit([[0.0], [1.0]], [0, 1])
    assert clf.predict([[0.0], [1.0]]).tolist() == [0, 1]
    assert (
        TopKTreeClassifier(k="auto", max_leaf_nodes=1).fit([[0.0]], [1]).n_leaves_ == 1
    )


def test_auto_with_hardly_any_time():
    X, y = noisy_rows()
    clf = TopKTreeClassifier(k="auto", max_depth=3, time_limit=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimalityWarning)
        clf.fit(X, y)
    assert clf.k_ == 1
    assert clf.n_leaves_ >= 1


def test_a_stopped_search_warns_of_the_trees_that_k_lets_in():
    rng = np.random.default_rng(3)
    X, y = rng.random((300, 20)), rng.integers(0, 2, 300)
    clf = TopKTreeClassifier(k=64, max_depth=6)
    with pytest.warns(OptimalityWarning, match="interrupted.*best tree for this k"):
        clf.fit(X, y, on_progress=lambda progress: True)
    assert clf.status_ == "interrupted"
    assert clf.lower_bound_ <= clf.objective_


def test_a_model_is_saved_and_loaded(tmp_path):
    X, y = WINE
    clf = TopKTreeClassifier(k=[4, 2], max_depth=2).fit(X, y)
    clf.save(tmp_path / "model.json")
    again = TopKTreeClassifier.load(tmp_path / "model.json")
    assert again.get_params()["k"] == [4, 2]
    assert again.status_ == "optimal_in_top_k"
    assert (again.predict(X) == clf.predict(X)).all()


def test_grid_search_over_k():
    X, y = noisy_rows()
    search = GridSearchCV(
        TopKTreeClassifier(max_depth=2), {"k": [1, 2, 4]}, cv=3, error_score="raise"
    )
    search.fit(X, y)
    assert search.best_params_["k"] in (1, 2, 4)


@pytest.mark.parametrize("k", [0, -1, 0.0, 2.5, "some", None, [], [3, "x"], True])
def test_bad_k_is_turned_away(k):
    with pytest.raises((TypeError, ValueError), match=r"k(\[1\])? must"):
        TopKTreeClassifier(leaf_penalty=0.01, k=k).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("k", [2, "auto"])
def test_unknown_words_are_turned_away(k):
    for name in ("criterion", "candidates"):
        with pytest.raises(ValueError, match=f"{name} must be one of"):
            TopKTreeClassifier(leaf_penalty=0.01, k=k, **{name: "log"}).fit(
                [[0.0], [1.0]], [0, 1]
            )


def test_the_signature_follows_the_table_of_options():
    signature = inspect.signature(TopKTreeClassifier).parameters
    own = {"upper_bound", "time_limit", "max_depth", "leaf_penalty"}
    for name in OPTIONS.keys() - own:
        assert signature[name].default == OPTIONS[name].default


@pytest.mark.parametrize("objective", ["auc", "f1", "x", 3, lambda fp, fn: fp + fn])
def test_objectives_that_do_not_add_up_are_refused(objective):
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    words = 'objective must be "accuracy", "balanced_accuracy"'
    for k in (1, "auto"):
        with pytest.raises((ValueError, TypeError), match=words) as refusal:
            TopKTreeClassifier(k=k, objective=objective).fit(X, y)
        assert "top_k" not in str(refusal.value)  # the class has no such parameter


def test_the_message_about_k_tells_all_that_is_allowed():
    X, y = [[0.0], [1.0]], [0, 1]
    for k in ("many", None, 0, np.array(2.5), np.array([[1, 2]])):
        with pytest.raises((TypeError, ValueError), match="k must be") as refusal:
            TopKTreeClassifier(k=k).fit(X, y)
        for words in ("integer >= 1", "share in (0, 1]", '"all"', "a list", '"auto"'):
            assert words in str(refusal.value)
    with pytest.raises(TypeError, match=r"k\[1\] must be .*got 'auto'"):
        TopKTreeClassifier(k=[1, "auto"]).fit(X, y)


@pytest.mark.parametrize(
    ("k", "levels"),
    [(np.array([1, 2]), [1, 2]), (range(1, 3), [1, 2]), (np.array([0.1, 0.2]), None)],
    ids=["array", "range", "shares"],
)
def test_ranges_and_arrays_are_lists(k, levels, tmp_path):
    X, y = WINE
    levels = levels or k.tolist()
    clf = TopKTreeClassifier(k=k, max_depth=3).fit(X, y)
    listed = TopKTreeClassifier(k=levels, max_depth=3).fit(X, y)
    assert clf.tree_ == listed.tree_
    clf.save(tmp_path / "model.json")
    assert TopKTreeClassifier.load(tmp_path / "model.json").get_params()["k"] == levels


def test_a_list_is_saved_as_it_is(tmp_path):
    X, y = WINE
    for k in ([4, "all"], [2, 0.5], (3, 1)):
        TopKTreeClassifier(k=k, max_depth=2).fit(X, y).save(tmp_path / "model.json")
        again = TopKTreeClassifier.load(tmp_path / "model.json").get_params()["k"]
        assert again == list(k)
        assert [type(width) for width in again] == [type(width) for width in k]
