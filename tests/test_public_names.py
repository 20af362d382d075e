"""What `import ostrya` offers: its names, its version, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import requires, version
from inspect import ismodule
from pathlib import Path

import pytest

import ostrya

ROOT = Path(__file__).parents[1]


def test_the_version_is_that_of_the_installed_package():
    assert ostrya.__version__ == version("ostrya")
    told = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{ostrya.__version__}"\n' in told


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("CITATION.cff", "version: {}"),
        ("conda/recipe.yaml", '  version: "{}"'),
        ("CHANGELOG.md", "## [{}]"),
    ],
)
def test_every_file_has_the_same_version(name, line):
    if not (ROOT / name).exists():
        pytest.skip(f"{name} is not in the sdist")
    told = (ROOT / name).read_text(encoding="utf-8")
    assert f"\n{line.format(ostrya.__version__)}" in told


def test_the_conda_recipe_needs_what_the_package_needs():
    recipe = ROOT / "conda/recipe.yaml"
    if not recipe.exists():
        pytest.skip("conda/recipe.yaml is not in the sdist")
    run = recipe.read_text(encoding="utf-8").split("  run:\n")[1].split("\n\n")[0]
    told = {line.removeprefix("    - ") for line in run.splitlines()}
    always = [name for name in requires("ostrya") if ";" not in name]
    assert told == {"python >=3.10", *(name.replace(">=", " >=") for name in always)}


SUBMODULES = (
    *("bounds", "constraints", "exceptions", "export", "guesses", "objectives"),
    *("preprocessing", "results", "top_k"),
)


def test_every_public_name_is_there_and_no_other_is_listed():
    for module in (ostrya, *(getattr(ostrya, name) for name in SUBMODULES)):
        assert dir(module) == sorted(module.__all__)
        for name in module.__all__:
            assert getattr(module, name) is not None
    assert not {"tree", "estimators", "cli", "demo"} & set(dir(ostrya))
    submodules = {name for name in dir(ostrya) if ismodule(getattr(ostrya, name))}
    assert submodules == set(SUBMODULES)


RENAMED = (
    *("cluster", "estimate", "Estimate", "TopK", "Bounds", "LeafSetBounds", "Guess"),
    *("ThresholdGuess", "depth_guess", "CompressedTable", "compress", "Outcome"),
    *("ThresholdBinarizer", "Progress", "Statistics", "TracePoint", "Frontier"),
    *("FrontierPoint", "PenaltyInterval", "InternalError", "ReferenceWarning"),
)


@pytest.mark.parametrize("name", RENAMED)
def test_old_names_do_not_work_and_are_in_the_changelog(name):
    assert not hasattr(ostrya, name)
    if not (ROOT / "CHANGELOG.md").exists():
        pytest.skip("CHANGELOG.md is not in the sdist")
    table = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("| old | new |")
    assert re.search(rf"^\| .*`[^|]*\b{name}\b[^|]*\| ", table[1], re.MULTILINE)


def test_folders_of_public_names_need_no_import_of_their_own():
    program = (
        "import sys, ostrya; assert 'sklearn' not in sys.modules; "
        "print(ostrya.export.export_text.__name__, "
        "ostrya.preprocessing.TableEncoder.__name__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["export_text", "TableEncoder"]
