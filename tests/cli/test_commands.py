"""fit, predict, show, plot and demo do what they say."""

from __future__ import annotations

import gzip
import inspect
import json
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from cli.files import CARS, TOY, hard_csv, run, write
from ostrya import OptimalTreeClassifier
from ostrya._solve.options import OPTIONS
from ostrya.cli.options import estimator_parameters
from ostrya.objectives import WeightedAccuracy

COLOUR = re.compile(r"\x1b\[")


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    done = run("fit", write(tmp_path), "--target", "label", TOY, "-o", path)
    assert done.exit_code == 0, done.output
    return path


def test_fit_shows_the_tree_its_numbers_and_its_proof(tmp_path):
    done = run(
        "fit", write(tmp_path), "--target", "label", TOY, "-o", tmp_path / "m.json"
    )
    assert done.exit_code == 0
    assert "├─ yes: " in done.stdout
    assert "100.00% of 7 training rows correct" in done.stdout
    assert "Proved: no tree" in done.stdout
    assert "Wrote" in done.stderr
    assert not COLOUR.search(done.output), "no colours but on a terminal"


def test_fit_in_json_is_one_document(tmp_path):
    path = tmp_path / "m.json"
    done = run("fit", write(tmp_path), "--target", "label", TOY, "-o", path, "--json")
    result = json.loads(done.stdout)
    clf = OptimalTreeClassifier.load(path)
    assert result["status"] == "optimal"
    assert result["proved_optimal"] is True
    assert result["objective"] == clf.objective_
    assert result["tree"] == clf.tree_.to_dict()
    assert result["accuracy"] == 1.0
    assert result["file"] == str(path)


def test_cells_are_read_as_what_they_are(model):
    features = OptimalTreeClassifier.load(model).encoder_.features
    kinds = [(f.name, f.kind, f.has_missing) for f in features]
    assert kinds == [
        ("age", "number", True),
        ("colour", "level", True),
        ("owner", "boolean", True),
        ("price", "number", False),
    ]


def test_every_kind_of_file_gives_the_same_model(tmp_path, model):
    typed = pa.table(
        {
            "age": [20, 35, None, 28, 61, 44, 33],
            "colour": ["red", "blue", None, "red", "green", "blue", "red"],
            "owner": [True, False, True, None, False, True, True],
            "price": [1.5, 2.5, 0.5, 9.5, 3.0, 4.5, 1.0],
            "label": ["no", "yes", "no", "no", "yes", "yes", "no"],
        }
    )
    pq.write_table(typed, tmp_path / "cars.parquet")
    files = [
        write(tmp_path, gzip.compress(CARS.encode()), "cars.csv.gz"),
        tmp_path / "cars.parquet",
        write(tmp_path, CARS.replace(",", ";").replace(".5", ",5"), "german.csv"),
        write(tmp_path, CARS.replace(",", "\t"), "cars.tsv"),
        write(tmp_path, b"\xef\xbb\xbf" + CARS.replace("\n", "\r\n").encode(), "w.csv"),
    ]
    expected = OptimalTreeClassifier.load(model)
    for file in files:
        again = tmp_path / "again.json"
        done = run("fit", file, "--target", "label", TOY, "-o", again)
        assert done.exit_code == 0, done.output
        clf = OptimalTreeClassifier.load(again)
        assert clf.tree_ == expected.tree_
        assert clf.encoder_.features == expected.encoder_.features
        said = run("predict", model, file)
        assert said.stdout == run("predict", model, write(tmp_path)).stdout


def test_predictions_are_those_of_the_model(tmp_path, model):
    out = tmp_path / "out.csv"
    done = run("predict", model, write(tmp_path), "-o", out, "--keep")
    assert done.exit_code == 0
    table = pd.read_csv(out)
    assert list(table.columns[:5]) == ["age", "colour", "owner", "price", "label"]
    assert (table["prediction"] == table["label"]).all()
    shares = table[["probability of no", "probability of yes"]]
    assert np.allclose(shares.sum(axis=1), 1)
    said = json.loads(run("predict", model, write(tmp_path), "--json").stdout)
    rows = said["predictions"]
    assert [row["prediction"] for row in rows] == table["prediction"].tolist()
    assert rows[0]["probabilities"] == {"no": 1.0, "yes": 0.0}


@pytest.mark.parametrize("name", ["out.csv.gz", "out.parquet"])
def test_predictions_go_to_other_kinds_of_file(tmp_path, model, name):
    out = tmp_path / name
    assert run("predict", model, write(tmp_path), "-o", out).exit_code == 0
    read = pq.read_table if name.endswith("parquet") else pacsv.read_csv
    assert read(out).column("prediction").to_pylist()[:2] == ["no", "yes"]


def test_new_rows_may_be_few_strange_and_in_another_order(tmp_path, model):
    new = "price,extra,owner,colour,age\n1,9,1,mauve,\n"
    done = run("predict", model, write(tmp_path, new, "new.csv"))
    assert done.exit_code == 0, done.output
    frame = pd.DataFrame(
        {"age": [np.nan], "colour": ["mauve"], "owner": [True], "price": [1.0]}
    )
    expected = OptimalTreeClassifier.load(model).predict(frame)
    assert done.stdout.splitlines()[1].split(",")[0] == expected[0]


def test_numbers_can_be_taken_as_categories_and_columns_left_out(tmp_path):
    path = tmp_path / "m.json"
    done = run(
        *("fit", write(tmp_path), "--target", "label", TOY, "-o", path),
        *("--category", "age", "--drop", "colour", "--drop", "owner"),
    )
    assert done.exit_code == 0, done.output
    features = OptimalTreeClassifier.load(path).encoder_.features
    assert [(f.name, f.kind) for f in features] == [
        ("age", "level"),
        ("price", "number"),
    ]


