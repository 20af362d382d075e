"""What a guess says of its reference and of its tree is true."""

from __future__ import annotations

import math
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import f1_score, fbeta_score

from ostrya import OptimalTreeClassifier
from ostrya._guesses.hold_out import HoldOut
from ostrya._guesses.label_loss import LabelLoss
from ostrya._guesses.scorer import Scorer
from ostrya.exceptions import ReferenceWarning
from ostrya.guesses import Guess
from ostrya.objectives import FBeta, PartialAUC

SMALL = GradientBoostingClassifier(n_estimators=10, max_depth=2, random_state=0)


def learnable(n=300, seed=0, flip=0.1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).round(2)
    y = ((X[:, 0] > 0.3) | (X[:, 1] > 1)) ^ (rng.random(n) < flip)
    return X, y.astype(int)


def chance_rows(n=300, seed=0, p=0.5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 4)), (rng.random(n) < p).astype(int)


def tree(**options):
    options = {"time_limit": None, **options}  # on a busy machine, too
    return OptimalTreeClassifier(leaf_penalty=0.02, max_depth=2, **options)


def warned_of(clf, X, y, **more):
    """Return what the reference is said to be; None when nothing is said."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clf.fit(X, y, **more)
    said = [w for w in caught if issubclass(w.category, ReferenceWarning)]
    assert len(said) <= 1
    return str(said[0].message) if said else None


# --- a reference at chance --------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_auto_warns_where_there_is_nothing_to_learn(seed):
    message = warned_of(tree(guess="auto"), *chance_rows(seed=seed))
    assert message.startswith("The guess is of little use")
    assert "for the most frequent label for all rows" in message
    numbers = r"accuracy of ([\d.]+)% on held-out rows, compared with ([\d.]+)%"
    gets, label_gets = map(float, re.search(numbers, message).groups())
    assert ("not significant for 300 rows" in message) == (gets > label_gets)


def test_a_lead_on_few_rows_is_not_called_nothing():
    # It was, of 85 % where one label for all gets 50 %.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2))
    y = (X[:, 0] + rng.normal(size=20) * 0.5 > 0).astype(int)
    message = warned_of(tree(guess="auto"), X, y)
    assert "accuracy of 85.0% on held-out rows, compared with 50.0% for" in message
    assert "which is not significant for 20 rows" in message
    assert "Use more rows, or set a more accurate reference" in message


def test_auto_warns_where_boosting_cannot_see_the_pattern():
    X = np.random.default_rng(0).normal(size=(400, 5))
    y = (X[:, :3].prod(axis=1) > 0).astype(int)
    assert "most frequent label" in warned_of(tree(guess="auto"), X, y)


@pytest.mark.parametrize(
    "options",
    [
        {"objective": "f1", "guess": "thresholds"},
        {"objective": "auc", "guess": "thresholds", "max_leaf_nodes": 2},
        {"objective": lambda fp, fn: fp + 2 * fn, "guess": "thresholds"},
        {"cost_matrix": [[0, 3], [1, 0]], "guess": "auto"},
        {"class_weight": "balanced", "guess": "auto"},
    ],
)
def test_chance_is_told_from_learning_by_the_objective(options):
    options = {"max_leaf_nodes": 3, "time_limit": 400} | options
    X, y = chance_rows(200, p=0.3)
    message = warned_of(tree(**options), X, y)
    assert "has a loss of" in message or "has an accuracy of" in message
    assert warned_of(tree(**options), *learnable(200)) is None


def test_rare_positives_that_are_found_are_no_chance():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1500, 3))
    y = (X[:, 0] > 1.75).astype(int)  # four rows in a hundred
    y = np.where(rng.random(1500) < 0.005, 1 - y, y)
    assert warned_of(tree(guess="auto"), X, y) is None


def test_a_rare_third_class_hides_nothing():
    X, y = chance_rows()
    y[:2] = 2
    assert "most frequent label" in warned_of(tree(guess="auto"), X, y)


# --- a reference that was fitted --------------------------------------------------


def test_a_fitted_reference_is_judged_by_what_it_says_itself():
    X, y = learnable()
    other = np.random.default_rng(5).integers(0, 2, len(y))
    forest = RandomForestClassifier(10, max_depth=3, random_state=0).fit(X, other)
    share = np.mean(forest.predict(X) == y)
    message = warned_of(tree(guess=forest), X, y)
    assert f"an accuracy of {share:.1%} on the training rows, compared" in message


def test_a_fitted_reference_behind_boosting_is_told_in_true_numbers():
    X, y = learnable(600, flip=0.02)
    weak = GradientBoostingClassifier(n_estimators=3, max_depth=1, random_state=0)
    weak.fit(X, np.where(X[:, 1] > 0.2, 1, 0))
    share = np.mean(weak.predict(X) == y)
    message = warned_of(tree(guess=weak), X, y)
    assert f"an accuracy of {share:.1%} on the training rows, compared" in message


def test_a_good_fitted_reference_is_not_warned_of():
    X, y = learnable()
    fitted = GradientBoostingClassifier(random_state=0).fit(X, y)
    assert warned_of(tree(guess=FrozenEstimator(fitted)), X, y) is None


@pytest.mark.parametrize("seed", range(2))
def test_the_verdict_does_not_depend_on_names_or_order(seed):
    rng = np.random.default_rng(seed)
    X, y = learnable(90, seed, flip=0.38)
    y[:15] = 2
    names = np.array(["a", "b", "c"])
    said = {warned_of(tree(guess="auto"), X, names[y])}
    for _ in range(2):
        order = rng.permutation(len(y))
        renamed = rng.permutation(names)[y]
        said.add(warned_of(tree(guess="auto"), X[order], renamed[order]))
    assert len(said) == 1


def test_held_out_predictions_do_not_depend_on_names():
    X, y = learnable(120)
    lost = set()
    for codes in (y, 1 - y):
        scorer = Scorer(LabelLoss(), codes, None, 2)
        hold_out = HoldOut.of(X, scorer)
        predicted = hold_out.predictions(SMALL)
        lost.add(hold_out.scorer.loss_of(predicted))
        assert set(np.bincount(hold_out.fold)) == {40}
    assert len(lost) == 1


def test_the_reference_predicts_labels_from_tables():
    X, y = learnable()
    table = pd.DataFrame(X, columns=list("abcd"))
    table["e"] = np.where(X[:, 2] > 0, "red", "blue")
    table.loc[::9, "a"] = np.nan
    labels = np.where(y == 1, "yes", "no")
    for guess in ("auto", Guess(SMALL, thresholds=False)):
        clf = tree(guess=guess).fit(table, labels)
        report = clf.guess_
        predicted = report.reference.predict(table)
        assert np.mean(predicted == labels) == pytest.approx(
            report.reference_score_before
        )
        assert report.reference.score(table, labels) == np.mean(predicted == labels)
        if guess == "auto":
            again = report.refit.predict(table)
            assert np.mean(again == labels) == pytest.approx(
                report.reference_score_after
            )
        with pytest.raises(ValueError, match="feature names should match"):
            report.reference.predict(table[list("edcba")])
    as_list = X.tolist()
    assert len(tree(guess="auto").fit(as_list, y).guess_.reference.predict(as_list))


# --- the report -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("objective", "others", "loss"),
    [
        ("accuracy", {}, lambda y, p: np.mean(y != p)),
        ("f1", {}, lambda y, p: 1 - f1_score(y, p)),
        (FBeta(beta=2.0), {}, lambda y, p: 1 - fbeta_score(y, p, beta=2)),
        (
            lambda fp, fn: 3 * fp + fn,
            {"leaf_penalty": 5.0},
            lambda y, p: 3 * np.sum(p > y) + np.sum(p < y),
        ),
    ],
)
def test_tree_and_reference_are_measured_alike(objective, others, loss):
    X, y = learnable(150)
    clf = tree(objective=objective, max_leaf_nodes=3, guess=Guess(SMALL, bounds=False))
    report = clf.set_params(**others).fit(X, y).guess_
    assert clf.loss_ == pytest.approx(loss(y, clf.predict(X)))
    for name, model in (("reference", report.reference), ("refit", report.refit)):
        lost = loss(y, model.predict(X))
        assert getattr(report, f"{name}_loss") == pytest.approx(lost)
        assert getattr(report, f"loss_above_{name}") == pytest.approx(clf.loss_ - lost)
    above = (clf.lower_bound_ - report.reference_loss) / clf.leaf_penalty
    assert report.least_leaves_to_match == max(math.ceil(above - 1e-6), 1)


@pytest.mark.parametrize("objective", ["auc", PartialAUC(max_fpr=0.5)])
def test_labels_are_not_compared_with_rankings(objective):
    X, y = learnable(100)
    clf = tree(objective=objective, max_leaf_nodes=2)
    report = clf.set_params(guess=Guess(SMALL, bounds=False)).fit(X, y).guess_
    assert report.reference_loss is None
    assert report.loss_above_reference is None
    assert report.least_leaves_to_match is None
    assert report.loss_above_refit is None


def test_the_tree_is_compared_with_the_reference_before_thresholds_went():
    X, y = learnable(400, flip=0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = tree(guess=Guess(SMALL, max_drop=0.1)).fit(X, y)
    report = clf.guess_
    assert report.reference_score_after < report.reference_score_before
    assert report.reference_loss == pytest.approx(1 - report.reference_score_before)
    assert report.refit_loss == pytest.approx(1 - report.reference_score_after)
    assert report.loss_above_reference == clf.loss_ - report.reference_loss
    assert report.loss_above_refit == clf.loss_ - report.refit_loss
    assert report.loss_above_refit < report.loss_above_reference


@pytest.mark.parametrize("guess", ["thresholds", "depth"])
def test_without_guessed_thresholds_there_is_no_refit(guess):
    report = tree(guess=guess).fit(*learnable()).guess_
    has_refit = guess == "thresholds"
    assert (report.refit is not None) == has_refit
    assert (report.refit_loss is not None) == has_refit


@pytest.mark.parametrize("seed", range(5))
def test_no_tree_like_the_reference_has_fewer_leaves(seed):
    X, y = learnable(200, seed, flip=0.2)
    like = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=2).fit(X, y)
    guess = Guess(FrozenEstimator(like), thresholds=False, depth=False, check=False)
    clf = OptimalTreeClassifier(leaf_penalty=0.02, max_depth=2, guess=guess).fit(X, y)
    assert clf.guess_.least_leaves_to_match <= like.n_leaves_


# --- what is refused --------------------------------------------------------------


@pytest.mark.parametrize("name", ["thresholds", "depth", "bounds", "check"])
@pytest.mark.parametrize("value", ["no", 1, None, "x"])
def test_parts_are_true_or_false(name, value):
    with pytest.raises(TypeError, match=f"{name} of Guess must be True or False"):
        tree(guess=Guess(SMALL, **{name: value})).fit(*learnable(40))


@pytest.mark.parametrize("thresholds", [True, False])
@pytest.mark.parametrize("drop", [-3, 1.0, np.nan, "0.1", True, None])
def test_max_drop_is_a_share(drop, thresholds):
    guess = Guess(SMALL, thresholds=thresholds, max_drop=drop)
    with pytest.raises((TypeError, ValueError), match="max_drop of Guess must be a n"):
        tree(guess=guess).fit(*learnable(40))
