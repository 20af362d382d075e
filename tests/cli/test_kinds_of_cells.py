"""Cells of CSV and columns of Parquet: dates, marked numbers, orders, groups."""

from __future__ import annotations

import datetime
import sys

import pandas as pd
import pytest

from cli.files import run, write
from ostrya import OptimalTreeClassifier

N = 60
DAYS = [datetime.date(2023, 1, 1) + datetime.timedelta(i * 37 % 500) for i in range(N)]
CITIES = [["Bonn", "Kiel", "Ulm", "Trier", "Jena", "Gera"][i * 5 % 6] for i in range(N)]
TABLE = pd.DataFrame(
    {
        "day": DAYS,
        "at": pd.to_datetime(pd.Series(DAYS)).dt.tz_localize("UTC"),
        "wait": pd.to_timedelta([i * 37 % 500 for i in range(N)], "h"),
        "price": [f"${1000 + i * 7 % 500:,}.50" for i in range(N)],
        "city": CITIES,
    }
)
LABELS = {
    "day": [day <= datetime.date(2023, 9, 8) for day in DAYS],
    "at": [day <= datetime.date(2023, 9, 8) for day in DAYS],
    "wait": [i * 37 % 500 <= 200 for i in range(N)],
    "price": [i * 7 % 500 <= 100 for i in range(N)],
    "city": [city in ("Kiel", "Ulm", "Gera") for city in CITIES],
}
FILES = {
    "t.csv": lambda table, path: table.to_csv(path, index=False),
    "t.ssv": lambda table, path: table.to_csv(path, index=False, sep=";"),
    "t.parquet": lambda table, path: table.to_parquet(path),
}
TARGET = ("--target", "label")


@pytest.mark.parametrize("column", LABELS)
def test_files_and_frames_are_read_alike(tmp_path, column):
    table = TABLE[[column]].assign(label=LABELS[column])
    trees, answers = [], []
    for name, save in FILES.items():
        save(table, tmp_path / name)
        model = tmp_path / f"{name}.json"
        arguments = ("--target", "label", "--leaf-penalty", "0.02", "-o", model)
        done = run("fit", tmp_path / name, *arguments)
        assert done.exit_code == 0, done.output
        assert "100.00% of 60" in done.stdout
        said = f"warning: Column '{column}' contains text, such as '"
        assert (said in done.stderr) == (column == "price")
        trees.append(OptimalTreeClassifier.load(model).tree_)
        other = tmp_path / next(iter(FILES))
        answers.append(run("predict", model, other).stdout)
    assert trees[0] == trees[1] == trees[2]
    assert answers[0] == answers[1] == answers[2]
    question = trees[0].questions[0]
    assert question.startswith(f"{column} {'in' if column == 'city' else '<='} ")
    if column == "day":
        assert question.removeprefix("day <= ") < "2023-09-15"


def test_nasty_cells_of_dates(tmp_path):
    rows = [f"2023-09-{i:02},{int(i > 8)}" for i in range(1, 29)]
    rows += [" 2023-10-01 ,1", "?,1", ",0", "2023-10-02T10:00:00.123456789,1"]
    path = write(tmp_path, "\n".join(["d,label", *rows]))
    done = run("fit", path, "--target", "label", "--leaf-penalty", "0.02")
    assert done.exit_code == 0, done.output
    assert "d <= 2023-09-08?" in done.stdout
    odd = write(tmp_path, "\n".join(["d,label", *rows, "yesterday,1"]), "odd.csv")
    done = run("fit", odd, "--target", "label")
    assert done.exit_code == 2
    assert (
        "column 'd' must contain dates; got 'yesterday' in row 33. Correct"
        in done.stderr
    )


def test_marks_that_do_not_agree_are_refused(tmp_path):
    rows = [f"${i},{i % 2}" for i in range(20)]
    path = write(tmp_path, "\n".join(["p,label", *rows, "€3,1", "5%,0"]))
    done = run("fit", path, "--target", "label", "--max-depth", "2")
    assert done.exit_code == 0  # three kinds of marks are categories
    done = run("fit", write(tmp_path, "p,label\n$1,0\n$2,1\n$x,1\n$3,0\n"), *TARGET)
    assert done.exit_code == 2
    assert "column 'p' must contain numbers; got '$x' in row 3" in done.stderr


def test_a_file_with_decimal_commas_has_them_in_money_too(tmp_path):
    rows = [f"1.00{i},25 €;{int(i > 4)}" for i in range(10)]
    path = write(tmp_path, "\n".join(["p;label", *rows, "?;1"]))
    done = run("fit", path, *TARGET, "-o", tmp_path / "m.json")
    assert "p <= 1005?" in done.stdout
    assert "warning: Column 'p' contains text" in done.stderr
    new = write(tmp_path, "p;other\n1.004,00 €;1\n1.009 €;1\n")
    said = run("predict", tmp_path / "m.json", new).stdout.splitlines()[1:]
    assert [line.split(",")[0] for line in said] == ["0", "1"]


