"""``--cv``, ``--hold-out`` and the scores of ``predict``."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    balanced_accuracy_score,
    fbeta_score,
    roc_auc_score,
    roc_curve,
)

from cli.files import run, write
from ostrya import OptimalTreeClassifier
from ostrya.cli.hold_out import folds_of_rows, held_out_rows
from ostrya.cli.scores import scores_of
from ostrya.objectives import FBeta, PartialAUC, WeightedAccuracy

LABELS = st.lists(st.integers(0, 3), min_size=2, max_size=60).map(
    lambda labels: np.unique(labels, return_inverse=True)[1]
)


def table(n=90, flip=0.1):
    chance = np.random.default_rng(0)
    age = chance.integers(18, 80, n)
    colour = chance.choice(["red", "blue", "green"], n)
    is_good = ((age < 40) | (colour == "red")) ^ (chance.random(n) < flip)
    columns = {"age": age, "colour": colour, "label": np.where(is_good, "good", "bad")}
    return pd.DataFrame(columns)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "rows.csv"
    table().to_csv(path, index=False)
    return path


def fit(data, *more):
    return run("fit", data, "--target", "label", "--max-depth", "2", *more)


@given(LABELS, st.floats(0.01, 0.99))
def test_shares_are_drawn_evenly_and_every_label_learns(labels, share):
    wanted, n_labels = round(share * len(labels)), len(set(labels.tolist()))
    if not 0 < wanted <= len(labels) - n_labels:
        return
    is_held_out = held_out_rows(labels, share)
    assert is_held_out.sum() == wanted
    assert set(labels[~is_held_out].tolist()) == set(labels.tolist())


@given(LABELS, st.integers(2, 8))
def test_folds_are_even_and_every_label_learns(labels, n_folds):
    counts = np.bincount(labels)
    if counts[counts > 1].sum() < n_folds:
        return
    fold = folds_of_rows(labels, n_folds)
    sizes = np.bincount(fold[fold >= 0], minlength=n_folds)
    assert sizes.max() - sizes.min() <= 1
    for number in range(n_folds):
        assert set(labels[fold != number].tolist()) == set(labels.tolist())
    assert ((fold < 0) == (counts[labels] == 1)).all()


def test_a_share_is_held_out_and_scored(data, tmp_path):
    model = tmp_path / "m.json"
    result = json.loads(fit(data, "--hold-out", "0.2", "--json", "-o", model).stdout)
    assert (result["n_rows"], result["hold_out"]["n_rows"]) == (72, 18)
    clf, rows = OptimalTreeClassifier.load(model), table()
    codes = (rows.label == "good").astype(int).to_numpy()
    is_held_out = held_out_rows(codes, 0.2)
    assert clf.tree_.n_samples[0] == 72
    held_out = rows[is_held_out]
    expected = clf.score(held_out[["age", "colour"]], held_out.label)
    assert result["hold_out"]["accuracy"] == expected
    told = fit(data, "--hold-out", "0.2").stdout
    assert f"{expected:.2%} of 18 held-out rows correct" in told
    assert "of 72 training rows correct" in told


def test_cross_validation_tells_mean_and_folds(data):
    scoring = ("--leaf-penalty", "0.02", "--cv", "3")
    result = json.loads(fit(data, *scoring, "--json").stdout)
    found = result["cross_validation"]
    scores = [fold["accuracy"] for fold in found["folds"]]
    assert result["n_rows"] == 90
    assert [fold["n_rows"] for fold in found["folds"]] == [30, 30, 30]
    assert found["accuracy"] == pytest.approx(np.mean(scores))
    assert found["accuracy_std"] == pytest.approx(np.std(scores))
    done = fit(data, *scoring)
    mean = f"{found['accuracy']:.2%} of held-out rows correct, mean of 3 folds"
    assert mean in done.stdout
    assert "Fold 1" not in done.stderr
    assert "Fold 3 of 3: " in fit(data, *scoring, "--verbose").stderr


def test_cross_validation_goes_with_costs_weights_and_rare_labels(tmp_path):
    odd = pd.DataFrame([[99, "red", "odd"]], columns=[*table()])
    rows = pd.concat([table(40), odd])
    rows.to_csv(tmp_path / "rows.csv", index=False)
    done = fit(
        *(tmp_path / "rows.csv", "--cv", "4", "--json", "--cost", "good:bad=3"),
        *("--class-weight", "odd=2", "--leaf-penalty", "0.02"),
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["cross_validation"]
    assert sum(fold["n_rows"] for fold in found["folds"]) == 40
    assert found["mean_cost"] >= 0


def test_objectives_are_scored_by_themselves():
    rows = table()
    X, y = rows[["age", "colour"]], rows.label.to_numpy()
    new, true = X[::2], y[::2]
    is_good = true == "good"
    for more, expected in (
        ({"objective": "balanced_accuracy"}, balanced_accuracy_score),
        ({"objective": "auc"}, None),
        ({"objective": FBeta(beta=2.0)}, None),
        ({"objective": WeightedAccuracy(omega=3.0)}, None),
        ({"objective": PartialAUC(max_fpr=0.2)}, None),
    ):
        clf = OptimalTreeClassifier(
            leaf_penalty=0.02, max_depth=2, max_leaf_nodes=3, **more
        ).fit(X, y)
        scores = scores_of(clf, new, true.tolist())
        name = getattr(clf.objective, "name", clf.objective)
        found, predicted = scores[name], clf.predict(new)
        if expected is not None:
            value = expected(true, predicted)
        elif name == "auc":
            value = roc_auc_score(is_good, clf.predict_proba(new)[:, 1])
        elif name == "f_beta":
            value = fbeta_score(is_good, predicted == "good", beta=2.0)
        elif name == "weighted_accuracy":
            weights = np.where(is_good, 3.0, 1.0)
            value = np.average(predicted == true, weights=weights)
        else:
            # The part of the area that lies left, by a fine grid.
            rates = roc_curve(is_good, clf.predict_proba(new)[:, 1])[:2]
            value = np.interp((np.arange(20_000) + 0.5) / 1e5, *rates).mean()
            assert found == pytest.approx(value, abs=1e-4)
            continue
        assert found == pytest.approx(value)
        assert scores["accuracy"] == pytest.approx(np.mean(predicted == true))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--cv", "3", "--hold-out", "0.2"], "--cv cannot be combined with --hold-out"),
        (["--hold-out", "0"], "--hold-out must be a share of the rows between 0 and 1"),
        (["--hold-out", "nan"], "--hold-out must be a share of the rows"),
        (["--hold-out", "0.001"], "at least one row and at most 88"),
        (["--hold-out", "0.999"], "at least one row and at most 88"),
        (["--cv", "91"], "--cv must be at most 90"),
        (["--cv", "1"], "--cv"),
    ],
)
def test_validations_out_of_order_are_refused(data, more, words):
    done = fit(data, *more)
    assert done.exit_code == 2
    assert words in done.stderr
    assert "Traceback" not in done.output


@pytest.fixture
def model(data, tmp_path):
    path = tmp_path / "model.json"
    fit(data, "-o", path)
    return path


def test_predictions_are_scored_where_the_target_is_there(data, model, tmp_path):
    clf, rows = OptimalTreeClassifier.load(model), table()
    right = clf.score(rows[["age", "colour"]], rows.label)
    assert clf.target_name_ == "label"
    done = run("predict", model, data)
    assert done.stderr == f"{right:.2%} of 90 rows correct\n"
    assert len(done.stdout.splitlines()) == 91
    said = json.loads(run("predict", model, data, "--json").stdout)
    assert said["scores"] == {"n_rows": 90, "accuracy": right}
    new = write(tmp_path, "age,colour\n30,red\n", "new.csv")
    assert run("predict", model, new).stderr == ""
    assert json.loads(run("predict", model, new, "--json").stdout)["scores"] is None


def test_only_rows_with_labels_are_scored(model, tmp_path):
    new = "age,colour,label\n30,red,good\n30,red,\n30,red,new\n30,red,bad\n"
    done = run("predict", model, write(tmp_path, new, "new.csv"))
    assert done.stderr == "33.33% of 3 rows correct (not scored: 1 without a label)\n"
    empty = write(tmp_path, "age,colour,label\n30,red,\n", "empty.csv")
    assert run("predict", model, empty).stderr == ""


def test_the_target_may_be_named(model, tmp_path):
    new = write(tmp_path, "age,colour,truth\n30,red,good\n50,red,\n", "new.csv")
    told = run("predict", model, new, "--target", "truth").stderr
    assert "100.00% of 1 row correct" in told
    done = run("predict", model, new, "--target", "trut")
    assert done.exit_code == 2
    assert "Did you mean 'truth'?" in done.stderr


@pytest.mark.parametrize(
    ("labels", "new"),
    [
        (["1", "2"], ["1.0", "2"]),
        (["true", "false"], ["True", "FALSE"]),
        (["1", "x"], ["1", "x"]),
    ],
)
def test_labels_are_compared_as_what_they_are(labels, new, tmp_path):
    def rows(names, file):
        lines = "".join(f"{i},{names[i > 3]}\n" for i in range(8))
        return write(tmp_path, f"a,label\n{lines}", file)

    model = tmp_path / "m.json"
    assert fit(rows(labels, "old.csv"), "-o", model).exit_code == 0
    done = run("predict", model, rows(new, "new.csv"))
    assert done.stderr == "100.00% of 8 rows correct\n"
