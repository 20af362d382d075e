"""``ostrya frontier``, and ``ostrya fit --cv`` that takes what it shows."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from cli.files import run, write
from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV
from ostrya.cli.hold_out import folds_of_rows

OPTIONS = ("--target", "label", "--max-depth", "2", "--max-leaf-nodes", "4")


def table(n=120):
    chance = np.random.default_rng(3)
    age, colour = chance.integers(18, 80, n), chance.choice(["red", "blue", "green"], n)
    is_good = ((age < 40) & (colour == "red")) ^ (chance.random(n) < 0.1)
    columns = {"age": age, "colour": colour, "label": np.where(is_good, "good", "bad")}
    return pd.DataFrame(columns)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "rows.csv"
    table().to_csv(path, index=False)
    return path


@pytest.fixture
def chosen():
    """What the classifier chooses on the folds of the command line."""
    rows = table()
    fold = folds_of_rows((rows.label == "good").astype(int).to_numpy(), 5)
    cv = [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(5)]
    clf = OptimalTreeClassifierCV(
        max_leaf_nodes=4, max_depth=2, cv=cv, return_cart_score=True
    )
    return clf.fit(rows[["age", "colour"]], rows.label)


def test_the_table_has_a_line_for_every_size_and_marks_the_choice(data, chosen):
    done = run("frontier", data, *OPTIONS)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    sizes = [line for line in lines if line[:6].strip().isdecimal()]
    assert len(sizes) == len(chosen.cv_results_["params"])
    (marked,) = [line for line in sizes if line.endswith("<- chosen")]
    size = chosen.best_params_["max_leaf_nodes"]
    assert int(marked.split()[0]) == size
    assert f"{chosen.best_score_:.4f}" in marked
    assert f"At most {size} leaves, chosen by 5 folds" in done.stdout


def test_json_has_scores_bounds_and_penalties(data, chosen):
    found = json.loads(run("frontier", data, *OPTIONS, "--json").stdout)
    assert found["chosen"] == chosen.best_params_["max_leaf_nodes"]
    assert [each["score"] for each in found["sizes"]] == pytest.approx(
        list(chosen.cv_results_["mean_test_score"])
    )
    assert [each["cart_score"] for each in found["sizes"]] == pytest.approx(
        list(chosen.cv_results_["mean_cart_test_score"])
    )
    assert all(each["proved"] for each in found["sizes"])
    assert found["penalties"][0]["most_penalty"] is None
    assert found["penalties"][-1]["least_penalty"] == 0.0


@pytest.mark.parametrize("name", ["path.png", "path.svg", "path.PDF"])
def test_the_picture_is_written(data, tmp_path, name):
    pytest.importorskip("matplotlib")
    done = run("frontier", data, *OPTIONS, "--plot", tmp_path / name, "--quiet")
    assert done.exit_code == 0, done.output
    assert (tmp_path / name).stat().st_size > 1000
    assert done.stdout == ""


def test_fit_takes_the_choice_and_keeps_its_model(data, tmp_path, chosen):
    model = tmp_path / "m.json"
    done = run("fit", data, *OPTIONS, "--cv", "5", "--json", "-o", model)
    found = json.loads(done.stdout)
    assert found["chosen_leaves"] == chosen.best_params_["max_leaf_nodes"]
    assert found["loss"] == pytest.approx(chosen.loss_)
    scored = found["cross_validation"]
    assert scored["accuracy"] == pytest.approx(chosen.best_score_)
    assert sum(fold["n_rows"] for fold in scored["folds"]) == len(table())
    assert OptimalTreeClassifier.load(model).tree_.n_leaves == chosen.n_leaves_
    told = run("fit", data, *OPTIONS, "--cv", "5").stdout
    assert f"At most {found['chosen_leaves']} leaves, chosen by 5 folds" in told


@pytest.mark.parametrize(
    "more", [("--leaf-penalty", "0.02"), ("--top-k", "2"), ("--objective", "f1")]
)
def test_fit_scores_what_other_options_ask_for(data, more):
    done = run("fit", data, *OPTIONS, *more, "--cv", "3", "--json")
    found = json.loads(done.stdout)
    assert "chosen_leaves" not in found
    assert found["cross_validation"]["n_folds"] == 3


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--plot", "x.html"], "the suffix must be one of .png, .pdf, .svg"),
        (["--plot", "no/such/folder/x.png"], "the folder does not exist"),
        (["--quiet"], "--quiet requires"),
        (["--cv", "500"], "--cv must be at most 120"),
        (["--max-depth", "deep"], "an integer >= 0"),
        (["--objective", "auc"], "auc"),
        (["--max-leaf-nodes", "0"], "--max-leaf-nodes must be"),
    ],
)
def test_bad_options_are_refused_in_a_sentence(data, more, words):
    done = run("frontier", data, *OPTIONS, *more)
    assert done.exit_code == 2, done.output
    assert words in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_a_label_that_has_one_row_always_trains(tmp_path):
    rows = table().to_csv(index=False) + "99,red,odd\n"
    done = run("frontier", write(tmp_path, rows), *OPTIONS)
    assert done.exit_code == 0, done.output
