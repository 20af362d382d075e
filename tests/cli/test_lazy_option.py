"""``ostrya fit --lazy``: groups of a file that need not fit in memory."""

from __future__ import annotations

import json

import polars as pl
import pytest

from cli.files import run, write
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
    assert run("fit", cars, "--target", "label", "-o", eager).exit_code == 0
    done = run("fit", path, "--target", "label", "--lazy", "-o", lazy, "--json")
    assert done.exit_code == 0, done.output
    one, other = map(OptimalTreeClassifier.load, (eager, lazy))
    assert other.objective_ == one.objective_
    assert other.tree_.questions == one.tree_.questions
    result = json.loads(done.stdout)
    assert result["accuracy"] == 1.0
    assert result["n_rows"] == result["cuts"]["n_rows"] == 7


def test_thresholds_are_told(tmp_path):
    frame = pl.DataFrame({"x": range(200), "label": [0] * 90 + [1] * 110})
    frame.write_parquet(tmp_path / "t.parquet")
    arguments = ("fit", tmp_path / "t.parquet", "--target", "label", "--lazy")
    done = run(*arguments, "--thresholds", 3)
    assert done.exit_code == 0, done.output
    assert "of 200 training rows right" in done.stdout
    assert "3 of x" in done.stdout


BAD = {
    "cv": (["--cv", 3], "--cv needs all rows in memory"),
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
    assert "--thresholds is for --lazy" in done.output
