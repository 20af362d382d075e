"""What an sdist holds: all that builds and tests a wheel, and nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = ("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml")
NOT_FOR_USERS = ("benchmarks/", "fuzz/", "tests/benchmarks/", "tests/fuzz/", ".github/")
ARTEFACTS = (
    ".venv/bin/python",
    "build/debug/_core.o",
    "dist/ostrya-0.0.0.tar.gz",
    "docs/_build/html/index.html",
    "src/ostrya/__pycache__/solve.cpython-311.pyc",
    "src/ostrya/_core.abi3.so",
)


@pytest.fixture(scope="module")
def tracked():
    if not (ROOT / ".git").exists():
        pytest.skip("only a clone says which files are the project's")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split("\0") if (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def packed(tracked, tmp_path_factory):
    """Names in the sdist of a folder that somebody has worked in."""
    pytest.importorskip("scikit_build_core")
    folder = tmp_path_factory.mktemp("sdist")
    for name in tracked | set(ARTEFACTS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name in tracked:
            shutil.copy(ROOT / name, folder / name)
        else:
            (folder / name).write_bytes(b"built")
    program = "from scikit_build_core.build import build_sdist; build_sdist('packed')"
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True)
    (archive,) = (folder / "packed").iterdir()
    with tarfile.open(archive) as sdist:
        return {name.partition("/")[2] for name in sdist.getnames()}


def test_sources_are_in_the_sdist(tracked, packed):
    sources = {name for name in tracked if name.startswith(("cpp/", "src/"))}
    assert len(sources) > 100
    assert (sources | set(NEEDED)) - packed == set()


def test_the_tests_of_a_wheel_are_in_the_sdist(packed):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    chosen = re.search(r"WHEEL_TESTS = ((?:.*\\\n)*.*)", makefile)
    for start in chosen[1].replace("\\\n", " ").split():
        assert any(name.startswith(start) for name in packed), start


def test_nothing_built_and_nothing_of_ours_alone_is_in_the_sdist(tracked, packed):
    assert packed - tracked == {"PKG-INFO"}
    assert not [name for name in packed if name.startswith(NOT_FOR_USERS)]
