"""Limits hold while a table is read: then a sample of its rows gives the tree."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from ostrya import (
    OptimalityWarning,
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    TopKTreeClassifier,
)
from ostrya.estimators import reading
from ostrya.estimators.fold_scores import FoldClock
from ostrya.estimators.reading import OutOfTimeError, TableReader
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints

N_ROWS = 40_000
LEAST_MEMORY = 32 * 2**20


@pytest.fixture(scope="module")
def table():
    """Return a table that is just large enough to be sampled, and its labels."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "city": [f"city {at}" for at in random.integers(0, 300, N_ROWS)],
            "age": random.integers(18, 90, N_ROWS),
            "income": np.where(
                random.random(N_ROWS) < 0.1, np.nan, random.normal(size=N_ROWS)
            ),
        }
    )
    chance = np.where(X["age"] > 50, 0.85, 0.1)
    y = np.where(random.random(N_ROWS) < chance, "yes", "no")
    return X, y


def fit(model, table, **arguments):
    with pytest.warns(OptimalityWarning) as caught:
        model.fit(*table, **arguments)
    return str(caught[0].message)


def test_no_time_to_read_all_rows_gives_a_tree_of_a_sample(table):
    X, y = table
    model = OptimalTreeClassifier(time_limit=0.001)

    message = fit(model, table)

    assert model.status_ == "time_limit"
    assert "sample of 16,384 of the 40,000 rows" in message
    assert "time_limit=0.001" in message
    assert message.endswith("groups equal rows.")
    assert model.n_leaves_ > 1
    assert model.tree_.n_samples[0] == N_ROWS
    assert model.loss_ == pytest.approx(1 - model.score(X, y), abs=1e-12)
    assert model.objective_ == pytest.approx(model.loss_ + 0.01 * model.n_leaves_)
    assert model.lower_bound_ == 0.01
    assert model.gap_ == model.objective_ - model.lower_bound_
    assert model.proved_depth_ == 0
    leaf = model.apply(X)
    assert (
        np.bincount(leaf, minlength=model.tree_.n_nodes).tolist()
        == np.where(model.tree_.feature < 0, model.tree_.n_samples, 0)
        .astype(int)
        .tolist()
    )


def test_no_memory_to_read_all_rows_gives_a_tree_of_a_sample(table):
    X, y = table
    wide = pd.concat([X.add_suffix(str(at)) for at in range(12)], axis=1)
    model = OptimalTreeClassifier(memory_limit=LEAST_MEMORY)

    message = fit(model, (wide, y))

    assert model.status_ == "memory_limit"
    assert f"memory_limit={LEAST_MEMORY}" in message
    assert model.tree_.n_samples[0] == N_ROWS
    assert model.loss_ == pytest.approx(1 - model.score(wide, y), abs=1e-12)


@pytest.mark.parametrize(
    "arguments",
    [
        {"objective": "balanced_accuracy"},
        {"objective": "f1"},
        {"objective": lambda fp, fn: fp + 2 * fn - 1},
        {"min_samples_leaf": 500},
        {"cost_matrix": [[0, 5], [1, 0]]},
    ],
    ids=["balanced_accuracy", "f1", "callable", "min_samples_leaf", "cost_matrix"],
)
def test_sampled_fits_keep_the_objective(table, arguments):
    model = OptimalTreeClassifier(time_limit=0.001, max_depth=2, **arguments)

    fit(model, table)

    assert model.status_ == "time_limit"
    assert model.lower_bound_ <= model.objective_
    assert model.objective_ == pytest.approx(model.loss_ + 0.01 * model.n_leaves_)
    assert model.tree_.n_samples[0] == N_ROWS
    leaves = model.tree_.n_samples[model.tree_.feature < 0]
    assert leaves.min() >= arguments.get("min_samples_leaf", 1)


@pytest.mark.parametrize(
    "model",
    [
        OptimalTreeClassifier(time_limit=0.001),
        TopKTreeClassifier(k=2, max_depth=2, time_limit=0.001),
    ],
    ids=["optimal", "top_k"],
)
def test_weights_are_counted_on_all_rows(table, model):
    X, y = table
    weights = np.random.default_rng(1).integers(0, 10, N_ROWS)

    fit(model, table, sample_weight=weights)

    wrong = weights[model.predict(X) != y].sum() / weights.sum()
    assert model.loss_ == pytest.approx(wrong, abs=1e-12)
    assert model.tree_.n_samples[0] == (weights > 0).sum()


def test_a_table_that_takes_longer_than_expected_is_sampled(table, monkeypatch):
    """The first sample, which is at hand, gives the tree."""

    def is_late(self):
        raise OutOfTimeError

    monkeypatch.setattr(reading, "SLOWEST_CELL", 1.0)
    monkeypatch.setattr(TableReader, "_most_rows", lambda *_: (N_ROWS, None))
    monkeypatch.setattr(TableReader, "_stop_if_late", is_late)
    model = OptimalTreeClassifier(max_depth=2)

    message = fit(model, table)

    assert "sample of 16,384" in message
    assert model.status_ == "time_limit"


def test_limits_that_suffice_change_nothing(table, monkeypatch):
    plain = OptimalTreeClassifier(max_depth=2, time_limit=None).fit(*table)
    monkeypatch.setattr(reading, "SLOWEST_CELL", 1.0)  # so that a sample comes first
    monkeypatch.setattr(TableReader, "_stop_if_late", lambda self: None)
    monkeypatch.setattr(TableReader, "_most_rows", lambda *_: (N_ROWS, None))

    model = OptimalTreeClassifier(max_depth=2).fit(*table)

    assert model.status_ == plain.status_ == "optimal"
    assert str(model.tree_) == str(plain.tree_)
    assert model.objective_ == plain.objective_


