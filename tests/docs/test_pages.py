"""The pages of docs/ and the README: their links lead somewhere, their Python runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
BUILT = {DOCS / "_build", DOCS / "gallery"}
PAGES = sorted(
    page for page in DOCS.rglob("*.md") if not BUILT.intersection(page.parents)
)
FENCE = re.compile(r"^( *)```.*?^\1```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
# A block of code, and its output if the page shows it directly below.
PYTHON_AND_OUTPUT = re.compile(
    r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.DOTALL | re.MULTILINE
)
# Code for packages that tests do not require; it has tests of its own.
RECIPES = ("shap", "dtreeviz")
MIGRATIONS = ("gosdt", "pystreed", "pydl85", "imodels")
RECIPE = re.compile(
    rf"^(import|from) ({'|'.join(RECIPES + MIGRATIONS)})\b", re.MULTILINE
)
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)
SECONDS = re.compile(r"\d+\.\d s\b")
WRITTEN_ELSEWHERE = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


def read(path):
    return path.read_text(encoding="utf-8")


def anchors(path):
    """Return what the headings of a page can be linked by."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", read(path)), re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in kept}


@pytest.mark.parametrize("path", [README, *WRITTEN_ELSEWHERE, *PAGES], ids=str)
def test_links_lead_somewhere(path):
    for target, anchor in LINK.findall(FENCE.sub("", read(path))):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        place = path.parent / target if target else path
        assert place.exists(), f"{path.name} links to {target}"
        if anchor:
            assert anchor in anchors(place), f"{path.name} links to {target}#{anchor}"


def test_every_page_is_in_a_table_of_contents():
    listed = {DOCS / "index"}
    for page in PAGES:
        for lines in re.findall(r"```{toctree}\n(.*?)```", read(page), re.DOTALL):
            entries = (line for line in lines.split() if line[0] != ":")
            listed.update(page.parent / entry for entry in entries)
    assert {page.with_suffix("") for page in PAGES} <= listed


@pytest.mark.filterwarnings("ignore::ostrya.TableWarning")
@pytest.mark.parametrize(
    "path",
    [page for page in [README, *PAGES] if PYTHON_BLOCK.search(read(page))],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_the_python_of_a_page_runs_and_prints_what_the_page_shows(
    path, monkeypatch, tmp_path, capsys
):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block, shown in PYTHON_AND_OUTPUT.findall(read(path)):
        if not RECIPE.search(block):
            exec(compile(block, path.name, "exec"), names)
            printed = capsys.readouterr().out
            assert not shown or printed == shown


@pytest.mark.filterwarnings("ignore")  # other packages may use what is deprecated
@pytest.mark.parametrize("package", MIGRATIONS)
def test_the_code_to_migrate_from_runs(package):
    pytest.importorskip(package)
    datasets = pytest.importorskip("sklearn.datasets")
    X, y = datasets.load_wine(return_X_y=True)
    names = {"X": X, "y": y == 1, "B": (X.mean(axis=0) < X).astype(int)}
    page = read(DOCS / "how-to" / "migrate.md")
    blocks = [b for b in PYTHON_BLOCK.findall(page) if f"from {package} import" in b]
    assert len(blocks) == 1
    exec(compile(blocks[0], package, "exec"), names)
    assert (names["clf"].predict(names["B"]) == names["y"]).mean() > 0.8


@pytest.mark.filterwarnings("ignore")  # other packages may use what is deprecated
@pytest.mark.parametrize("package", RECIPES)
def test_the_recipe_for_another_package_runs(package, capsys):
    pytest.importorskip(package)
    pytest.importorskip("matplotlib").use("Agg")
    page = read(DOCS / "how-to" / "explain-with-shap.md")
    blocks = [b for b in PYTHON_BLOCK.findall(page) if f"import {package}\n" in b]
    assert len(blocks) == 1
    names = {}
    exec(compile(blocks[0], package, "exec"), names)
    shown = capsys.readouterr().out
    if package == "shap":
        # The values of a row add up to its probability.
        values, explainer = names["by_column"], names["explainer"]
        total = values.sum(axis=1) + explainer.expected_value
        assert total == pytest.approx(names["clf"].predict_proba(names["X"]), abs=1e-6)
        assert "income: " in shown
        assert "city: " in shown
    else:
        leaves = names["viz"].shadow_tree.leaves
        assert len(leaves) == names["clf"].n_leaves_
        assert "income" in shown


# `make demo` does not install pandas.
WITHOUT_PANDAS = """
import sys

class NoPandas:
    def find_spec(self, name, path=None, target=None):
        if name == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")

sys.meta_path.insert(0, NoPandas())
"""


@pytest.mark.parametrize(
    "path",
    [README, DOCS / "tutorials" / "getting-started.md"],
    ids=lambda path: path.name,
)
def test_the_first_example_needs_no_pandas_and_prints_what_the_page_shows(path):
    code = WITHOUT_PANDAS + PYTHON_BLOCK.findall(read(path))[0]
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == re.findall(r"```text\n(.*?)```", read(path), re.DOTALL)[0]


# What the commands of the pages expect in the folder where they run.
PREPARED = """
from pyarrow import csv, parquet, table
from sklearn.datasets import load_wine

wine = load_wine()
columns = dict(zip(wine.feature_names[:5], wine.data.T))
csv.write_csv(table({**columns, "outcome": wine.target}), "table.csv")
parquet.write_table(table({**columns, "returned": wine.target}), "sales.parquet")
"""
MODEL = "ostrya fit table.csv --target outcome --max-depth 2 -o model.json --quiet"


@pytest.mark.skipif(os.name != "posix", reason="the session is one of a POSIX shell")
@pytest.mark.parametrize(
    "path",
    [page for page in PAGES if SESSION.search(read(page))],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_the_session_of_a_page_is_real(path, tmp_path):
    scripts = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    subprocess.run([sys.executable, "-c", PREPARED], cwd=tmp_path, check=True)
    for session in [f"$ {MODEL}", *SESSION.findall(read(path))]:
        for command, _, shown in (
            part.partition("\n")
            for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
        ):
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env={**os.environ, "PATH": scripts},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            if shown:
                assert SECONDS.sub("0.0 s", done.stdout) == SECONDS.sub("0.0 s", shown)
            else:
                assert done.returncode == 0, done.stdout
