"""``--verbose`` and ``--quiet``; ``-`` for the standard streams; ``--top-k``."""

from __future__ import annotations

import json
import math

import pytest
from typer.testing import CliRunner

from cli.files import CARS, TOY, hard_csv, run, write
from ostrya import OptimalTreeClassifier, TopKTreeClassifier
from ostrya.cli.app import app
from ostrya.cli.speech import Speech
from ostrya.results import Progress


def test_quiet_says_nothing_but_writes(tmp_path):
    model, data = tmp_path / "m.json", write(tmp_path)
    for command in (
        ["fit", data, "--target", "label", TOY, "-o", model, "--quiet"],
        ["predict", model, data, "-o", tmp_path / "out.csv", "--quiet"],
        ["plot", model, tmp_path / "t.svg", "-q"],
    ):
        done = run(*command)
        assert (done.exit_code, done.output) == (0, ""), done.output
    assert model.exists()
    assert (tmp_path / "t.svg").exists()
    assert (tmp_path / "out.csv").read_text().count("\n") == 8
    done = run("fit", data, "--target", "label", TOY, "--json", "-q")
    assert (json.loads(done.stdout)["status"], done.stderr) == ("optimal", "")
    assert run("fit", data, "--target", "labl", "-q", "-o", model).stderr


def test_quiet_that_keeps_nothing_is_refused(tmp_path):
    done = run("fit", write(tmp_path), "--target", "label", "--quiet")
    assert done.exit_code == 2
    assert "--quiet requires -o with a file, or --json" in done.stderr


def test_verbose_says_what_was_read_and_searched(tmp_path):
    done = run("fit", write(tmp_path), "--target", "label", TOY, "--verbose")
    assert "cars.csv: 7 rows; feature columns: " in done.stderr
    assert "labels: no: 4, yes: 3" in done.stderr
    assert "subproblems" in done.stderr or "at once" in done.stderr
    assert "Proved" in done.stdout


def test_a_log_has_lines_where_no_line_can_change(capsys):
    told = []
    watch = Speech(True).logged(lambda progress: told.append(progress) or True)
    for seconds, objective in ((0.1, 0.5), (0.2, 0.4), (6.0, 0.3), (0.1, math.inf)):
        assert watch(Progress(seconds, 0.2, objective, 9, 2**20, 3)) is True
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "0.1 s: best 0.5000, bound 0.2000, leaves 3",
        "6.0 s: best 0.3000, bound 0.2000, leaves 3",
    ]
    assert len(told) == 4
    assert Speech(None).logged(watch) is watch


def handed(given, *arguments):
    """Return what a command said that was given something on its standard input."""
    return CliRunner().invoke(app, [str(a) for a in arguments], input=given)


def test_models_go_through_pipes(tmp_path):
    data = write(tmp_path)
    fitted = handed(CARS, "fit", "-", "--target", "label", TOY, "-o", "-")
    json.loads(fitted.stdout)
    assert "Proved: no tree" in fitted.stderr, "the report gives way to the model"
    done = handed(fitted.stdout, "predict", "-", data, "-o", "-")
    assert done.stdout.startswith("prediction,")
    assert done.stderr == "100.00% of 7 rows correct\n"
    done = handed(fitted.stdout, "show", "-")
    assert "According to the model file, proved" in done.stdout
    (tmp_path / "m.json").write_text(fitted.stdout)
    assert handed(CARS, "predict", tmp_path / "m.json", "-").stdout.count("\n") == 8


def test_streams_cannot_be_two_things(tmp_path):
    done = run("predict", "-", "-")
    assert done.exit_code == 2
    assert "cannot both be the standard input" in done.stderr
    done = run("fit", write(tmp_path), "--target", "label", TOY, "--json", "-o", "-")
    assert done.exit_code == 2
    assert "both write to the standard output" in done.stderr
    assert not (tmp_path / "-").exists()


def test_what_is_no_model_on_the_standard_input_is_refused():
    done = handed("[1", "show", "-")
    assert done.exit_code == 2
    assert "the standard input: malformed model: not JSON" in done.stderr
    done = handed("{}", "show", "-")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("text", "k"), [("3", 3), ("0.5", 0.5), ("all", "all"), ("4,2,all", [4, 2, "all"])]
)
def test_top_k_is_searched_saved_and_read_again(text, k, tmp_path):
    model, data = tmp_path / "m.json", write(tmp_path)
    done = run("fit", data, "--target", "label", "--top-k", text, "-o", model, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["k"] == k
    clf = TopKTreeClassifier.load(model)
    fresh = TopKTreeClassifier(k=k).get_params()
    assert clf.get_params() == fresh, "options not given are the classifier's own"
    for command in (["predict", model, data], ["plot", model, tmp_path / "t.html"]):
        assert run(*command).exit_code == 0
    assert "objective" in run("show", model).stdout


def test_top_k_takes_options_and_tells_what_is_proved(tmp_path):
    model = tmp_path / "m.json"
    done = run(
        *("fit", hard_csv(tmp_path), "--target", "label", "--top-k", "2", "-o", model),
        *("--max-depth", "2", "--leaf-penalty", "0.01", "--class-weight", "1=2"),
    )
    assert done.exit_code == 0, done.output
    assert "Proved for the 2 best splits of each node" in done.stdout
    clf = TopKTreeClassifier.load(model)
    assert (clf.max_depth, clf.leaf_penalty, clf.class_weight) == (2, 0.01, {1: 2.0})
    told = run("show", model).stdout
    assert "According to the model file, proved for the 2 best splits" in told


def test_top_k_chooses_k(tmp_path):
    done = run("fit", write(tmp_path), "--target", "label", "--top-k", "auto", "--json")
    assert isinstance(json.loads(done.stdout)["k"], int)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--top-k", "3", "--guess"], "--guess cannot be combined with --top-k"),
        (["--top-k", "3", "--objective", "auc"], "for Top-k trees; got 'auc'"),
        (["--top-k", "3", "--objective", "f_beta:2"], "got FBeta(beta=2.0)"),
        (["--top-k", "0"], "k must"),
        (["--top-k", "many"], "--top-k"),
    ],
)
def test_what_top_k_does_not_take_is_refused(more, words, tmp_path):
    done = run("fit", write(tmp_path), "--target", "label", TOY, *more)
    assert done.exit_code == 2
    assert words in done.stderr
    assert "Traceback" not in done.output


def test_plots_have_captions_on_request(tmp_path):
    model = tmp_path / "m.json"
    run("fit", write(tmp_path), "--target", "label", TOY, "-o", model)
    run("plot", model, tmp_path / "t.svg", "--caption")
    assert "100.00% of 7 training rows correct" in (tmp_path / "t.svg").read_text()
    run("plot", model, tmp_path / "t.svg")
    assert "training rows" not in (tmp_path / "t.svg").read_text()


def test_show_says_how_many_training_rows_are_right(tmp_path):
    model = tmp_path / "m.json"
    run("fit", write(tmp_path), "--target", "label", TOY, "-o", model)
    assert "100.00% of 7 training rows correct" in run("show", model).stdout
    assert OptimalTreeClassifier.load(model).target_name_ == "label"


def test_a_warning_of_scikit_learn_is_one_line_without_a_path(tmp_path):
    rows = "".join(f"{i},label{i}\n" for i in range(40))
    done = run("fit", write(tmp_path, f"a,y\n{rows}"), "--target", "y")
    assert done.exit_code == 0, done.output
    told = [line for line in done.stderr.splitlines() if "unique classes" in line]
    assert len(told) == 1
    assert told[0].startswith("ostrya: warning: ")
    assert ".py" not in done.stderr
