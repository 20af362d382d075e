"""Data sets, folds and settings of the papers: GOSDT 2020 section G.6, OSDT 2019 L."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.data import load, read
from benchmarks.problem import Group, Problem

SETS = (
    *("car_evaluation_binary15", "compas_binary12", "tic-tac-toe_binary18"),
    *("monk1_binary11", "monk2_binary11", "monk3_binary11", "fico_binary17"),
)
#: The 29 penalties of section G.6, which are also those of OSDT's Figures 10 to 16.
PENALTIES = (
    *(0.2, 0.1, 0.09, 0.08, 0.07, 0.06, 0.05, 0.04, 0.03, 0.02),
    *(0.01, 0.009, 0.008, 0.007, 0.006, 0.005, 0.004, 0.003, 0.002),
    *(0.001, 0.0009, 0.0008, 0.0007, 0.0006, 0.0005, 0.0004, 0.0003, 0.0002),
    0.0001,
)
DEPTHS = (1, 2, 3, 4, 5, 6)
FOLDS = 10
#: The "fold" that trains on all rows and tests none, for figures of training accuracy.
ALL_ROWS = 0


class Part(NamedTuple):
    """Rows to train on, and rows to test on."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def problem(name: str) -> Problem:
    """Return the data set as a problem of no penalty."""
    return Problem(name, Group.BINARY, penalty=0.0, depth=None)


def folds_of(name: str) -> str:
    """Return the name of the table of folds."""
    return f"osdt_folds/{name}"


def parts(name: str) -> dict[int, Part]:
    """Return all rows, and the folds that came with OSDT, by their numbers."""
    X, y = load(problem(name))
    tested_in = read(folds_of(name))[:, 1].astype(int)
    by_fold = {ALL_ROWS: Part(X, y, X[:0], y[:0])}
    for fold in range(1, FOLDS + 1):
        test = tested_in == fold
        by_fold[fold] = Part(X[~test], y[~test], X[test], y[test])
    return by_fold
