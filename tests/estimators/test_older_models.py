"""Model files that earlier versions wrote are read under the present names.

The files in `older_models` are of version 2, exactly as they were written.
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV, TopKTreeClassifier
from ostrya.estimators.model_upgrade import upgraded
from ostrya.objectives import FBeta, PartialAUC, WeightedAccuracy

FILES = {path.stem: path for path in Path(__file__).with_name("older_models").iterdir()}
N_ROWS = 60
X = pd.DataFrame(
    {
        "age": [7 * row % 40 + 20 for row in range(N_ROWS)],
        "colour": [("red", "green", "blue")[row % 3] for row in range(N_ROWS)],
        "dose": [row * row % 23 for row in range(N_ROWS)],
    }
)
CLASSES = {"top_k": TopKTreeClassifier, "chosen": OptimalTreeClassifierCV}


def load(name):
    return CLASSES.get(name, OptimalTreeClassifier).load(FILES[name])


def content(name):
    return json.loads(FILES[name].read_text("ascii"))


@pytest.mark.parametrize("name", sorted(FILES))
def test_files_of_version_2_are_read_and_written_anew(name, tmp_path):
    assert content(name)["version"] == 2
    clf = load(name)
    result = content(name)["result"]
    assert (clf.objective_, clf.lower_bound_) == (
        result["objective"],
        result["lower_bound"],
    )
    assert clf.result_from_file_
    clf.save(tmp_path / "new.json")
    assert json.loads((tmp_path / "new.json").read_text("ascii"))["version"] == 3
    again = type(clf).load(tmp_path / "new.json")
    assert again.get_params() == clf.get_params()
    assert (again.status_, again.gap_) == (clf.status_, clf.gap_)
    assert again.predict_proba(X).tolist() == clf.predict_proba(X).tolist()
    shares = pd.DataFrame(clf.predict_proba(X)).max(axis=1)
    assert shares.min() >= 0.5


def test_renamed_parameters_and_results_are_translated():
    assert load("accuracy").max_leaf_nodes == 5
    assert load("chosen").max_leaf_nodes == 4
    lazy = load("lazy")
    assert lazy.compression_.record == content("lazy")["result"]["cuts"]


@pytest.mark.parametrize(
    ("name", "objective"),
    [
        ("weighted_accuracy", WeightedAccuracy(omega=3.0)),
        ("f_beta", FBeta(beta=2.0)),
        ("partial_auc", PartialAUC(max_fpr=0.3)),
        ("top_k", WeightedAccuracy(omega=2.0)),
        ("balanced", "balanced_accuracy"),
        ("f1", "f1"),
    ],
)
def test_parameters_of_objectives_become_part_of_them(name, objective):
    assert load(name).objective == objective


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("guessed_thresholds", "optimal_in_guessed_thresholds"),
        ("guessed_bounds", "guessed_bounds"),
        ("guessed_all", "guessed_bounds"),
        ("lazy", "optimal_in_selected_thresholds"),
        ("lazy_guessed", "guessed_bounds"),
        ("accuracy", "optimal"),
        ("top_k", "optimal_in_top_k"),
    ],
)
def test_the_status_guessed_is_told_apart(name, status):
    assert load(name).status_ == status


@pytest.mark.parametrize(
    ("thresholds", "cut", "status"),
    [
        (None, False, "guessed_bounds"),
        (3, False, "guessed_bounds"),
        (None, True, "guessed_bounds"),
    ],
)
def test_a_guess_that_a_file_does_not_name_claims_least(thresholds, cut, status):
    result = {"status": "guessed", "guess": {"n_thresholds_after": thresholds}}
    if cut:
        result["cuts"] = {"n_rows": 2, "n_groups": 1, "n_thresholds": {"a": 1}}
    for version in (1, 2):
        old = {"version": version, "parameters": {"guess": None}, "result": result}
        assert upgraded(old)["result"]["status"] == status


def test_files_of_version_1_have_no_digest(tmp_path):
    old = content("guessed_thresholds")
    del old["digest"]
    (tmp_path / "1.json").write_text(json.dumps({**old, "version": 1}), "ascii")
    clf = OptimalTreeClassifier.load(tmp_path / "1.json")
    assert clf.status_ == "optimal_in_guessed_thresholds"


def test_files_of_version_3_know_no_older_names(tmp_path):
    old = content("accuracy")
    load("accuracy").save(tmp_path / "new.json")
    new = json.loads((tmp_path / "new.json").read_text("ascii"))
    assert "max_leaves" in old["parameters"]
    assert "max_leaves" not in new["parameters"]
