"""Tables too large for the oracle, in all shapes that have broken a solver."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from crafted import crafted_table, public_keys
from ostrya.objectives import FBeta, PartialAUC

Table = dict[str, Any]  # X, y, and maybe weights and costs


def objective_named(name: str, beta: float = 1.0, max_fpr: float = 1.0) -> Any:
    """Return the objective that a case names."""
    if name == "f_beta":
        return FBeta(beta=beta)
    return PartialAUC(max_fpr=max_fpr) if name == "partial_auc" else name


def table(rng: random.Random, most_rows: int = 400, most_columns: int = 12) -> Table:
    """Return random rows, labels, weights and costs."""
    if rng.random() < 0.05:
        rows, labels, weights = crafted_table(public_keys(131), rng.randrange(10**6))
        X, y = np.array(rows, float), np.array(labels)
        return {"X": X, "y": y, "weights": np.array(weights, float), "costs": None}
    n_rows = rng.choice([1, 2, 7, 30, 64, 65, 128, most_rows // 2, most_rows])
    n_columns = rng.choice([1, 2, 3, 5, most_columns])
    if (
        most_rows >= 400 and rng.random() < 0.01
    ):  # about as many values as ranks of 16 bits can hold
        n_rows, n_columns = 2**16 + rng.randint(-2, 3), 1
    chance = np.random.default_rng(rng.getrandbits(64))
    drawn: list[Any] = []
    for _ in range(n_columns):
        drawn.append(_column(rng, chance, n_rows, drawn))
    if n_rows > 2**15:
        drawn[0] = chance.permutation(n_rows).astype(float)
    X = np.column_stack(drawn)
    if rng.random() < 0.3:  # repeated rows
        X = X[chance.integers(0, max(1, n_rows // rng.choice([2, 8])), n_rows)]
    y = _labels(rng, chance, X)
    return {
        "X": X,
        "y": y,
        "weights": _weights(rng, chance, n_rows),
        "costs": _costs(rng, chance, int(y.max()) + 1),
    }


def _column(rng: random.Random, chance: Any, n_rows: int, drawn: list[Any]) -> Any:
    kind = rng.randrange(11)
    if kind <= 2:
        return chance.integers(0, 2, n_rows).astype(float)
    if kind == 3:
        return chance.integers(0, rng.choice([3, 9, 40]), n_rows).astype(float)
    if kind == 4:
        return np.full(n_rows, rng.choice([0.0, -1.5, 1e300]))
    if kind == 5 and drawn:  # a copy, or a column with equivalent splits
        return rng.choice([1.0, -1.0, 1e-3]) * drawn[rng.randrange(len(drawn))]
    if kind == 6:  # adjacent floats
        steps = chance.integers(0, 4, n_rows)
        return (
            np.float64(rng.choice([1.0, 1e300, 1e-300])).view(np.int64) + steps
        ).view(np.float64)
    if kind == 7:  # the whole range of floats
        return chance.choice([-1e308, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1e308], n_rows)
    if kind == 8:
        return np.round(chance.exponential(5.0, n_rows))
    return chance.normal(size=n_rows) * 10.0 ** rng.randint(-9, 9)


def _labels(rng: random.Random, chance: Any, X: Any) -> Any:
    n_rows = len(X)
    n_classes = rng.choice([1, 2, 2, 2, 2, 3, 4, 7, 30])
    rule = np.zeros(n_rows, int)
    for _ in range(rng.randint(1, 5)):
        column = X[:, rng.randrange(X.shape[1])]
        rule += (column <= chance.choice(column)) * rng.randint(1, 3)
    noise = chance.random(n_rows) < rng.choice([0.0, 0.1, 0.3, 1.0])
    return np.where(noise, chance.integers(0, n_classes, n_rows), rule % n_classes)


def _weights(rng: random.Random, chance: Any, n_rows: int) -> Any:
    kind = rng.randrange(7)
    if kind <= 2:
        return None
    if kind == 3:
        return chance.integers(1, 5, n_rows).astype(float)
    if kind == 4:  # over nine orders of magnitude
        return 10.0 ** chance.uniform(-4.5, 4.5, n_rows)
    if kind == 5:
        weights = chance.integers(0, 3, n_rows) / 10
        weights[chance.integers(n_rows)] = 1.0
        return weights
    return chance.random(n_rows) + 1e-6


def _costs(rng: random.Random, chance: Any, n_classes: int) -> Any:
    if rng.random() < 0.8:
        return None
    costs = chance.integers(0, 5, (n_classes, n_classes)) * rng.choice([1.0, 0.1, 1e6])
    np.fill_diagonal(costs, 0.0)
    return costs


def arguments(table: Table) -> dict[str, Any]:
    """Return the table as arguments of `ostrya.solve`."""
    parts = {
        "X": table["X"],
        "y": table["y"],
        "sample_weight": table.get("weights"),
        "cost_matrix": table.get("costs"),
    }
    given = {name: np.asarray(part) for name, part in parts.items() if part is not None}
    given["X"] = given["X"].astype(float)
    return given


def tree_limits(rng: random.Random, table: Table) -> dict[str, Any]:
    """Return limits under which most tables are solved quickly."""
    n_cuts = sum(len(np.unique(column)) - 1 for column in np.asarray(table["X"]).T)
    deep = 2 if n_cuts > 1000 else 3 if n_cuts > 100 else 4 if n_cuts > 25 else None
    return {
        "leaf_penalty": rng.choice([0.0, 0.001, 0.01, 1 / 97, 0.1, 3.0]),
        "max_depth": rng.choice([deep, deep, 2, 1]),
        "max_leaf_nodes": rng.choice([None, None, None, 2, 3, 5]),
        "min_samples_leaf": rng.choice([1, 1, 1, 2, 5]),
    }


def two_class(rng: random.Random, table: Table) -> Table:
    """Return the table with two classes, both present in the labels."""
    y = np.asarray(table["y"]) % 2
    if len(y) < 2:
        return two_class(rng, _doubled(table))
    y[:2] = [0, 1]
    weights = table["weights"]
    if weights is not None:  # a class that weighs next to nothing is refused
        weights = np.array(weights)
        weights[:2] = weights.mean()
    return table | {"y": y, "weights": weights, "costs": None}


def _doubled(table: Table) -> Table:
    names = ("X", "y", "weights")
    twice = {k: np.concatenate([table[k]] * 2) for k in names if table[k] is not None}
    return table | twice
