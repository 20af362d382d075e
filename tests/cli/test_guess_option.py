"""``ostrya fit --guess``: bare or with parts, and what is said of the guess."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cli.files import run, write
from ostrya import OptimalTreeClassifier
from ostrya.cli.bare_options import filled


@pytest.fixture
def data(tmp_path):
    return write(tmp_path, table(flip=0.1), "rows.csv")


def table(flip, n=150):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2)).round(1)
    y = (X[:, 0] > 0.3) ^ (rng.random(n) < flip)
    lines = [f"{a},{b},{'yes' if c else 'no'}" for (a, b), c in zip(X, y, strict=True)]
    return "\n".join(["a,b,label", *lines]) + "\n"


def fit(*arguments):
    return run("fit", *arguments, "--target", "label", "--max-depth", "2")


@pytest.mark.parametrize("place", ["before", "after", "last", "auto", "equals"])
def test_bare_means_auto(tmp_path, data, place):
    model = tmp_path / "m.json"
    arguments = {
        "before": ("--guess", data, "-o", model),
        "after": (data, "--guess", "-o", model),
        "last": (data, "-o", model, "--guess"),
        "auto": ("--guess", "auto", data, "-o", model),
        "equals": ("--guess=auto", data, "-o", model),
    }[place]
    done = fit(*arguments)
    assert done.exit_code == 0, done.output
    assert OptimalTreeClassifier.load(model).guess == "auto"


def test_parts_are_read_wherever_the_file_stands(tmp_path, data):
    model = tmp_path / "m.json"
    for arguments in (("--guess", "bounds", data), (data, "--guess", "bounds")):
        done = fit(*arguments, "-o", model)
        assert done.exit_code == 0, done.output
        assert OptimalTreeClassifier.load(model).guess == "bounds"


def test_a_word_that_is_no_part_is_refused(data):
    done = fit("--guess", "all", data)
    assert done.exit_code == 2
    assert "got 'all'" in done.stderr


def test_files_that_look_like_parts_and_the_end_of_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows").write_text("")
    assert filled(["--guess", "rows"]) == ["--guess", "auto", "rows"]
    assert filled(["--guess", "--", "--guess"]) == ["--guess", "auto", "--", "--guess"]
    assert filled(["--guess"]) == ["--guess", "auto"]
    assert filled(["--guess", "depth"]) == ["--guess", "depth"]
    assert filled(["--guess=depth", "rows"]) == ["--guess=depth", "rows"]


def test_the_report_says_what_was_guessed(tmp_path, data):
    model = tmp_path / "m.json"
    done = fit("--guess", data, "-o", model)
    report = OptimalTreeClassifier.load(model).guess_
    numbers = report.numbers
    assert numbers["guarantee"] == 0  # or the tree would be called not proved
    for told in (done.stdout, run("show", model).stdout):
        assert f"{numbers['n_thresholds_before']} in the reference model" in told
        assert f"{numbers['n_thresholds_after']} kept" in told
        assert f"{numbers['reference_score_before']:.2%} of the training" in told
        assert f"{numbers['reference_score_after']:.2%} with the kept" in told
        assert f"Guarantee: {report.promise}" in told
        assert f"over the {numbers['n_thresholds_after']} kept threshold" in told
        assert f"its loss of {numbers['reference_loss']:.4f}" in told
        assert f"at least {numbers['least_leaves_to_match']} leaves" in told
        assert f"at most {numbers['max_depth']}" in told
        assert "proved, although lower bounds were guessed" in told.lower()


def test_json_has_the_numbers_of_the_guess(tmp_path, data):
    model = tmp_path / "m.json"
    result = json.loads(fit(data, "--guess", "--json", "-o", model).stdout)
    assert result["guess"] == OptimalTreeClassifier.load(model).guess_.record
    assert json.loads(run("show", model, "--json").stdout)["guess"] == result["guess"]
    assert "guess" not in json.loads(fit(data, "--json").stdout)


def test_a_proof_within_a_guessed_depth_says_so(tmp_path, data):
    model = tmp_path / "m.json"
    done = run("fit", data, "--target", "label", "--guess", "depth", "-o", model)
    depth = OptimalTreeClassifier.load(model).guess_.max_depth
    for told in (done.stdout, run("show", model).stdout):
        assert f"roved within the guessed depth of {depth}: no tree" in told
        assert f"Depth: at most {depth} (guessed)" in told


def test_rankings_are_not_compared_with_labels(data):
    done = fit(
        *(data, "--guess", "thresholds", "--objective", "auc", "--max-leaf-nodes", "2")
    )
    assert done.exit_code == 0, done.output
    assert "not available for this objective" in done.stdout


def test_a_poor_reference_is_one_clean_line(tmp_path):
    done = fit("--guess", write(tmp_path, table(flip=0.5), "chance.csv"), "--json")
    assert done.exit_code == 0
    json.loads(done.stdout)
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("ostrya: warning: The guess is of little use")
    assert ".py" not in done.stderr
