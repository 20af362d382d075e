"""Cross-validation along the frontier: counted again, and stopped at any moment."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import get_scorer, make_scorer, roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.tree import DecisionTreeClassifier

import effort
import ostrya
from ostrya import (
    OptimalityWarning,
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    TableWarning,
)
from ostrya.estimators.size_choice import choose_size, score_table, standard_errors


def noisy(n_rows=120, seed=0):
    """Rows of which a tree of three leaves says all that is not noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, 3)).astype(float)
    y = ((X[:, 0] > 1) & (X[:, 1] > 1)) ^ (rng.random(n_rows) < 0.15)
    return X, y.astype(int)


X, Y = noisy()
SMALL = {"max_leaf_nodes": 6, "max_depth": 3}
FOLDS = StratifiedKFold(5, shuffle=True, random_state=1)


def counted(size, folds=FOLDS, scoring="accuracy", labels=Y):
    """Scores of single searches for a size, by scikit-learn's own loop."""
    clf = OptimalTreeClassifier(leaf_penalty=0.0, max_depth=3, max_leaf_nodes=size)
    return cross_val_score(clf, X, labels, cv=folds, scoring=scoring)


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "neg_log_loss"])
def test_a_lone_leaf_scores_as_in_cross_val_score(scoring):
    clf = OptimalTreeClassifierCV(**SMALL, cv=FOLDS, scoring=scoring).fit(X, Y)
    scores = [clf.cv_results_[f"split{i}_test_score"][0] for i in range(5)]
    assert scores == pytest.approx(list(counted(1, scoring=scoring)))


def test_the_rules_take_what_a_direct_count_takes():
    # Few thresholds and much noise: trees of a size seldom tie, so that the two ways
    # of searching find the same trees.
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(90, 2))
    labels = ((rows[:, 0] > 0) & (rows[:, 1] > 0)) ^ (rng.random(90) < 0.1)
    means, errors = [], []
    clf = OptimalTreeClassifierCV(
        max_leaf_nodes=4, max_depth=2, cv=FOLDS, rule="one_standard_error"
    )
    clf.fit(rows, labels)
    for size in range(1, 5):
        single = OptimalTreeClassifier(
            leaf_penalty=0.0, max_depth=2, max_leaf_nodes=size
        )
        scores = cross_val_score(single, rows, labels, cv=FOLDS)
        means.append(scores.mean())
        errors.append(scores.std(ddof=1) / np.sqrt(len(scores)))
    assert clf.cv_results_["mean_test_score"] == pytest.approx(means)
    assert clf.cv_results_["standard_error_test_score"] == pytest.approx(errors)
    best = int(np.argmax(means))
    within = [i for i in range(4) if means[i] >= means[best] - errors[best]]
    assert clf.best_index_ == within[0]
    clf.set_params(rule="best").fit(rows, labels)
    assert clf.best_index_ == best
    assert clf.best_score_ == clf.cv_results_["mean_test_score"][best]


@settings(max_examples=effort.cases(60), deadline=None)
@given(st.data())
def test_one_standard_error_is_the_fewest_leaves_within_it(data):
    n_folds, n_sizes = data.draw(st.integers(2, 6)), data.draw(st.integers(1, 8))
    hits = st.lists(st.integers(0, 10), min_size=n_sizes, max_size=n_sizes)
    scores = np.array([data.draw(hits) for _ in range(n_folds)]) / 10
    table = score_table(scores)
    best, chosen = (choose_size(table, rule) for rule in ("best", "one_standard_error"))
    means = [sum(column) / n_folds for column in scores.T]
    assert means[best] == pytest.approx(max(means))
    spread = sum((s - means[best]) ** 2 for s in scores[:, best]) / (n_folds - 1)
    least = means[best] - (spread / n_folds) ** 0.5
    assert chosen <= best
    assert means[chosen] >= least - 1e-12
    assert all(mean < least + 1e-12 for mean in means[:chosen])
    assert table["rank_test_score"][best] == 1


def test_one_fold_has_no_spread():
    assert (standard_errors(np.array([[0.5, 0.7]])) == 0).all()
    cv = ShuffleSplit(1, random_state=0)
    one = OptimalTreeClassifierCV(**SMALL, cv=cv, rule="one_standard_error").fit(X, Y)
    best = OptimalTreeClassifierCV(**SMALL, cv=cv, rule="best").fit(X, Y)
    assert one.best_index_ == best.best_index_


