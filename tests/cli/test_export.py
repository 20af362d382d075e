"""``ostrya export`` writes programs that predict what the model does."""

from __future__ import annotations

import json
import sqlite3
import sys

import pandas as pd
import pytest

from cli.files import TOY, run, write
from ostrya import OptimalTreeClassifier

ROWS = [(20, "red"), (44, "blue"), (None, None)]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    done = run(
        "fit", write(tmp_path), "--target", "label", TOY, "-o", path, "--drop", "price"
    )
    assert done.exit_code == 0, done.output
    return path


@pytest.fixture
def expected(model):
    rows = [[age, colour, None] for age, colour in ROWS]
    made = OptimalTreeClassifier.load(model)
    frame = pd.DataFrame(rows, columns=["age", "colour", "owner"])
    return made.predict(frame).tolist()


def test_the_suffix_says_the_language(tmp_path, model):
    for name, start in {
        "t.py": '"""A decision tree',
        "t.h": "#ifndef",
        "t.sql": "CASE",
        "t.js": "export const classes",
        "t.mjs": "export const classes",
        "t.pmml": "<?xml",
    }.items():
        done = run("export", model, tmp_path / name)
        assert done.exit_code == 0, done.output
        assert f"Wrote {tmp_path / name}" in done.stderr
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_python_from_the_standard_output_predicts(model, expected):
    done = run("export", model, "--to", "python")
    module = {}
    exec(done.stdout, module)
    names = ("age", "colour", "owner")
    rows = [dict(zip(names, (*row, None), strict=True)) for row in ROWS]
    assert [module["predict"](row) for row in rows] == expected


def test_queries_of_a_table(model, expected):
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE cars (age, colour, owner)")
    base.executemany("INSERT INTO cars VALUES (?, ?, NULL)", ROWS)
    query = run("export", model, "--to", "sql", "--table", "cars").stdout
    assert [row[-1] for row in base.execute(query)] == expected
    options = ("--probability-of", "yes", "--dialect", "sqlite")
    query = run("export", model, "-", "--to", "sql", "--table", "cars", *options).stdout
    shares = [row[-1] for row in base.execute(query)]
    assert [share > 0.5 for share in shares] == [label == "yes" for label in expected]


def test_onnx_goes_to_a_file(tmp_path, model):
    pytest.importorskip("onnx")
    done = run("export", model, tmp_path / "t.onnx", "-q")
    assert (done.exit_code, done.output) == (0, "")
    assert (tmp_path / "t.onnx").stat().st_size > 100
    done = run("export", model, "--to", "onnx")
    assert (done.exit_code, "requires an output file" in done.stderr) == (2, True)


def test_onnx_without_its_package(tmp_path, model, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    done = run("export", model, tmp_path / "t.onnx")
    assert done.exit_code == 2
    assert 'pip install "ostrya[onnx]"' in done.stderr
    assert not (tmp_path / "t.onnx").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["t.txt"], "t.txt: the suffix must be one of .py, .h, .sql"),
        ([], "Pass an output file, or --to with one of python, c, sql"),
        (["t.py", "--table", "cars"], "--table can only be used for SQL"),
        (["t.py", "--dialect", "sqlite"], "--dialect can only be used for SQL"),
        (
            ["t.sql", "--probability-of", "maybe"],
            "--probability-of must be one of the labels 'no', 'yes'",
        ),
        (["nowhere/t.sql"], "the folder does not exist"),
    ],
)
def test_what_is_refused(model, monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    done = run("export", model, *arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_labels_that_are_numbers_are_named_by_their_text(tmp_path):
    path = tmp_path / "m.json"
    OptimalTreeClassifier(leaf_penalty=0.01).fit([[1], [2]], [7, 8]).save(path)
    done = run("export", path, "--to", "sql", "--probability-of", "8")
    assert "THEN 0.0e0" in done.stdout
    assert json.loads(path.read_text())["classes"]["labels"] == [7, 8]
