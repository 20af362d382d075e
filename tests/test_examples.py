"""The examples, and the Python of the README, run as they stand."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PYTHON_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)
SECONDS = re.compile(r"\d+\.\d s\b")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


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