def test_the_tree_is_the_best_of_its_size_on_all_rows():
    clf = OptimalTreeClassifierCV(**SMALL).fit(X, Y)
    size = clf.best_params_["max_leaf_nodes"]
    alone = ostrya.solve(X, Y, leaf_penalty=0, max_depth=3, max_leaf_nodes=size)
    assert clf.status_ == "optimal"
    assert clf.loss_ == clf.objective_ == pytest.approx(alone.loss)
    assert np.mean(clf.predict(X) != Y) == pytest.approx(clf.loss_)
    assert clf.n_leaves_ == clf.tree_.n_leaves <= size
    assert clf.frontier_.at_leaves(size).tree == clf.tree_


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_jobs_change_nothing(n_jobs):
    options = {**SMALL, "cv": FOLDS, "return_train_score": True}
    one = OptimalTreeClassifierCV(**options).fit(X, Y)
    many = OptimalTreeClassifierCV(**options, n_jobs=n_jobs).fit(X, Y)
    assert one.tree_ == many.tree_
    assert one.cv_results_.keys() == many.cv_results_.keys()
    for name, column in one.cv_results_.items():
        assert np.array_equal(column, many.cv_results_[name])
    assert (np.diff(one.cv_results_["mean_train_score"]) >= 0).all()


def test_weights_are_copies_of_rows():
    weights = np.random.default_rng(2).integers(0, 3, len(Y))
    fold = np.arange(len(Y)) % 3
    copies = np.repeat(np.arange(len(Y)), weights)
    cv = [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(3)]
    copied = fold[copies]
    cv_copied = [
        (np.flatnonzero(copied != i), np.flatnonzero(copied == i)) for i in range(3)
    ]
    one = OptimalTreeClassifierCV(max_leaf_nodes=3, max_depth=2, cv=cv).fit(
        X, Y, sample_weight=weights
    )
    two = OptimalTreeClassifierCV(max_leaf_nodes=3, max_depth=2, cv=cv_copied).fit(
        X[copies], Y[copies]
    )
    assert one.loss_ == pytest.approx(two.loss_)
    for i in range(3):
        name = f"split{i}_test_score"
        assert one.cv_results_[name] == pytest.approx(two.cv_results_[name])


@pytest.mark.parametrize("kind", ["pandas", "polars", "objects"])
def test_tables_and_words(kind):
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["colour"] = np.where(X[:, 2] > 1, "red", "blue")
    frame.loc[::7, "a"] = None
    labels = np.where(Y == 1, "yes", "no")
    table = frame
    if kind == "polars":
        table = pytest.importorskip("polars").from_pandas(frame)
    elif kind == "objects":
        table = frame.to_numpy(dtype=object)
    clf = OptimalTreeClassifierCV(max_leaf_nodes=4, max_depth=2, cv=3).fit(
        table, labels
    )
    assert set(clf.predict(table)) <= {"yes", "no"}
    assert clf.score(table, labels) == np.mean(clf.predict(table) == labels)
    assert clf.classes_.tolist() == ["no", "yes"]
    if kind != "objects":
        assert clf.feature_names_in_.tolist() == list(frame.columns)
        assert "b <= 1.5?" in str(clf.frontier_.at_leaves(2).tree)


def test_folds_may_lack_classes():
    labels = np.repeat(["a", "b", "c"], 40)
    cv = KFold(3)  # each fold lacks one class
    costs = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    clf = OptimalTreeClassifierCV(
        max_leaf_nodes=3,
        max_depth=2,
        cv=cv,
        cost_matrix=costs,
        class_weight={"a": 2.0, "c": 1.5},
    )
    with pytest.warns(TableWarning, match="no larger tree scored better"):
        clf.fit(X, labels)
    assert (clf.cv_results_["mean_test_score"] == 0).all()
    assert clf.best_params_ == {"max_leaf_nodes": 1}


def test_groups_go_to_the_splitter():
    groups = np.arange(len(Y)) % 4
    clf = OptimalTreeClassifierCV(max_leaf_nodes=3, max_depth=2, cv=GroupKFold(4))
    assert clf.fit(X, Y, groups=groups).n_splits_ == 4
    with pytest.raises(TypeError, match="unless metadata routing is enabled"):
        clf.fit(X, Y, colours=groups)


