"""Data as people have it: tables, names, missing values, and labels of any type."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ostrya import OptimalTreeClassifier, TableWarning
from ostrya._tree_shape import BLOCK

N = 120
CHANCE = np.random.default_rng(0)
AGE = CHANCE.integers(18, 80, N)
COLOUR = np.array(["red", "green", "blue"])[CHANCE.integers(0, 3, N)].tolist()
INCOME = [None if i % 5 == 0 else float(i % 37) for i in range(N)]
GOOD = [INCOME[i] is None or (COLOUR[i] == "red" and AGE[i] <= 40) for i in range(N)]
COLUMNS = {"age": AGE.tolist(), "colour": COLOUR, "income": INCOME}
LABELS = np.where(GOOD, "good", "bad")

FRAMES = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "pyarrow": lambda: pa.table(COLUMNS),
}
SERIES = {
    "list": list,
    "array": np.asarray,
    "objects": lambda y: np.array(list(y), dtype=object),
    "pandas": pd.Series,
    "pandas-category": lambda y: pd.Series(y, dtype="category"),
    "polars": pl.Series,
    "polars-category": lambda y: pl.Series(y).cast(pl.Categorical),
    "pyarrow": lambda y: pa.chunked_array([pa.array(y)]),
}


def fit(frame, labels=LABELS, **parameters):
    parameters = {"leaf_penalty": 0.01, **parameters}
    return OptimalTreeClassifier(**parameters).fit(frame, labels)


@pytest.mark.parametrize("library", FRAMES)
def test_the_tree_speaks_of_names_categories_and_missing_values(library):
    frame = FRAMES[library]()
    clf = fit(frame)
    drawing = str(clf.tree_)
    assert "income is missing?" in drawing
    assert "colour = red?" in drawing
    assert "age <= " in drawing
    assert "good" in drawing
    assert "bad" in drawing
    assert clf.score(frame, LABELS) == 1
    assert clf.feature_names_in_.tolist() == ["age", "colour", "income"]
    assert len(clf.feature_importances_) == 3


def test_every_library_gives_the_same_tree():
    trees = [fit(frame()).tree_ for frame in FRAMES.values()]
    assert trees[0] == trees[1] == trees[2]


def test_words_travel_with_the_tree():
    tree = fit(FRAMES["pandas"]()).tree_
    assert tree.class_names == ("bad", "good")
    assert len(tree.questions) == tree.n_nodes
    assert [question == "" for question in tree.questions] == list(tree.feature < 0)
    assert type(tree).from_dict(tree.to_dict()) == tree


def test_fitted_on_one_library_and_asked_with_another():
    clf = fit(FRAMES["pandas"]())
    for frame in FRAMES.values():
        assert (clf.predict(frame()) == LABELS).all()


def test_new_missing_values_and_unknown_categories_answer_no():
    X = pd.DataFrame({"age": AGE, "colour": COLOUR})
    y = (X["age"] <= 40) & (X["colour"] == "red")
    clf = fit(X, y)
    strange = pd.DataFrame({"age": [None, 20, 20], "colour": ["red", "mauve", None]})
    strange["age"] = strange["age"].astype(float)
    assert not clf.predict(strange).any()


def test_rows_of_weight_zero_teach_no_category():
    X = pl.DataFrame({"colour": ["a", "b", "c", "a", "b"]})
    clf = OptimalTreeClassifier(leaf_penalty=0.01)
    clf.fit(X, [0, 1, 1, 0, 1], sample_weight=[1, 1, 0, 1, 1])
    assert clf.encoder_.features[0].levels == ("a",)


@pytest.mark.parametrize("dress", SERIES)
@pytest.mark.parametrize(
    "pair", [("bad", "good"), (-1, 1), (False, True), (7, 12)], ids=str
)
def test_labels_of_any_type_come_back(pair, dress):
    values = [pair[int(good)] for good in GOOD]
    if dress.endswith("category") and not isinstance(pair[0], str):
        pytest.skip("categories of strings say enough")
    clf = fit(FRAMES["pandas"](), SERIES[dress](values))
    assert clf.classes_.tolist() == list(pair)
    assert clf.predict(FRAMES["pandas"]()).tolist() == values


def test_three_labels_and_whole_floats():
    X = [[0], [1], [2]] * 5
    assert fit(X, [0.0, 2.0, 5.0] * 5).predict([[2]]).tolist() == [5.0]


def test_one_label_is_a_single_leaf():
    with pytest.warns(TableWarning, match="y contains no other class"):
        clf = fit([[0], [1]], ["a", "a"])
    assert clf.predict([[5]]).tolist() == ["a"]
    assert clf.predict_proba([[5]]).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([0.5, 1.5], "Unknown label type: cont.*whole numbers.*got 0.5.*regressor"),
        ([None, "a"], "y contains NaN"),
        ([np.nan, 1.0], "y contains NaN"),
        (pd.Series(["a", None]), "y contains NaN"),
        (pl.Series(["a", None]), "y contains NaN"),
        (["a"], r"one label per row of X \(2\); got 1"),
        ([["a", "b"], ["b", "a"]], "1d array"),
    ],
)
def test_labels_that_are_none_are_turned_away(labels, words):
    with pytest.raises(ValueError, match=words):
        fit([[0], [1]], labels)


def test_numbers_are_not_read_as_truth():
    X = np.array([[2.0], [3.0], [2.0], [3.0]])
    assert fit(X, [0, 1, 0, 1]).predict([[2.0], [3.0]]).tolist() == [0, 1]


@pytest.mark.parametrize("library", FRAMES)
def test_an_empty_frame_is_turned_away(library):
    frame = FRAMES[library]()[:0]
    with pytest.raises(ValueError, match="0 sample"):
        fit(frame, [])


def test_many_rows_answer_alike_as_array_and_as_frame():
    X = CHANCE.integers(0, 9, (2 * BLOCK + 5, 3)).astype(float)
    X[::50, 1] = np.nan
    names = ["a", "b", "c"]
    clf = fit(X[:60], X[:60, 1] <= 4, leaf_penalty=0.001)
    named = fit(pd.DataFrame(X[:60], columns=names), X[:60, 1] <= 4, leaf_penalty=0.001)
    assert (clf.predict(X) == (X[:, 1] <= 4)).all()
    assert (named.predict(pd.DataFrame(X, columns=names)) == clf.predict(X)).all()


@pytest.mark.parametrize("name", ["column_names", "columns", "shape", "dtype"])
def test_a_column_may_be_called_as_a_frame_calls_its_own(name):
    frame = pd.DataFrame({name: [1.0, 2.0, 3.0, 4.0]})
    clf = fit(frame, list("aabb"))
    assert clf.predict(frame).tolist() == list("aabb")
    assert clf.feature_names_in_.tolist() == [name]


@pytest.mark.parametrize("library", FRAMES)
def test_predict_reads_only_the_columns_that_the_tree_asks_about(library, monkeypatch):
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
    wide = {f"c{i}": CHANCE.normal(size=60).tolist() for i in range(300)}
    model = OptimalTreeClassifier(max_depth=1).fit(
        make[library](wide), np.array(wide["c7"]) > 0
    )
    rows = make[library]({name: values[:1] for name, values in wide.items()})
    read = []
    get_column = nw.DataFrame.get_column
    monkeypatch.setattr(
        nw.DataFrame,
        "get_column",
        lambda frame, name: read.append(name) or get_column(frame, name),
    )
    monkeypatch.setattr(nw.DataFrame, "iter_columns", None)
    model.predict(rows)
    assert read == ["c7"]


def test_columns_that_the_tree_does_not_ask_about_must_be_there():
    model = fit(pd.DataFrame(COLUMNS), max_depth=1)
    used = [name for name in COLUMNS if f"{name} " in str(model.tree_)]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(pd.DataFrame(COLUMNS)[used])