def test_models_fitted_in_python_predict_too(tmp_path):
    X = pd.DataFrame({"code": pd.Categorical([1, 2, 3, 1]), "x": [0.0, 1.0, 2.0, 3.0]})
    OptimalTreeClassifier(leaf_penalty=0.01).fit(X, [0, 1, 1, 0]).save(
        tmp_path / "named.json"
    )
    new = write(tmp_path, "code,x\n1,9\n7,9\n,9\n", "new.csv")
    said = json.loads(run("predict", tmp_path / "named.json", new, "--json").stdout)
    assert [row["prediction"] for row in said["predictions"]] == [0, 1, 1]
    rows = [[1.0, 5.0], [2.0, 5.0], [1.0, 7.0]]
    OptimalTreeClassifier(leaf_penalty=0.01).fit(rows, [0, 1, 0]).save(
        tmp_path / "bare.json"
    )
    done = run(
        "predict", tmp_path / "bare.json", write(tmp_path, "a,b\n2,1\n", "n.csv")
    )
    assert done.stdout.splitlines()[1].startswith("1,")


def test_options_reach_the_search(tmp_path):
    path = tmp_path / "m.json"
    done = run(
        *("fit", write(tmp_path), "--target", "label", "-o", path),
        *("--leaf-penalty", "0.3", "--max-depth", "1", "--max-leaf-nodes", "none"),
        *("--time-limit", "none", "--memory-limit", "2GiB"),
        *("--objective", "weighted_accuracy:2", "--class-weight", "yes=3"),
        *("--cost", "yes:no=5", "--min-samples-leaf", "2", "--guess", "bounds"),
        *("--jobs", "2", "--smoothing", "0.5"),
    )
    assert done.exit_code == 0, done.output
    parameters = OptimalTreeClassifier.load(path).get_params()
    assert parameters == {
        "leaf_penalty": 0.3,
        "max_depth": 1,
        "max_leaf_nodes": None,
        "min_samples_leaf": 2,
        "objective": WeightedAccuracy(omega=2.0),
        "objective__omega": 2.0,
        "class_weight": {"yes": 3.0},
        "cost_matrix": [[0.0, 1.0], [5.0, 0.0]],
        "smoothing": 0.5,
        "monotonic_cst": None,
        "interaction_cst": None,
        "guess": "bounds",
        "time_limit": None,
        "memory_limit": 2 * 2**30,
        "n_jobs": 2,
        "verbose": 0,
    }


def test_every_parameter_of_the_estimator_is_an_option():
    only_in_python = {"verbose", "monotonic_cst", "interaction_cst"}
    given = inspect.signature(OptimalTreeClassifier).parameters
    offered = {
        parameter.name for parameter in estimator_parameters(OptimalTreeClassifier)
    }
    assert offered == set(given) - only_in_python
    help_text = " ".join(run("fit", "--help").stdout.replace("│", " ").split())
    for name in OPTIONS.keys() & offered:
        first_words = OPTIONS[name].help.split()[:2]
        assert " ".join(first_words).capitalize() in help_text


def test_a_stop_before_the_proof_says_the_gap(tmp_path):
    path = tmp_path / "m.json"
    arguments = ("fit", hard_csv(tmp_path), "--target", "label", "-o", path)
    arguments += (
        "--leaf-penalty",
        "0.0005",
        "--max-depth",
        "9",
        "--time-limit",
        "0.05",
    )
    done = run(*arguments)
    assert done.exit_code == 0
    clf = OptimalTreeClassifier.load(path)
    assert clf.status_ == "time_limit"
    assert f"gap {clf.gap_:.4f}" in done.stdout
    assert "stopped by the time limit" in done.stdout
    path.unlink()
    assert run(*arguments, "--require-proof").exit_code == 3
    assert path.exists()
    result = json.loads(run(*arguments, "--json").stdout)
    assert result["proved_optimal"] is False


def test_show_says_what_fit_said_as_a_claim(tmp_path, model):
    fitted = run("fit", write(tmp_path), "--target", "label", TOY).stdout
    *shown, verdict = run("show", model).stdout.splitlines()
    for line in shown:
        assert line in fitted
    assert verdict.startswith("According to the model file, proved: no tree")
    assert "Proved: no tree" in fitted
    assert run("show", model, "--rules").stdout.count(" then ") >= 2
    result = json.loads(run("show", model, "--json").stdout)
    assert (result["status"], result["claimed"]) == ("optimal", True)
    result = run("fit", write(tmp_path), "--target", "label", TOY, "--json").stdout
    assert json.loads(result)["claimed"] is False


PICTURES = {
    "tree.png": b"\x89PNG",
    "tree.pdf": b"%PDF",
    "tree.svg": b"<svg",
    "tree.html": b"<!DOCTYPE html>",
    "tree.dot": b"digraph",
    "tree.tex": b"% \\usepackage",
}


@pytest.mark.parametrize(("name", "start"), PICTURES.items(), ids=PICTURES)
def test_plot_draws_by_suffix(tmp_path, model, name, start):
    if name.endswith(("png", "pdf")):
        pytest.importorskip("matplotlib")
    done = run("plot", model, tmp_path / name)
    assert done.exit_code == 0, done.output
    assert (tmp_path / name).read_bytes().startswith(start)


def test_demo_shows_a_proof():
    assert "Proved: no tree" in run("demo").stdout


def test_the_version_is_told():
    assert re.fullmatch(r"ostrya \d+\.\d+\.\d+.*\n", run("--version").stdout)