def test_metadata_is_routed():
    weights = np.where(Y == 1, 3.0, 1.0)
    folds = GroupKFold(4)
    groups = np.arange(len(Y)) % 4
    with sklearn.config_context(enable_metadata_routing=True):
        for wanted in (True, False):
            scorer = get_scorer("accuracy").set_score_request(sample_weight=wanted)
            clf = OptimalTreeClassifierCV(
                max_leaf_nodes=3, max_depth=2, cv=folds, scoring=scorer
            )
            clf.set_fit_request(sample_weight=True)
            clf.fit(X, Y, sample_weight=weights, groups=groups)
            test = np.flatnonzero(groups == groups[0])
            found = [clf.cv_results_[f"split{i}_test_score"][0] for i in range(4)]
            used = weights if wanted else np.ones(len(Y))
            majority = np.argmax(np.bincount(Y, weights))
            right = np.average(Y[test] == majority, weights=used[test])
            assert np.isclose(found, right).any()


def test_any_scorer_and_its_own_score():
    area = make_scorer(roc_auc_score, response_method="predict_proba")
    clf = OptimalTreeClassifierCV(**SMALL, scoring=area).fit(X, Y)
    assert clf.cv_results_["mean_test_score"][0] == 0.5
    assert clf.score(X, Y) == roc_auc_score(Y, clf.predict_proba(X)[:, 1])
    plain = OptimalTreeClassifierCV(
        **SMALL, scoring=lambda model, X, y: -model.tree_.n_leaves
    )
    with pytest.warns(TableWarning, match="single leaf"):
        plain.fit(X, Y, sample_weight=np.ones(len(Y)))
    assert plain.n_leaves_ == 1


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("n_searched", [0, 1, 3])
def test_a_stop_leaves_out_the_folds_that_are_not_scored(
    n_jobs, n_searched, monkeypatch
):
    """Stop in the search after `n_searched` others, whenever the engine looks."""
    from ostrya.estimators import fold_scores

    searched = []

    class Searched(fold_scores.FrontierSearch):
        def __init__(self, data, settings, *others):
            super().__init__(data, settings, *others)
            searched.append(len(data.codes))
            if len(searched) > n_searched:
                settings.on_progress(ostrya.results.Progress(0.0, 0.0, 1.0, 1, 1, 1))

    monkeypatch.setattr(fold_scores, "FrontierSearch", Searched)
    clf = OptimalTreeClassifierCV(**SMALL, n_jobs=n_jobs)
    with pytest.warns(OptimalityWarning, match="interrupted"):
        clf.fit(X, Y, on_progress=lambda p: len(searched) > n_searched)
    assert clf.status_ == "interrupted"
    n_scored = clf.fold_statuses_.count("optimal")
    # What is done when it hears of the stop counts; one more may run beside it.
    assert n_scored <= (n_searched if n_jobs is None else n_searched + 1) * (
        n_searched > 0
    )
    assert n_scored + clf.fold_statuses_.count("interrupted") == clf.n_splits_ == 5
    assert np.isnan(clf.best_score_) == (n_scored == 0)
    assert len(clf.predict(X)) == len(Y)


def test_a_time_limit_gives_every_fold_its_share(monkeypatch):
    from ostrya.estimators import fold_scores

    limits = []

    class Noted(fold_scores.FrontierSearch):
        def __init__(self, data, settings, *others):
            super().__init__(data, settings, *others)
            limits.append(settings.limits.time_limit)

    monkeypatch.setattr(fold_scores, "FrontierSearch", Noted)
    OptimalTreeClassifierCV(max_leaf_nodes=3, max_depth=2, time_limit=7000.0).fit(X, Y)
    # All rows, five folds, and the search of the chosen size, which comes last.
    shares = [7000 / n for n in (7, 6, 5, 4, 3, 2)]
    assert limits == pytest.approx(shares, rel=0.1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rule", "largest"),
        ("rule", 1),
        ("objective", "auc"),
        ("max_leaf_nodes", 0),
        ("max_depth", -1),
        ("time_limit", -1),
    ],
)
def test_bad_arguments_are_turned_away(name, value):
    with pytest.raises((TypeError, ValueError), match=f"{name} must be"):
        OptimalTreeClassifierCV().set_params(**{name: value}).fit(X, Y)


