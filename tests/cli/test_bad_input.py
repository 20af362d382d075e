"""Bad input gets one sentence on stderr and exit code 2, and no traceback."""

from __future__ import annotations

import gzip
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.files import CARS, TOY, run, write


def assert_refused(done, *words):
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("ostrya: ")
    for word in words:
        assert word in lines[0]
    assert "Traceback" not in done.output


FILES = {
    "empty": ("", "is empty"),
    "blank": (" \n\n", "is empty"),
    "a byte order mark alone": ("\ufeff", "is empty"),
    "header alone": ("age,label\n", "must have at least one row below the header"),
    "header without its end": ("age,label", "Check for a missing line end"),
    "one open quote": ('"age,label\n1,2\n', "unclosed quote"),
    "too many labels": (
        "a,label\n" + "".join(f"{i},n{i % 1100}\n" for i in range(3300)),
        "y must contain at most 1,024 different classes; got 1,100",
    ),
    "a name twice": ("a,a,label\n1,2,3\n", "distinct column names; got 'a' twice"),
    "no header": (
        "1,1,0\n2,3,1\n",
        "distinct column names; got '1' twice.",
    ),
    "a short row": (
        "a,b,label\n1,2,3\n1,2\n",
        "must have 3 cells in every row, as in the header; got 2 in row 2",
    ),
    "a long row": (
        "a,label\n1,2\n1,2,3\n",
        "must have 2 cells in every row, as in the header; got 3 in row 2",
    ),
    "latin": (b"a,label\n\xe9t\xe9,1\nb,0\n", "not encoded in UTF-8"),
    "utf-16": ("a,label\n1,2\n".encode("utf-16"), "not encoded in UTF-8"),
    "cut gzip": (gzip.compress(CARS.encode())[:-9], "not a complete gzip file"),
    "cut parquet": (b"PAR1\x00\x00", "cannot be read as Parquet"),
    "one label": (
        "a,label\n1,yes\n2,yes\n",
        "'label' must contain at least two different labels; got only 'yes'",
    ),
    "no features": (
        "label\n1\n0\n",
        "at least one feature column in addition to 'label'",
    ),
    "no label": (
        "a,label\n1,x\n2,\n3,y\n",
        "column 'label' must contain a label in every row; got none in row 2",
    ),
    "measurements": (
        "a,label\n1,0.5\n2,1.5\n3,2\n",
        "'label' must contain strings, booleans or whole numbers as labels; got 0.5",
    ),
    "no number": (
        "age,label\n20,a\n31,b\nx4,a\n9,b\n",
        "column 'age' must contain numbers; got 'x4' in row 3. Correct this cell",
    ),
    "infinite": (
        "age,label\n20,a\ninf,b\n",
        "'age' must contain finite numbers; got infinity",
    ),
}


@pytest.mark.parametrize(("content", "words"), FILES.values(), ids=FILES)
def test_files_out_of_shape(content, words, tmp_path):
    out = tmp_path / "m.json"
    done = run("fit", write(tmp_path, content), "--target", "label", "-o", out)
    assert_refused(done, words)
    assert not out.exists()


def test_names_of_rows_are_hinted_at(tmp_path):
    rows = "".join(f"n{i},{i % 2}\n" for i in range(1200))
    done = run("fit", write(tmp_path, "name,label\n" + rows), "--target", "label")
    assert done.exit_code == 0
    assert "warning: Column 'name' looks like an identifier" in done.stderr


def test_a_file_that_is_not_there(tmp_path):
    done = run("fit", tmp_path / "none.csv", "--target", "label")
    assert_refused(done, "none.csv: no such file")
    assert_refused(run("fit", tmp_path, "--target", "label"), "got a folder")


@pytest.mark.parametrize("flag", ["--target", "--drop", "--category"])
def test_a_wrong_column_is_told_with_close_names(flag, tmp_path):
    arguments = ["fit", write(tmp_path), flag, "Labl"]
    arguments += [] if flag == "--target" else ["--target", "label"]
    assert_refused(run(*arguments), "no column 'Labl'. Did you mean 'label'?")


def test_a_wrong_column_like_no_other_is_told_with_all_names(tmp_path):
    done = run("fit", write(tmp_path), "--target", "zzz")
    assert_refused(done, "Its columns are 'age', 'colour', 'owner', 'price', 'label'")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--max-depth", "-1"], "--max-depth must be an integer >= 0"),
        (["--leaf-penalty", "-0.1"], "--leaf-penalty must be a finite number >= 0"),
        (["--leaf-penalty", "nan"], "--leaf-penalty must be"),
        (["--time-limit", "0"], "--time-limit must be"),
        (["--memory-limit", "1k"], "--memory-limit must be"),
        (["--objective", "weighted_accuracy:-1"], "omega must be"),
        (["--objective", "f_beta"], "Add a number, such as f_beta:0.5"),
        (["--objective", "f_beta:x"], "must be one of accuracy"),
        (["--objective", "gini"], "got 'gini'"),
        (
            ["--class-weight", "maybe=2"],
            "must name one of the labels 'no', 'yes'; got 'maybe'",
        ),
        (["--class-weight", "yes"], "must be LABEL=WEIGHT"),
        (["--cost", "yes:maybe=2"], "with two of the labels"),
        (["--cost", "yes:no=much"], "must be TRUE:PREDICTED=COST"),
        (["--cost", "yes:no=-1"], "--cost must contain"),
    ],
)
def test_options_out_of_range(option, words, tmp_path):
    assert_refused(run("fit", write(tmp_path), "--target", "label", *option), words)


