"""``ostrya rashomon``: what it prints and writes is what the set says."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

from cli.files import run
from ostrya import RashomonSet, Tree

OPTIONS = ("--target", "label", "--max-depth", "2", "--leaf-penalty", "0.02")
WIDE = (*OPTIONS, "--epsilon", "0.3")


def table(n=150):
    chance = np.random.default_rng(4)
    age, colour = chance.integers(18, 40, n), chance.choice(["red", "blue", "green"], n)
    is_good = ((age < 30) & (colour == "red")) ^ (chance.random(n) < 0.2)
    columns = {"age": age, "colour": colour, "size": chance.integers(0, 3, n)}
    return pd.DataFrame({**columns, "label": np.where(is_good, "good", "bad")})


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "rows.csv"
    table().to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def trees():
    rows = table()
    made = RashomonSet(leaf_penalty=0.02, max_depth=2, epsilon=0.3)
    return made.fit(rows.drop(columns="label"), rows.label)


def test_the_set_is_described_and_its_best_tree_printed(data, trees):
    done = run("rashomon", data, *WIDE)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{trees.n_trees_:,} trees have an objective of at most")
    assert str(trees[0]) in done.stdout
    for size, n in trees.leaf_counts().items():
        assert any(line.split() == [str(size), f"{n:,}"] for line in lines)
    shares = dict(
        zip(["age", "colour", "size"], trees.feature_importances(), strict=True)
    )
    for name, share in shares.items():
        told = next(line.split() for line in lines if line.endswith(f"  {name}"))
        assert told[0] == f"{share:.1%}"
        best = trees.best_without(name)
        assert told[1] == ("-" if best is None else f"{best:.6g}")


def test_several_trees_are_printed(data, trees):
    done = run("rashomon", data, *WIDE, "--show", 3)
    assert f"Tree 3 of {trees.n_trees_:,}" in done.stdout
    assert str(trees[2]) in done.stdout
    assert "Tree 1" not in run("rashomon", data, *WIDE, "--show", 0).stdout


def test_json_holds_counts_features_and_trees(data, trees):
    told = json.loads(run("rashomon", data, *WIDE, "--json", "--max-trees", 7).stdout)
    assert told["n_trees"] == trees.n_trees_
    assert told["status"] == "complete"
    assert told["objective"] == trees.objective_
    assert told["leaves"] == {str(k): n for k, n in trees.leaf_counts().items()}
    assert [each["n_trees"] for each in told["features"]] == trees.feature_counts()
    assert len(told["trees"]) == 7
    for each in told["trees"]:
        assert Tree.from_dict(each["tree"]) == trees[each["place"]]
        assert each["objective"] == trees.objective(each["place"])


def test_files_are_written_by_their_suffix(data, tmp_path, trees):
    page, rows, trek = (
        tmp_path / name for name in ("set.html", "set.json", "trek.json")
    )
    done = run("rashomon", data, *WIDE, "-o", page, "--timbertrek", trek, "--quiet")
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    assert f"{trees.n_trees_:,} good trees" in page.read_text(encoding="utf-8")
    assert json.loads(trek.read_text())["trie"]["f"] == "root"
    assert "Wrote" in run("rashomon", data, *WIDE, "-o", rows).output
    assert json.loads(rows.read_text())["n_trees"] == trees.n_trees_


def test_the_best_tree_with_some_columns_is_printed(data, trees):
    told = run("rashomon", data, *WIDE, "--use", "size", "--avoid", "age").stdout
    found = re.search(r"The best tree with these columns is tree ([\d,]+) of", told)
    by_hand = next(
        (
            place
            for place, tree in enumerate(trees)
            if {2} <= (used := features(trees, tree)) and 0 not in used
        ),
        None,
    )
    assert (by_hand is None) == (found is None)
    if found is not None:
        assert int(found[1].replace(",", "")) == by_hand + 1
    told = run("rashomon", data, *OPTIONS, "--epsilon", "0", "--avoid", "colour").stdout
    assert f"None of the {told.split()[0]} tree" in told
    assert "Increase --epsilon" in told


def features(trees, tree):
    return set(trees.encoder_.source[tree.feature[tree.feature >= 0]].tolist())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--epsilon", "-1"), "--epsilon must be a finite number >= 0; got -1.0"),
        (("--max-objective", "nan"), "--max-objective must be a finite number"),
        (("-o", "set.txt"), "the suffix must be one of .html, .json"),
        (("--avoid", "agee"), "has no column 'agee'. Did you mean 'age'?"),
        (("--quiet",), "--quiet requires -o with a file, --timbertrek or --json"),
        (("--max-objective", "0", "-o", "set.html"), "there are no trees to write"),
        (("--max-depth", "auto"), "Invalid value for '--max-depth'"),
    ],
)
def test_wrong_options_are_refused(data, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    done = run("rashomon", data, *OPTIONS, *options)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_a_time_limit_says_up_to_where_the_set_is_complete(tmp_path):
    chance = np.random.default_rng(0)
    X = pd.DataFrame(chance.normal(size=(3000, 8))).add_prefix("x")
    X["label"] = X.x0 + X.x1 * X.x2 + chance.normal(size=3000) > 0
    X.to_csv(tmp_path / "hard.csv", index=False)
    options = ("--leaf-penalty", "0.001", "--max-depth", "4", "--time-limit", "0.5")
    done = run("rashomon", tmp_path / "hard.csv", "--target", "label", *options)
    assert done.exit_code == 0, done.output
    assert "stopped by the time limit" in done.stdout


def test_timbertrek_is_refused_for_three_labels_before_the_count(tmp_path):
    rows = pd.DataFrame({"x": range(9), "label": list("aaabbbccc")})
    rows.to_csv(tmp_path / "three.csv", index=False)
    options = ("--target", "label", "--timbertrek", tmp_path / "trek.json")
    done = run("rashomon", tmp_path / "three.csv", *options)
    assert done.exit_code == 2
    assert "--timbertrek is for tables with two labels" in done.output
    assert done.stdout == ""
