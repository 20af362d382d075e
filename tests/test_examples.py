"""The examples, and the Python of the README, run as they stand."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import ostrya

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PYTHON_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)
SECONDS = re.compile(r"\d+\.\d s\b")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(path, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["new/folder"]])
def test_pictures_of_guesses_stay(arguments, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OSTRYA_DATA", str(tmp_path))
    path = ROOT / "examples" / "guesses.py"
    monkeypatch.setattr(sys, "argv", [str(path), *arguments])
    runpy.run_path(str(path), run_name="__main__")
    folder = Path(*arguments or ["ostrya-guesses"])
    assert (folder / "spiral-tree.svg").read_text(encoding="utf-8").startswith("<svg")
    assert f"drawn: {folder / 'spiral-tree.svg'}" in capsys.readouterr().out


def test_rules_in_short():
    names = runpy.run_path(str(ROOT / "examples" / "guesses.py"))
    X = [[1, "a"], [2, "a"], [3, "a"], [3, "b"], [4, "b"], [2, "b"]]
    clf = ostrya.OptimalTreeClassifier(0.01).fit(
        X, ["good", "bad", "bad", "good", "good", "bad"]
    )
    short = names["short_rules"](clf.tree_, "good", "bad")
    assert short.startswith("if ")
    assert short.count("\nor if ") == 1
    assert short.endswith(" then good else bad")
    assert short.count("then") == 1
    lone = ostrya.OptimalTreeClassifier(0.01).fit([[1], [2]], ["bad", "bad"])
    assert names["short_rules"](lone.tree_, "good", "bad") == "always bad"


def test_readme_runs(capsys):
    blocks = PYTHON_BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert "optimal" in capsys.readouterr().out


@pytest.mark.skipif(os.name != "posix", reason="the session is one of a POSIX shell")
def test_the_session_of_the_readme_is_real(tmp_path):
    session = SESSION.findall((ROOT / "README.md").read_text(encoding="utf-8"))[0]
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    for command, _, told in (
        part.partition("\n") for part in re.split(r"^\$ ", session, flags=re.M)[1:]
    ):
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert SECONDS.sub("0.0 s", done.stdout) == SECONDS.sub("0.0 s", told)