@pytest.mark.parametrize(
    "option",
    [["--max-depth", "deep"], ["--objective", "gini"], ["--colour", "red"]],
)
def test_options_that_cannot_be_read(option, tmp_path):
    done = run("fit", write(tmp_path), "--target", "label", *option)
    assert done.exit_code == 2
    assert option[0] in done.stderr
    assert "Traceback" not in done.output


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    run("fit", write(tmp_path), "--target", "label", TOY, "-o", path)
    return path


@pytest.mark.parametrize("command", ["show", "plot", "predict"])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "malformed model: not JSON"),
        ("[]", "malformed model: must be an object"),
        (CARS, "malformed model: not JSON"),
        (
            '{"format": "ostrya.model", "version": 9}',
            "version must be one of 1, 2, 3; got 9",
        ),
    ],
)
def test_malformed_models(command, content, words, tmp_path):
    bad = write(tmp_path, content, "bad.json")
    more = {"show": [], "plot": [tmp_path / "t.svg"], "predict": [write(tmp_path)]}
    assert_refused(run(command, bad, *more[command]), "bad.json", words)


def test_models_that_are_not_there(tmp_path):
    assert_refused(run("show", tmp_path / "none.json"), "none.json: no such file")


def test_new_rows_without_a_column(tmp_path, model):
    new = write(tmp_path, "age,color,owner,price\n1,red,true,2\n", "new.csv")
    done = run("predict", model, new)
    assert_refused(done, "new.csv has no column 'colour'. Did you mean 'color'?")


def test_new_rows_with_a_cell_that_is_no_number(tmp_path, model):
    new = "age,colour,owner,price\n1,red,true,2\nold,red,true,2\n"
    done = run("predict", model, write(tmp_path, new, "new.csv"))
    assert_refused(done, "column 'age' must contain numbers; got 'old' in row 2")
    new = "age,colour,owner,price\n1,red,perhaps,2\n"
    done = run("predict", model, write(tmp_path, new, "new.csv"))
    assert_refused(done, "column 'owner' must contain true and false")


def test_new_rows_of_another_kind(tmp_path, model):
    table = {"age": ["x"], "colour": ["red"], "owner": [True], "price": [2.0]}
    pq.write_table(pa.table(table), tmp_path / "new.parquet")
    done = run("predict", model, tmp_path / "new.parquet")
    assert_refused(done, "column 'age' must contain numbers, as in fit; got strings")


def test_columns_of_clock_times(tmp_path):
    table = pa.table({"at": pa.array([1, 2], pa.time32("s")), "label": ["a", "b"]})
    pq.write_table(table, tmp_path / "clock.parquet")
    done = run("fit", tmp_path / "clock.parquet", "--target", "label")
    assert_refused(done, "column 'at'", "Convert the column, or drop it")


def test_kept_columns_that_would_clash(tmp_path, model):
    new = CARS.replace("label", "prediction")
    done = run("predict", model, write(tmp_path, new, "new.csv"), "--keep")
    assert_refused(done, "already has a column 'prediction'")


def test_output_that_cannot_be_written(tmp_path, model):
    nowhere = tmp_path / "no" / "folder.json"
    done = run("fit", write(tmp_path), "--target", "label", "-o", nowhere)
    assert_refused(done, "the folder does not exist")
    done = run("fit", write(tmp_path), "--target", "label", "-o", tmp_path)
    assert_refused(done, "got a folder")
    assert_refused(run("plot", model, nowhere.with_suffix(".svg")), "does not exist")
    done = run("predict", model, write(tmp_path), "-o", nowhere.with_suffix(".csv"))
    assert_refused(done, "does not exist")


def test_bad_input_leaves_the_output_as_it_was(tmp_path):
    for content in (b"", b"kept"):
        out = write(tmp_path, content, "out.json")
        run("fit", tmp_path / "none.csv", "--target", "label", "-o", out)
        assert out.read_bytes() == content


def test_pictures_of_unknown_form(tmp_path, model):
    assert_refused(run("plot", model, tmp_path / "t.bmp"), "one of .png, .pdf, .svg")
    assert_refused(run("plot", model, tmp_path / "tree"), "one of .png, .pdf, .svg")


def test_pictures_without_matplotlib(tmp_path, model, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("plot", model, tmp_path / "t.png")
    assert_refused(done, 'pip install "ostrya[plot]"', ".svg")
    assert run("plot", model, tmp_path / "t.svg").exit_code == 0
