"""What is imported before it is needed, which no clock has to tell."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

from ostrya.cli.on_demand import COMMANDS

HEAVY = ("matplotlib", "pandas", "polars", "pyarrow", "scipy", "sklearn")


def loaded_after(program):
    told = f"{program}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stderr.split()}


def test_the_package_imports_nothing_heavy():
    assert not loaded_after("import ostrya") & {*HEAVY, "numpy"}


def test_solve_needs_no_scikit_learn():
    loaded = loaded_after("import ostrya; ostrya.solve([[0], [1]], [0, 1])")
    assert not loaded & {"matplotlib", "pandas", "pyarrow", "sklearn"}
    assert "numpy" in loaded


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_the_list_of_commands_imports_nothing_heavy(argument):
    program = (
        f"import sys; sys.argv = ['ostrya', {argument!r}]\n"
        "from ostrya.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass"
    )
    assert not loaded_after(program) & {*HEAVY, "numpy"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_it_says_of_itself(name):
    module, summary = COMMANDS[name]
    command = getattr(import_module(f"ostrya.cli.{module}"), name)
    assert inspect.getdoc(command).splitlines()[0] == summary
