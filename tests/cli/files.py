"""Small files for the command line, and the command line itself."""

from __future__ import annotations

import numpy as np
from typer.testing import CliRunner

from ostrya.cli.app import app

CARS = """\
age,colour,owner,price,label
20,red,true,1.5,no
35,blue,false,2.5,yes
NA,,true,0.5,no
28,red,?,9.5,no
61,green,false,3.0,yes
44,blue,true,4.5,yes
33,red,true,1.0,no
"""

# Lets tables of a few rows be split, for which the default penalty is too high.
TOY = "--leaf-penalty=0.01"


def run(*arguments):
    """Return what a command said and its exit code."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def write(folder, content=CARS, name="cars.csv"):
    path = folder / name
    if isinstance(content, str):
        content = content.encode()
    path.write_bytes(content)
    return path


def hard_csv(folder):
    """Write rows whose labels are chance, on which no search ends soon."""
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(600, 12)).round(4)
    labels = chance.integers(0, 2, 600)
    lines = [",".join([*(f"x{i}" for i in range(12)), "label"])]
    lines += [
        ",".join([*map(str, row), str(label)])
        for row, label in zip(rows.tolist(), labels.tolist(), strict=True)
    ]
    return write(folder, "\n".join(lines) + "\n", "hard.csv")
