"""Data sets made from rules: the same on every machine, and nothing to download."""

from __future__ import annotations

import functools
import itertools
from typing import NamedTuple

import numpy as np


class Data(NamedTuple):
    X: np.ndarray
    y: np.ndarray


def monk(rule: int) -> Data:
    """The 432 robots of the MONK problems with their labels under rule 1, 2 or 3."""
    robots = itertools.product(
        (1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2)
    )
    X = np.array(list(robots))
    a, b, _, d, e, _ = X.T
    if rule == 1:
        y = (a == b) | (e == 1)
    elif rule == 2:
        y = (X == 1).sum(axis=1) == 2
    else:
        y = ((e == 3) & (d == 1)) | ((e != 4) & (b != 3))
    return Data(X, y.astype(int))


def balance_scale() -> Data:
    """Weight times distance on both arms: tips to the one, the other, or stays."""
    X = np.array(list(itertools.product(range(1, 6), repeat=4)))
    left, right = X[:, 0] * X[:, 1], X[:, 2] * X[:, 3]
    return Data(X, 1 + np.sign(right - left))


LINES = (
    *((3 * i, 3 * i + 1, 3 * i + 2) for i in range(3)),
    *((i, i + 3, i + 6) for i in range(3)),
    (0, 4, 8),
    (2, 4, 6),
)


def _wins(board, mark) -> bool:
    return any(all(board[square] == mark for square in line) for line in LINES)


@functools.cache
def end_boards() -> tuple[tuple[int, ...], ...]:
    """The 958 boards at which a game of tic-tac-toe ends; x is 1 and begins, o is 2."""
    ends, open_boards = set(), {(0,) * 9}
    for move in range(9):
        mark = 1 + move % 2
        boards = {
            (*board[:square], mark, *board[square + 1 :])
            for board in open_boards
            for square in range(9)
            if board[square] == 0
        }
        over = {board for board in boards if _wins(board, mark) or 0 not in board}
        ends |= over
        open_boards = boards - over
    return tuple(sorted(ends))


def tic_tac_toe() -> Data:
    """One yes/no column a square and mark (27); the label is: x has won."""
    boards = np.array(end_boards())
    X = np.hstack([boards == mark for mark in (1, 2, 0)])
    y = np.array([_wins(board, 1) for board in end_boards()])
    return Data(X.astype(int), y.astype(int))


def continuous(seed: int, n_rows: int = 120, n_columns: int = 3) -> Data:
    """Normal columns, labels from a box with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    inside = (np.abs(X[:, :2]) < 0.9).all(axis=1)
    y = np.where(rng.random(n_rows) < 0.15, rng.integers(0, 2, n_rows), inside)
    return Data(X, y.astype(int))


def few_valued(seed: int, n_rows: int = 250) -> Data:
    """Columns of two to thirty values and three classes."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, k, n_rows) for k in (2, 2, 5, 12, 30)])
    y = (X[:, 0] + (X[:, 2] > 2) + (X[:, 4] > 17)) % 3
    y = np.where(rng.random(n_rows) < 0.1, rng.integers(0, 3, n_rows), y)
    return Data(X, y)


def parity(n_rows: int = 500, n_columns: int = 16) -> Data:
    """The parity of three yes/no columns among many, with noise: no greedy way in."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(n_rows, n_columns))
    y = X[:, :3].sum(axis=1) % 2
    return Data(X, np.where(rng.random(n_rows) < 0.2, 1 - y, y))


def hard(n_rows: int = 600) -> Data:
    """Labels by chance over continuous columns: nothing to find, all to rule out."""
    rng = np.random.default_rng(0)
    return Data(rng.normal(size=(n_rows, 12)), rng.integers(0, 2, n_rows))


# Problems of 100 to 1,000 rows, each solved within a fraction of a second.
PROBLEMS = {
    "monk1": (monk(1), {"leaf_penalty": 0.01}),
    "monk2": (monk(2), {"leaf_penalty": 0.005}),
    "monk3": (monk(3), {"leaf_penalty": 0.002, "max_depth": 5}),
    "balance": (balance_scale(), {"leaf_penalty": 0.008}),
    "tic_tac_toe": (tic_tac_toe(), {"leaf_penalty": 0.002, "max_depth": 4}),
    "continuous": (continuous(1), {"leaf_penalty": 0.01, "max_depth": 3}),
    "few_valued": (few_valued(2), {"leaf_penalty": 0.002, "max_depth": 4}),
    "few_leaves": (few_valued(3), {"leaf_penalty": 0.0, "max_leaf_nodes": 5}),
    "big_leaves": (
        few_valued(4),
        {"leaf_penalty": 0.002, "max_depth": 3, "min_samples_leaf": 9},
    ),
}
