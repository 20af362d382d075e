"""`frontier` and `estimate_runtime` accept the tables that classifiers accept."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ostrya
from ostrya import OptimalTreeClassifier
from ostrya.estimators import search_table
from ostrya.preprocessing import training_table
from ostrya.results.runtime_estimate import _duration
from ostrya.top_k import TopKSplits

pytestmark = pytest.mark.filterwarnings("ignore::ostrya.TableWarning")

N_ROWS = 200
COLOURS = ["red", "green", "blue", None]


def columns():
    """Return columns of every kind, with missing values, and labels."""
    rng = np.random.default_rng(7)
    days = [datetime.datetime(2023, 1, 1) + datetime.timedelta(d) for d in range(90)]
    table = {
        "age": [
            None if rng.random() < 0.1 else int(a) for a in rng.integers(18, 70, N_ROWS)
        ],
        "colour": [COLOURS[place] for place in rng.integers(0, 4, N_ROWS)],
        "seen": [days[place] for place in rng.integers(0, 90, N_ROWS)],
        "smokes": [bool(x) for x in rng.random(N_ROWS) < 0.5],
    }
    is_sick = [
        (colour == "red" and seen > days[40]) or smokes
        for colour, seen, smokes in zip(
            table["colour"], table["seen"], table["smokes"], strict=True
        )
    ]
    return table, np.where(is_sick, "sick", "well")


def as_pandas():
    table, _ = columns()
    frame = pd.DataFrame(table)
    frame["colour"] = pd.Categorical(frame["colour"])
    return frame


TABLES = {
    "pandas": as_pandas,
    "polars": lambda: pl.DataFrame(columns()[0]),
    "pyarrow": lambda: pa.table(columns()[0]),
    "rows": lambda: [list(row) for row in zip(*columns()[0].values(), strict=True)],
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_frontier_has_the_trees_of_the_classifier_in_its_words(kind):
    X, y = TABLES[kind](), columns()[1]
    frontier = ostrya.frontier(X, y, max_leaf_nodes=4, max_depth=3)
    assert frontier.is_optimal
    assert frontier.classes.tolist() == ["sick", "well"]
    for point in frontier.points:
        clf = OptimalTreeClassifier(
            leaf_penalty=0.0, max_depth=3, max_leaf_nodes=point.max_leaf_nodes
        )
        clf.fit(X, y)
        assert point.loss == clf.loss_
        codes = point.tree.predict(frontier.encoder.encode(X))
        assert np.mean(frontier.classes[codes] != y) == pytest.approx(point.loss)
        assert point.tree.class_names == ("sick", "well")
    text = str(frontier.points[-1].tree)
    names = ["x1", "x2", "x3"] if kind == "rows" else ["colour", "seen", "smokes"]
    for word in (f"{names[0]} = red", f"{names[1]} <= 2023-02", names[2]):
        assert word in text
    assert all(each.tree.questions for each in frontier.hull)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("method", ["exact", "top_k", "frontier", "guessed_thresholds"])
def test_an_estimate_is_that_of_the_encoded_table(kind, method):
    X, y = TABLES[kind](), columns()[1]
    given = {
        "method": method,
        "max_depth": 3,
        "max_leaf_nodes": 4,
        "leaf_penalty": 0.01,
    }
    found = ostrya.estimate_runtime(X, y, **given)
    encoder = ostrya.frontier(X, y, max_leaf_nodes=1).encoder
    codes = (y == "well").astype(int)
    assert found.is_counted
    assert found.work == ostrya.estimate_runtime(encoder.encode(X), codes, **given).work


def test_weights_and_costs_are_by_label():
    X, y = as_pandas(), columns()[1]
    given = {"max_leaf_nodes": 3, "max_depth": 2}
    for words in (
        {"class_weight": {"sick": 3.0}},
        {"class_weight": "balanced"},
        {"cost_matrix": [[0, 5], [1, 0]]},
        {"sample_weight": np.arange(N_ROWS) % 3},
    ):
        frontier = ostrya.frontier(X, y, **given, **words)
        weight = words.pop("sample_weight", None)
        clf = OptimalTreeClassifier(
            leaf_penalty=0.0, max_depth=2, max_leaf_nodes=3, **words
        )
        assert frontier.at_leaves(3).loss == clf.fit(X, y, sample_weight=weight).loss_


def test_codes_that_no_row_has_may_have_costs():
    X, y = [[0.0], [1.0], [2.0]], [0, 0, 2]
    costs = np.ones((4, 4)) - np.eye(4)
    costs[:, 3] = 0.1  # of a label that no row has, but that is cheap to predict
    frontier = ostrya.frontier(X, y, cost_matrix=costs, class_weight="balanced")
    assert frontier.classes.tolist() == [0, 1, 2, 3]
    assert frontier.points[0].tree.label.tolist() == [3]
    assert frontier.points[0].loss == pytest.approx(0.1)
    assert ostrya.estimate_runtime(X, y, cost_matrix=costs).is_counted


@pytest.fixture
def unread(monkeypatch):
    def read(*args, **kwargs):
        raise AssertionError("the table was read")

    for module in (search_table, training_table):
        monkeypatch.setattr(module, "check_table", read)


BAD = [
    ({"max_leaf_nodes": 0}, "max_leaf_nodes must be"),
    ({"max_depth": "auto"}, "max_depth must be"),
    ({"max_depth": -1}, "max_depth must be"),
    ({"min_samples_leaf": 0}, "min_samples_leaf must be"),
    ({"y": [0, 1]}, r"y must have one label per row of X \(200\); got 2"),
    ({"y": [0.5] * N_ROWS}, "continuous"),
    ({"y": [None] * N_ROWS}, "y contains NaN"),
    ({"sample_weight": [1.0]}, "sample_weight"),
    (
        {"class_weight": {"sikc": 2}},
        "class_weight must only contain labels of y.*'sikc'",
    ),
    ({"cost_matrix": [[0, 1]]}, "cost_matrix"),
]


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *BAD,
        ({"time_limit": 0}, "time_limit must be"),
        ({"memory_limit": 1}, "memory_limit must be"),
    ],
)
def test_a_frontier_refuses_before_the_table_is_read(changes, message):
    given = {"X": as_pandas(), "y": columns()[1]} | changes
    with pytest.raises(ValueError, match=message):
        ostrya.frontier(**given)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *BAD,
        ({"method": "quick"}, "method must be"),
        ({"leaf_penalty": -1}, "leaf_penalty must be"),
        ({"top_k": TopKSplits(k=2)}, 'unless method="top_k"'),
        ({"method": "top_k", "top_k": TopKSplits(k=0)}, "k must be"),
    ],
)
def test_an_estimate_refuses_before_the_table_is_read(changes, message):
    given = {"X": as_pandas(), "y": columns()[1]} | changes
    with pytest.raises(ValueError, match=message):
        ostrya.estimate_runtime(**given)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("changes", [{"max_leaf_nodes": 0}, {"min_samples_leaf": 0}])
def test_a_classifier_refuses_before_the_table_is_read(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        OptimalTreeClassifier(**changes).fit(as_pandas(), columns()[1])


def test_a_lazy_table_has_the_frontier_of_its_rows():
    table, y = columns()
    eager = pl.DataFrame(table)
    lazy = eager.with_columns(y=pl.Series(y)).lazy()
    given = {"max_leaf_nodes": 4, "max_depth": 3, "min_samples_leaf": 2}
    here, there = (
        ostrya.frontier(eager, y, **given),
        ostrya.frontier(lazy, "y", **given),
    )
    assert [p.loss for p in there.points] == [p.loss for p in here.points]
    assert there.status == "optimal"
    assert ostrya.estimate_runtime(lazy, "y", max_depth=2).is_counted
    compressed = ostrya.preprocessing.compress(lazy, "y")
    again = ostrya.frontier(compressed, None, **given)
    assert [p.loss for p in again.points] == [p.loss for p in here.points]


def test_a_frontier_over_some_thresholds_claims_no_proof_over_all():
    rng = np.random.default_rng(0)
    x = rng.normal(size=5000)
    y = (x > 0.3) ^ (rng.random(5000) < 0.1)
    lazy = pl.DataFrame({"x": x, "y": y}).lazy()
    compressed = ostrya.preprocessing.compress(lazy, "y", thresholds=8)
    frontier = ostrya.frontier(compressed, None, max_leaf_nodes=3)
    assert {frontier.status, *(p.status for p in frontier.points)} == {
        "optimal_in_selected_thresholds"
    }
    assert not any(each.is_optimal for each in frontier.hull)


def test_a_plot_draws_cart_on_any_table():
    pytest.importorskip("matplotlib")
    from ostrya.export import plot_frontier

    X, y = as_pandas(), columns()[1]
    frontier = ostrya.frontier(X, y, max_leaf_nodes=4)
    axes = plot_frontier(frontier, X, y)
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert "CART, training rows" in labels


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.5, "less than a second"),
        (1, "1 second"),
        (1.04, "1 second"),
        (1.2, "1.2 seconds"),
        (60, "1 minute"),
        (3600, "1 hour"),
        (7200, "2 hours"),
        (86400 * 2, "2 days"),
        (86400 * 365, "360 days"),
        (1e12, "years"),
    ],
)
def test_durations_are_singular_where_they_are_one(seconds, words):
    assert _duration(seconds) == words
