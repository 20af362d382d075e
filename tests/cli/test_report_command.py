"""``ostrya report`` writes one page about a model."""

from __future__ import annotations

import json
import re

import pytest

from cli.files import CARS, TOY, run, write

CONTENT = re.compile(r'<script type="application/json" id="content">(.*?)</script>')


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    done = run("fit", write(tmp_path), "--target", "label", TOY, "-o", path)
    assert done.exit_code == 0, done.output
    return path


def content(path):
    return json.loads(CONTENT.search(path.read_text(encoding="utf-8"))[1])


def test_a_page_stands_beside_the_model(model):
    done = run("report", model)
    assert done.exit_code == 0, done.output
    page = model.with_suffix(".html")
    assert done.stderr == f"Wrote {page}\n"
    told = content(page)
    assert [score["name"] for score in told["scores"]] == ["Training rows"]
    assert told["proof"][0].startswith("According to the model file, proved")
    assert told["search"]["claimed"]


def test_a_table_is_scored(tmp_path, model):
    lines = CARS.splitlines()
    given = "\n".join([*lines[:5], "NA,,true,0.5,", "20,red,true,1.5,maybe"])
    table = write(tmp_path, given, "new.csv")
    page = tmp_path / "page.html"
    done = run("report", model, table, "-o", page, "--title", "<cars>", "-q")
    assert (done.exit_code, done.output) == (0, "")
    told = content(page)
    assert told["title"] == "<cars>"
    score = told["scores"][1]
    assert (score["rows"], score["unknown"]) == (5, 1), "one has no label at all"
    assert score["right"] == 4 / 5


def test_what_is_refused(tmp_path, model):
    bare = write(tmp_path, "age,colour,owner,price\n20,red,true,1\n", "bare.csv")
    for arguments, words in (
        ([bare], "must contain labels to score the model"),
        ([bare, "--target", "price"], None),
        ([bare, "--target", "lable"], "has no column 'lable'"),
        (["-o", tmp_path / "nowhere" / "x.html"], "the folder does not exist"),
    ):
        done = run("report", model, *arguments)
        assert done.exit_code == (0 if words is None else 2)
        assert words is None or words in done.stderr
    assert run("report", "-").exit_code == 2