def test_money_of_another_currency_is_refused(tmp_path):
    rows = [f"${i},{int(i > 9)}" for i in range(20)]
    path = write(tmp_path, "\n".join(["p,label", *rows]))
    run("fit", path, *TARGET, "-o", tmp_path / "m.json")
    done = run("predict", tmp_path / "m.json", write(tmp_path, "p\n€5\n€15\n"))
    assert done.exit_code == 2
    assert "column 'p' must contain numbers with '$', as in fit; got '€'" in done.stderr


def test_category_keeps_texts_whatever_they_look_like(tmp_path):
    rows = [f"{i % 3},{int(i % 3 == 1)}" for i in range(30)]
    path = write(tmp_path, "\n".join(["zone,label", *rows]))
    done = run("fit", path, *TARGET, "--category", "zone")
    assert "zone = 1?" in done.stdout
    assert "warning" not in done.stderr


def test_an_order_in_parquet_is_kept_and_asked_of_csv(tmp_path):
    sizes = pd.Categorical(["S", "M", "L", "XL"] * 15, ["S", "M", "L", "XL"], True)
    frame = pd.DataFrame({"size": sizes, "label": sizes.codes <= 1})
    frame.to_parquet(tmp_path / "s.parquet")
    done = run("fit", tmp_path / "s.parquet", *TARGET, "-o", tmp_path / "m.json")
    assert "size <= M?" in done.stdout
    new = write(tmp_path, "size\nS\nXXL\nNA\nL\n")
    said = run("predict", tmp_path / "m.json", new).stdout.splitlines()[1:]
    assert [line.split(",")[0] for line in said] == ["True", "False", "False", "False"]


LAZY = {"in memory": (), "polars": ("--lazy",), "duckdb": ("--lazy",)}


def fit_file(tmp_path, monkeypatch, engine, table):
    """Fit a table as CSV; return the tree, what was said, and the predictions."""
    if engine == "duckdb":
        pytest.importorskip("duckdb", reason="DuckDB is not installed")
        monkeypatch.setitem(sys.modules, "polars", None)
    path, model = tmp_path / "t.csv", tmp_path / "model.json"
    table.to_csv(path, index=False)
    done = run("fit", path, *TARGET, "-o", model, *LAZY[engine])
    assert done.exit_code == 0, done.output
    told = run("predict", model, path)
    assert told.exit_code == 0, told.output
    return OptimalTreeClassifier.load(model), done.stderr, told.stdout


@pytest.mark.parametrize("engine", LAZY)
@pytest.mark.parametrize("date_format", ["%m/%d/%Y", "%d.%m.%Y %H:%M", "%d-%b-%Y"])
def test_dates_in_other_formats_are_dates(tmp_path, monkeypatch, engine, date_format):
    days = [f"{day:{date_format}}" for day in DAYS]
    table = pd.DataFrame({"day": days, "label": LABELS["day"]})
    model, said, told = fit_file(tmp_path, monkeypatch, engine, table)
    assert " <= 2023-09-" in model.tree_.questions[0]
    assert f"in the format {date_format[:8]}" in said
    assert told.count("\nTrue") == sum(LABELS["day"])


@pytest.mark.parametrize("engine", LAZY)
def test_dates_in_doubt_are_not_guessed_by_an_engine(tmp_path, monkeypatch, engine):
    days = [f"{1 + i % 12:02}/{1 + i % 11:02}/2023" for i in range(N)]
    table = pd.DataFrame({"day": days, "label": [i % 12 < 5 for i in range(N)]})
    model, said, _ = fit_file(tmp_path, monkeypatch, engine, table)
    assert model.encoder_.features[0].kind == "level"
    assert "could be %d/%m/%Y or %m/%d/%Y" in said


@pytest.mark.parametrize("engine", LAZY)
def test_postcodes_are_no_numbers(tmp_path, monkeypatch, engine):
    codes = [["01067", "10115", "99084", "80331"][i % 4] for i in range(N)]
    table = pd.DataFrame({"code": codes, "label": [i % 4 == 0 for i in range(N)]})
    model, said, _ = fit_file(tmp_path, monkeypatch, engine, table)
    assert model.tree_.questions[0] == "code = 01067"
    assert "leading zeros, such as '01067'" in said


@pytest.mark.parametrize("engine", LAZY)
def test_labels_with_leading_zeros_stay_as_they_are(tmp_path, monkeypatch, engine):
    table = pd.DataFrame({"x": range(N), "label": ["01"] * 30 + ["10"] * 30})
    model, _, told = fit_file(tmp_path, monkeypatch, engine, table)
    assert model.classes_.tolist() == ["01", "10"]
    assert "\n01," in told