MANY_LEVELS = """
import resource
import numpy as np, pandas as pd
from ostrya import OptimalTreeClassifier
random = np.random.default_rng(0)
n = 60_000
city = random.integers(0, 2000, n)
X = pd.DataFrame({
    "city": pd.Categorical([f"city {at}" for at in city]),
    "shop": [f"shop {at}" for at in random.integers(0, 300, n)],
    "age": random.integers(18, 90, n),
})
y = (random.random(n) < np.where(city % 7 < 2, 0.8, 0.2)).astype(int)
OptimalTreeClassifier().fit(X[:1000], y[:1000])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
OptimalTreeClassifier(max_depth=2, time_limit=None).fit(X, y)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in kilobytes")
def test_columns_of_many_levels_take_little_memory():
    """One column of floats for each level would take 600 MB."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", MANY_LEVELS],
        capture_output=True,
        text=True,
        check=True,
    )

    assert int(ran.stdout) < 100 * 1024


N_DISTINCT = 20_000
LONG_COLUMNS = {
    "names": [f"name {at}" for at in range(N_DISTINCT)],
    "numbers": [f"{at / 7}" for at in range(N_DISTINCT)],
    "nearly_all_numbers": [
        f"{at}" if at % 50 else f"x{at}" for at in range(N_DISTINCT)
    ],
    "dates": pd.date_range("2001", periods=N_DISTINCT, freq="h").strftime(
        "%d.%m.%Y %H:%M"
    ),
    "durations": [f"{at} days 00:00:01" for at in range(N_DISTINCT)],
    "objects": [*range(N_DISTINCT - 1), "many"],
}


@pytest.mark.parametrize("dtype", ["str", "object"])
@pytest.mark.parametrize("kind", LONG_COLUMNS)
def test_time_is_checked_while_a_single_column_is_read(kind, dtype):
    """A column of a million distinct texts was read to its end, whatever the limit."""
    if (kind, dtype) == ("objects", "str"):
        pytest.skip("a column of texts contains no other objects")
    X = pd.DataFrame({"only": pd.Series(LONG_COLUMNS[kind], dtype=dtype)})
    classes = ClassWeights(np.arange(N_DISTINCT) % 2)
    calls = []

    def check():
        calls.append(None)
        if len(calls) > 3:  # the first two are between columns
            raise OutOfTimeError

    with pytest.raises(OutOfTimeError):
        TableEncoder.read(X, None, classes, TableHints(), check)


def test_a_text_column_that_takes_too_long_gives_a_tree_of_a_sample(monkeypatch):
    """The time is up in the middle of the only column, by a clock that counts looks."""
    looks = []

    def stop_if_late(self):
        looks.append(None)
        if len(looks) > 4:
            raise OutOfTimeError

    monkeypatch.setattr(TableReader, "_may_exceed_limits", lambda self: True)
    monkeypatch.setattr(TableReader, "_most_rows", lambda *_: (N_ROWS, None))
    monkeypatch.setattr(TableReader, "_stop_if_late", stop_if_late)
    X = pd.DataFrame({"only": [f"name {at // 5}" for at in range(N_ROWS)]})
    model = OptimalTreeClassifier(max_depth=1)

    message = fit(model, (X, np.arange(N_ROWS) > N_ROWS / 3))

    assert "sample of 16,384" in message
    assert len(looks) == 5


def test_folds_are_taken_from_the_sample_that_limits_allow(table):
    """Cross-validation read all rows for all folds, whatever the limits."""
    X, y = table
    wide = pd.concat([X.add_suffix(str(at)) for at in range(12)], axis=1)
    sizes = []

    def scoring(model, X, y):
        sizes.append(len(y))
        return float(np.mean(model.predict(X) == y))

    model = OptimalTreeClassifierCV(
        max_leaf_nodes=3,
        max_depth=2,
        cv=2,
        scoring=scoring,
        time_limit=None,
        memory_limit=LEAST_MEMORY,
    )
    weights = np.ones(N_ROWS)
    weights[::7] = 0

    message = fit(model, (wide, y), sample_weight=weights)

    assert "sample of 16,384" in message
    assert model.status_ == "memory_limit"
    assert max(sizes) < 16_384
    kept = weights > 0
    assert model.tree_.n_samples[0] == kept.sum()
    assert model.loss_ == pytest.approx(1 - model.score(wide[kept], y[kept]), abs=1e-12)


def test_a_fold_that_takes_too_long_to_read_is_left_out(table, monkeypatch):
    monkeypatch.setattr(TableReader, "_may_exceed_limits", lambda self: False)
    read = TableEncoder.read
    n_read = []

    def read_and_check(X, names, classes, hints, check):
        n_read.append(len(X))
        if len(n_read) == 2:
            monkeypatch.setattr(FoldClock, "is_over", lambda self: True)
        return read(X, names, classes, hints, check)

    monkeypatch.setattr(TableEncoder, "read", read_and_check)
    model = OptimalTreeClassifierCV(
        max_leaf_nodes=3, max_depth=2, cv=2, time_limit=None
    )

    message = fit(model, table)

    assert "2 of 2 folds were left out" in message
    assert n_read == [N_ROWS, N_ROWS // 2]
