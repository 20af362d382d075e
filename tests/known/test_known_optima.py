"""Optima of real data sets, proved before and proved again.

The data are looked for in OSTRYA_DATA, or in shared/data beside the repository.
"""

from __future__ import annotations

import csv
import gzip
import os
from pathlib import Path

import numpy as np
import pytest

import ostrya
from ostrya._solve import settings

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDER = Path(os.environ.get("OSTRYA_DATA", BESIDE))

# name, leaf penalty, depth limit, objective
OPTIMA = [
    ("compas_binary12", 0.005, None, 0.355969),
    ("compas_binary12", 0.005, 3, 0.356403),
    ("compas_binary12", 0.001, None, 0.334928),
    ("fico_binary17", 0.005, None, 0.308651),
    ("fico_binary17", 0.001, None, 0.287317),
    ("tic-tac-toe", 0.005, None, 0.154280),
    ("tic-tac-toe", 0.001, None, 0.043000),
    ("tic-tac-toe", 0.005, 5, 0.170981),
    ("tic-tac-toe", 0.001, 5, 0.088806),
    ("car_evaluation_binary15", 0.005, None, 0.106343),
    ("car_evaluation_binary15", 0.001, None, 0.047204),
    ("monk2_binary11", 0.005, None, 0.152751),
    ("dl85/vehicle", 0.01, None, 0.093097),
    ("compas", 0.001, 3, 0.322319),
    ("compas", 0.001, 4, 0.321437),
    ("compas", 0.001, 5, 0.321437),
    ("fico", 0.001, 2, 0.292747),
    ("fico", 0.001, 3, 0.289627),
]
SLOW = {("compas", 0.001, 5), ("fico", 0.001, 3), ("tic-tac-toe", 0.001, None)}


def read(name):
    """The cells of a file as text, without the header; the label comes last."""
    for path, opened in (
        (FOLDER / f"{name}.csv", open),
        (FOLDER / f"{name}.csv.gz", gzip.open),
    ):
        if path.exists():
            with opened(path, "rt") as lines:
                return np.array(list(csv.reader(lines))[1:])
    pytest.skip(f"{name} is not in {FOLDER}; set OSTRYA_DATA to the folder")


def load(name):
    cells = read(name)
    y = cells[:, -1].astype(int)
    if name == "tic-tac-toe":
        marks = [cells[:, :-1] == mark for mark in "xob"]
        return np.hstack(marks), y
    return cells[:, :-1].astype(float), y


def parameters(name, penalty, depth, objective):
    marks = [pytest.mark.slow] if (name, penalty, depth) in SLOW else []
    label = f"{name}-{penalty}-{'any' if depth is None else depth}"
    return pytest.param(name, penalty, depth, objective, id=label, marks=marks)


@pytest.mark.parametrize(
    ("name", "penalty", "depth", "objective"), [parameters(*row) for row in OPTIMA]
)
def test_known_optimum(name, penalty, depth, objective):
    X, y = load(name)
    outcome = ostrya.solve(X, y, leaf_penalty=penalty, max_depth=depth)
    assert outcome.status == "optimal"
    assert round(outcome.objective, 6) == objective
    errors = np.count_nonzero(outcome.tree.predict(X) != y)
    recount = errors / len(y) + penalty * outcome.tree.n_leaves
    assert outcome.objective == pytest.approx(recount, rel=1e-12)
    assert depth is None or outcome.tree.depth <= depth


def test_prices_that_hardly_rise_do_not_keep_the_search_waiting():
    # Some 0.4 billion words; it was 9.4 when prices had their work in one piece, and
    # aimed ever closer to what they had reached.
    X, y = load("dl85/vehicle")
    outcome = ostrya.solve(X, y, leaf_penalty=0.01, time_limit=None)
    assert outcome.status == "optimal"
    assert outcome.statistics.work < 2_000_000_000


def test_a_depth_begins_with_the_splits_of_the_best_tree(monkeypatch):
    # Bounds alone find the better first split only after several seconds: 0.02502.
    monkeypatch.setattr(settings, "AUTO_EFFORT", 2 * settings.AUTO_EFFORT)
    X, y = load("contree/wilt")
    outcome = ostrya.solve(X, y, leaf_penalty=0.001, max_depth="auto", time_limit=None)
    assert outcome.proved_depth == 3
    assert outcome.objective < 0.0246
