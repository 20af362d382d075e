"""Larger problems, changed in ways with a known effect on the optimum."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

import ostrya
from fuzz import problems
from fuzz.soundness import assert_agree, assert_sound, close
from fuzz.target import Case

SECONDS = 2.0
# Weights without a common unit are rounded to a grid that depends on all of them, so
# adding or rescaling weights changes the rounding slightly.
REGRIDDED = 1e-6

Given = dict[str, Any]


def draw(rng: random.Random) -> Case:
    """Return a table with up to thousands of cuts, limits, and changes to try."""
    if rng.random() < 0.2:  # columns with distinct values
        table = problems.table(rng, most_rows=2000, most_columns=4)
    elif rng.random() < 0.2:  # many columns
        table = problems.table(rng, most_rows=60, most_columns=300)
    else:
        table = problems.table(rng)
    return {
        "table": table,
        "limits": problems.tree_limits(rng, table),
        "missing": rng.random() < 0.1,
        "chance": rng.getrandbits(32),
        "changes": rng.sample(sorted(SAME), 3) + rng.sample(sorted(NO_WORSE), 1),
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that the optimum is unchanged, or no worse, after each change."""
    given = problems.arguments(case["table"]) | case["limits"]
    chance = np.random.default_rng(case["chance"])
    if case["missing"]:
        _check_missing(given, chance)
        counts["missing values"] += 1
        return
    first = _solved(given)
    counts["proved"] += first.is_optimal
    for name in case["changes"]:
        counts[name] += 1
        change = SAME.get(name) or NO_WORSE[name]
        changed = change(dict(given), chance)
        second = _solved(changed)
        if name in NO_WORSE:
            # A penalty may be rounded by less than this.
            assert second.lower_bound <= first.objective * (1 + REGRIDDED) + REGRIDDED
            continue
        by = REGRIDDED if name in REGRIDDING else 1e-9
        assert_agree(first, second, by)
        if first.is_optimal and second.is_optimal:
            assert close(first.objective, second.objective, by), name
            if name == "rows in another order":
                assert first.tree == second.tree


def _solved(given: Given) -> ostrya.results.Outcome:
    outcome = ostrya.solve(**given, time_limit=SECONDS)
    assert_sound(outcome, given)
    return outcome


def _check_missing(given: Given, chance: Any) -> None:
    """Assert that the order of rows does not matter if values are missing."""
    X, y = given["X"].copy(), given["y"]
    X[chance.random(X.shape) < chance.choice([0.01, 0.3, 1.0])] = np.nan
    weights = given.get("sample_weight")
    order = chance.permutation(len(X))
    limits = {"leaf_penalty": 0.01, "max_depth": 2, "time_limit": SECONDS}
    first = ostrya.OptimalTreeClassifier(**limits)
    first.fit(X, y, sample_weight=weights)
    second = ostrya.OptimalTreeClassifier(**limits)
    second.fit(X[order], y[order], None if weights is None else weights[order])
    if first.status_ == second.status_ == "optimal":
        assert close(first.objective_, second.objective_)
        assert (first.predict(X) == second.predict(X)).all()


def _rows(given: Given, order: Any) -> Given:
    for name in ("X", "y", "sample_weight"):
        if name in given:
            given[name] = given[name][order]
    return given


def _permuted_rows(given: Given, chance: Any) -> Given:
    return _rows(given, chance.permutation(len(given["y"])))


def _permuted_columns(given: Given, chance: Any) -> Given:
    order = chance.permutation(given["X"].shape[1])
    return given | {"X": given["X"][:, order]}


def _flipped_columns(given: Given, chance: Any) -> Given:
    return given | {"X": given["X"] * chance.choice([-1.0, 1.0], given["X"].shape[1])}


def _ranked_columns(given: Given, chance: Any) -> Given:
    ranks = [np.unique(column, return_inverse=True)[1] for column in given["X"].T]
    return given | {"X": np.column_stack(ranks) ** 3.0 - 7}


def _renamed_classes(given: Given, chance: Any) -> Given:
    n_classes = len(given["cost_matrix"]) if "cost_matrix" in given else None
    names = chance.permutation(n_classes or int(given["y"].max()) + 1)
    if n_classes:
        places = np.argsort(names)
        given["cost_matrix"] = given["cost_matrix"][np.ix_(places, places)]
    return given | {"y": names[given["y"]]}


def _more_columns(given: Given, chance: Any) -> Given:
    X = given["X"]
    constant = np.full((len(X), 1), 3.0)
    copies = X[:, chance.integers(0, X.shape[1], 3)]
    return given | {"X": np.hstack([constant, copies, X, constant])}


def _repeated_rows(given: Given, chance: Any) -> Given:
    times = int(chance.integers(2, 4))
    given["min_samples_leaf"] *= times
    return _rows(given, np.tile(np.arange(len(given["y"])), times))


def _scaled_weights(given: Given, chance: Any) -> Given:
    weights = given.get("sample_weight", np.ones(len(given["y"])))
    return given | {"sample_weight": weights * 2.0 ** chance.integers(-30, 30)}


def _layout(given: Given, chance: Any) -> Given:
    return given | {"X": np.asfortranarray(given["X"]), "y": given["y"].astype("uint8")}


def _deeper(given: Given, chance: Any) -> Given:
    depth = given["max_depth"]
    return given | {"max_depth": None if depth is None else depth + 1}


def _more_leaves(given: Given, chance: Any) -> Given:
    return given | {"max_leaf_nodes": None, "min_samples_leaf": 1}


def _cheaper(given: Given, chance: Any) -> Given:
    return given | {"leaf_penalty": given["leaf_penalty"] / 2}


def _another_column(given: Given, chance: Any) -> Given:
    column = chance.normal(size=(len(given["y"]), 1))
    return given | {"X": np.hstack([given["X"], column])}


SAME = {
    "rows in another order": _permuted_rows,
    "columns in another order": _permuted_columns,
    "columns upside down": _flipped_columns,
    "columns by rank": _ranked_columns,
    "classes renamed": _renamed_classes,
    "constant columns and copies": _more_columns,
    "rows repeated": _repeated_rows,
    "weights scaled": _scaled_weights,
    "another layout": _layout,
}
NO_WORSE = {
    "deeper": _deeper,
    "more leaves": _more_leaves,
    "cheaper leaves": _cheaper,
    "another column": _another_column,
}
REGRIDDING = {"rows repeated", "weights scaled"}
