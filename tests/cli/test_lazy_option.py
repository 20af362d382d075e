"""``ostrya fit --lazy``: groups of a file that need not fit in memory."""

from __future__ import annotations

import gzip
import json
import sys

import polars as pl
import pytest

from cli.files import TOY, run, write
from ostrya import OptimalTreeClassifier


@pytest.mark.parametrize("name", ["cars.parquet", "cars.csv", "folder"])
def test_the_tree_is_that_of_the_rows_in_memory(tmp_path, name):
    cars = write(tmp_path, name="plain.csv")
    path = tmp_path / name
    if name == "cars.csv":
        write(tmp_path, name=name)
    else:
        rows = pl.read_csv(cars, null_values=["NA", "?", ""])
        if name == "folder":
            path.mkdir()
            rows[:3].write_parquet(path / "a.parquet")
            rows[3:].write_parquet(path / "b.parquet")
        else:
            rows.write_parquet(path)
    eager, lazy = tmp_path / "eager.json", tmp_path / "lazy.json"
    assert run("fit", cars, "--target", "label", TOY, "-o", eager).exit_code == 0
    done = run("fit", path, "--target", "label", TOY, "--lazy", "-o", lazy, "--json")
    assert done.exit_code == 0, done.output
    one, other = map(OptimalTreeClassifier.load, (eager, lazy))
    assert other.objective_ == one.objective_
    assert other.tree_.questions == one.tree_.questions
    result = json.loads(done.stdout)
    assert result["accuracy"] == 1.0
    assert result["n_rows"] == result["compression"]["n_rows"] == 7


def test_thresholds_are_told(tmp_path):
    frame = pl.DataFrame({"x": range(200), "label": [0] * 90 + [1] * 110})
    frame.write_parquet(tmp_path / "t.parquet")
    arguments = ("fit", tmp_path / "t.parquet", "--target", "label", "--lazy")
    done = run(*arguments, "--thresholds", 3)
    assert done.exit_code == 0, done.output
    assert "of 200 training rows correct" in done.stdout
    assert "3 of x" in done.stdout


BAD = {
    "cv": (["--cv", 3], "--cv cannot be combined with --lazy"),
    "column": (["--drop", "nothing"], "nothing"),
    "thresholds": (["--thresholds", "few"], "few"),
}


@pytest.mark.parametrize(("options", "message"), BAD.values(), ids=BAD)
def test_what_lazy_cannot_do_is_refused(tmp_path, options, message):
    path = write(tmp_path)
    done = run("fit", path, "--target", "label", "--lazy", *options)
    assert done.exit_code == 2
    assert message in done.output


def test_odd_files_get_one_sentence(tmp_path):
    for name, content in (("t.txt", b"a"), ("t.parquet", b"PAR1 no")):
        path = write(tmp_path, content, name)
        done = run("fit", path, "--target", "label", "--lazy")
        assert done.exit_code == 2, done.output
        assert len(done.stderr.strip()) < 1200
    done = run("fit", write(tmp_path), "--target", "label", "--thresholds", 3)
    assert done.exit_code == 2
    assert "--thresholds can only be used together with --lazy" in done.output


def rows_of(cells, header="a,t"):
    """A table of one column, whose labels follow the place of the row."""
    lines = [f"{cell},{place % 2}" for place, cell in enumerate(cells)]
    return "\n".join([header, *lines]) + "\n"