def test_scores_of_cart_are_those_of_scikit_learn():
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(150, 3))
    labels = ((rows[:, 0] > 0) & (rows[:, 1] > 0)) ^ (rng.random(150) < 0.1)
    clf = OptimalTreeClassifierCV(
        max_leaf_nodes=6, max_depth=3, cv=FOLDS, return_cart_score=True
    )
    clf.fit(rows, labels)
    for size in range(2, 7):
        cart = DecisionTreeClassifier(max_leaf_nodes=size, max_depth=3, random_state=0)
        scores = cross_val_score(cart, rows, labels, cv=FOLDS)
        mean = clf.cv_results_["mean_cart_test_score"][size - 1]
        # Thresholds of fewer digits may part the rows held out elsewhere.
        assert mean == pytest.approx(scores.mean(), abs=0.02)
    plain = OptimalTreeClassifierCV(max_leaf_nodes=6, max_depth=3, cv=FOLDS).fit(
        rows, labels
    )
    assert "mean_cart_test_score" not in plain.cv_results_
    assert plain.tree_ == clf.tree_
    assert clf.cv_results_["mean_test_score"] == pytest.approx(
        plain.cv_results_["mean_test_score"]
    )


class Trees:
    """A scorer that keeps the trees it was shown."""

    def __init__(self):
        self.shown = []

    def __call__(self, estimator, X, y):
        self.shown.append(estimator.tree_)
        return 0.0


def with_missing(values):
    """The same rows, of which some miss a value: each fold ranks them by itself."""
    table = values.copy()
    table[::7, 0] = np.nan
    return table


@pytest.mark.filterwarnings("ignore:The tree is a single leaf")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "table",
    [lambda values: values, pd.DataFrame, with_missing],
    ids=["array", "frame", "missing"],
)
def test_folds_that_share_ranks_find_the_trees_of_their_rows_alone(table, weighted):
    rng = np.random.default_rng(2)
    values = rng.normal(size=(60, 2)).round(1)  # some values are in one fold alone
    y = ((values[:, 0] > 0.3) ^ (rng.random(60) < 0.2)).astype(int)
    weights = rng.integers(0, 3, 60).astype(float) if weighted else None
    rows, trees = table(values), Trees()
    clf = OptimalTreeClassifierCV(
        max_leaf_nodes=4, max_depth=2, cv=FOLDS, scoring=trees
    )
    clf.fit(rows, y, sample_weight=weights)
    for train, _ in FOLDS.split(values, y):
        part = rows.iloc[train] if isinstance(rows, pd.DataFrame) else rows[train]
        alone = OptimalTreeClassifierCV(max_leaf_nodes=4, max_depth=2, cv=2)
        alone.fit(part, y[train], None if weights is None else weights[train])
        # A size that adds nothing is not scored again.
        different = {id(point.tree): point.tree for point in alone.frontier_.points}
        for tree in different.values():
            shown = trees.shown.pop(0)
            np.testing.assert_array_equal(shown.feature, tree.feature)
            np.testing.assert_array_equal(shown.threshold, tree.threshold)
            assert shown.questions == tree.questions
    assert not trees.shown


NOTHING = np.array([], dtype=int)


@pytest.mark.parametrize(
    ("fold", "weights", "numbers"),
    [
        ((NOTHING, np.arange(9)), None, "0 and 9"),
        ((np.arange(9), NOTHING), None, "9 and 0"),
        ((np.arange(9), np.arange(9, 20)), np.arange(len(Y)) >= 9, "0 and 11"),
    ],
)
def test_a_fold_without_rows_is_named(fold, weights, numbers):
    folds = [(np.arange(60), np.arange(60, 120)), fold]
    clf = OptimalTreeClassifierCV(**SMALL, cv=folds)
    with pytest.raises(ValueError, match=f"cv must produce .* got {numbers} in fold 1"):
        clf.fit(X, Y, weights)


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss"])
@pytest.mark.filterwarnings("ignore:Only one class")
def test_a_scorer_that_fails_on_a_fold_says_of_which_classes(scoring):
    order = np.argsort(Y, kind="stable")
    clf = OptimalTreeClassifierCV(**SMALL, cv=KFold(2), scoring=scoring)
    with pytest.raises(ValueError, match=r"(1 class|2 classes), where .* with cv"):
        clf.fit(X[order], Y[order])