GOOD = [str(number % 7) for number in range(120)]
REFUSED = {
    "a name twice": "a,a,t\n1,2,0\n3,4,1\n",
    "names that differ by spaces": "a, a,t\n1,2,0\n3,4,1\n",
    "too few cells": "a,b,t\n1,2,0\n3,1\n5,6,1\n",
    "too few cells far below": rows_of(GOOD * 30) + "3\n" + rows_of(GOOD)[4:],
    "too many cells": "a,b,t\n1,2,0\n3,4,5,1\n5,6,1\n",
    "a text among numbers": rows_of([*GOOD[:100], "abc", *GOOD]),
    "a text among dates": rows_of([*["2020-01-01", "2021-02-03"] * 20, "soon"]),
    "a text among numbers far below": rows_of([*GOOD * 20, "abc", *GOOD]),
    "no label": "a,t\n1,0\n2,\n3,1\n",
    "cells of nothing": "a,t\n1,0\n,\n3,1\n",
    "labels of fractions": "a,t\n1,0.5\n2,1\n3,1\n",
    "labels of fractions far below": rows_of(GOOD * 20) + "1,0.5\n",
    "one label": "a,t\n1,0\n2,0\n",
    "only a target": "t\n1\n0\n",
    "nothing": "",
    "empty lines alone": "\n\n",
    "a header alone": "a,t\n",
    "a header without a line end": "a,t",
    "another target": "a;b\n1;0\n2;1\n",
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_in_memory_is_refused_lazily_in_the_same_words(
    tmp_path, content, packed
):
    content = content.encode() if isinstance(content, str) else content
    name = "t.csv.gz" if packed else "t.csv"
    path = write(tmp_path, gzip.compress(content) if packed else content, name)
    eager = run("fit", path, "--target", "t")
    lazy = run("fit", path, "--target", "t", "--lazy")
    assert eager.exit_code == lazy.exit_code == 2, (eager.output, lazy.output)
    assert lazy.stderr == eager.stderr


NOT_UTF8 = {
    "latin-1": "a,t\nM\u00fcnchen,0\nUlm,1\n".encode("latin-1"),
    "latin-1 in the header": "gr\u00f6\u00dfe,t\n1,0\n2,1\n".encode("latin-1"),
    "latin-1 far below": rows_of(GOOD * 2000).encode() + b"\xfc,1\n",
    "latin-1 in a short row": "a,b,t\n1,2,0\nM\u00fcnchen,1\n".encode("latin-1"),
    "utf-16": "a,t\n1,0\n2,1\n".encode("utf-16"),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("content", NOT_UTF8.values(), ids=NOT_UTF8)
def test_other_encodings_are_refused_lazily_with_a_remedy(tmp_path, content, packed):
    name = "t.csv.gz" if packed else "t.csv"
    path = write(tmp_path, gzip.compress(content) if packed else content, name)
    eager = run("fit", path, "--target", "t")
    lazy = run("fit", path, "--target", "t", "--lazy")
    assert eager.exit_code == lazy.exit_code == 2, (eager.output, lazy.output)
    assert "not encoded in UTF-8" in eager.stderr
    assert "not encoded in UTF-8, which --lazy requires" in lazy.stderr
    assert "omit --lazy and set the encoding with --encoding" in lazy.stderr


@pytest.mark.parametrize("n_cut", [1, 10, 200])
def test_a_gzip_file_that_ends_too_soon_is_refused_in_the_same_words(tmp_path, n_cut):
    cells = [str(number * number % 9973) for number in range(3000)]
    packed = gzip.compress(rows_of(cells).encode())
    path = write(tmp_path, packed[:-n_cut], "t.csv.gz")
    eager = run("fit", path, "--target", "t")
    lazy = run("fit", path, "--target", "t", "--lazy")
    assert eager.exit_code == lazy.exit_code == 2, (eager.output, lazy.output)
    assert "not a complete gzip file" in lazy.stderr
    assert lazy.stderr == eager.stderr


TAKEN = {
    "empty lines": "a,t\n\n1,0\n2,1\n\n\n3,1\n",
    "empty lines above": "\n\na,t\n1,0\n2,1\n3,1\n",
    "a byte order mark": "\ufeffa,t\n1,0\n2,1\n3,1\n",
    "semicolons": "a;t\n1;0\n2;1\n3;1\n",
    "decimal commas": "a;b;t\n1,5;1;0\n2,5;1;1\n3,5;2;1\n",
    "decimal commas beside points": "a;b;t\n1,5;0.5;0\n2,5;0.5;1\n3,5;1.5;1\n",
    "tabs": "a\tt\n1\t0\n2\t1\n3\t1\n",
    "spaces": " a , t \n1, 0\n2,1\n 3,1 \n",
    "spaces around labels": "a,t\n1,0\n2,1\n3, 1\n",
    "spaces around fractions": "a,b,t\n 1.5,1,0\n2.5,1,1\n3.5 ,2,1\n",
    "commas and spaces": "a;t\n 1,5;0\n2,5;1\n3,5 ; 1\n",
    "spaces around texts": "a,t\nred ,no\nblue, yes\nred,no \n blue,yes\n",
    "marks of missing values": "a,b,t\nNa,1,0\nn/A,2,1\n3,NULL,1\n4, ? ,0\n",
    "None is a name": "a,t\nNone,0\nOne,1\nNone,0\nOne,1\n",
    "fractions below whole numbers": rows_of([*GOOD, "1.5", "2.5", "2.5"]),
    "labels of dates": "a,t\n1,2020-01-01\n2,2021-01-01\n3,2021-01-01\n",
    "labels of many kinds": "a,t\n1,1\n2,0.5\n3,yes\n4,true\n",
    "truths": "a,b,t\ntrue,1,true\nfalse,1,false\ntrue,2,true\n",
    "dates": "a,t\n2020-01-01,0\n2021-01-01,1\n2022-01-01,1\n",
    "lines of Windows": "a,t\r\n1,0\r\n\r\n2,1\r\n3,1\r\n",
    "quotes": 'a,"t"\n"x,1",0\n"y\n2",1\n"y\n2",1\n',
    "no line end": "a,t\n1,0\n2,1\n3,1",
}


@pytest.mark.parametrize("content", TAKEN.values(), ids=TAKEN)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_what_is_read_in_memory_is_read_lazily_alike(
    tmp_path, content, engine, monkeypatch
):
    if engine == "duckdb":
        pytest.importorskip("duckdb")
        monkeypatch.setitem(sys.modules, "polars", None)
    path = write(tmp_path, content, "t.csv")
    models = []
    for options in ([], ["--lazy"]):
        model = tmp_path / f"model{len(options)}.json"
        done = run("fit", path, "--target", "t", "-o", model, *options)
        assert done.exit_code == 0, done.output
        models.append(OptimalTreeClassifier.load(model))
        # Lazily fitted, the model reads the file that it was fitted to.
        assert run("predict", model, path).exit_code == 0
    one, other = models
    assert other.objective_ == pytest.approx(one.objective_, abs=1e-12)
    assert other.classes_.tolist() == one.classes_.tolist()
    assert other.feature_names_in_.tolist() == one.feature_names_in_.tolist()
    assert other.tree_.questions == one.tree_.questions


def test_what_an_engine_says_is_told_with_the_name_of_the_file(tmp_path):
    path = write(tmp_path, b"PAR1 no", "t.parquet")
    done = run("fit", path, "--target", "label", "--lazy")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"ostrya: {path} cannot be read: ")
    assert "query behind X" not in done.stderr
