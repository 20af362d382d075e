"""``to_sklearn``, and what scikit-learn's own trees can be asked."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, export_text
from sklearn.utils.estimator_checks import parametrize_with_checks

from ostrya import OptimalTreeClassifier, TopKTreeClassifier
from ostrya.export import export_text as drawn
from ostrya.preprocessing import TableTransformer

BOTH = pytest.mark.parametrize("make", [OptimalTreeClassifier, TopKTreeClassifier])


def mixed(n=120):
    chance = np.random.default_rng(0)
    age = np.where(chance.random(n) < 0.2, np.nan, chance.integers(18, 80, n))
    frame = pd.DataFrame(
        {
            "age": age,
            "colour": chance.choice(["red", "blue", "green", None], n),
            "size": pd.Categorical(chance.choice(list("SML"), n)),
            "owner": chance.random(n) < 0.5,
            "price": chance.normal(size=n).round(3),
        }
    )
    says_yes = (frame.colour == "red") & ~(age < 40) | (frame.price > 1) & frame.owner
    return frame, np.where(says_yes, "yes", "no")


def strange():
    """Return rows that miss values and have levels that no training row had."""
    return pd.DataFrame(
        {
            "age": [np.nan, 30.0, 99.0],
            "colour": ["mauve", None, "red"],
            "size": pd.Categorical(["S", None, "S"]),
            "owner": [True, False, True],
            "price": [np.nan, 5.0, -5.0],
        }
    )


@BOTH
@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_a_mixed_table_gives_a_pipeline_that_takes_it(make, kind):
    frame, labels = mixed()
    rows = kind(frame)
    clf = make(leaf_penalty=0.005, max_depth=4).fit(rows, labels)
    model = clf.to_sklearn(rows)
    assert isinstance(model, Pipeline)
    assert type(model[-1]) is DecisionTreeClassifier
    assert model.feature_names_in_.tolist() == list(frame)
    for table in (rows, kind(strange())):
        assert np.array_equal(model.predict(table), clf.predict(table))
        assert np.array_equal(model.predict_proba(table), clf.predict_proba(table))
    matrix = model[:-1].transform(rows)
    assert np.array_equal(model[-1].apply(matrix), clf.apply(rows))


def test_the_names_of_a_pipeline_say_what_its_tree_asks():
    frame, labels = mixed()
    clf = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=4).fit(frame, labels)
    model = clf.to_sklearn()
    names = model[:-1].get_feature_names_out()
    told = export_text(model[-1], feature_names=list(names))
    # The first branch is the one of a no: a yes is 1.
    assert "colour = red <= 0.50" in told
    assert set(names) >= {"age is missing", "age", "size = S", "owner = true", "price"}
    matrix = model[:-1].transform(frame)
    assert matrix[:, names == "colour = red"].ravel().tolist() == [
        float(colour == "red") for colour in frame.colour
    ]


def test_a_pipeline_is_copied_and_fitted_again():
    frame, labels = mixed()
    model = (
        OptimalTreeClassifier(leaf_penalty=0.005, max_depth=4)
        .fit(frame, labels)
        .to_sklearn()
    )
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(frame), model.predict(frame))
    assert clone(model).fit(frame, labels).score(frame, labels) == 1.0


def test_rows_of_an_array_of_objects_go_into_a_pipeline():
    rows = [[20, "red"], [35, "red"], [40, "blue"], [None, "blue"]]
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(rows, list("abbb"))
    assert clf.to_sklearn().predict(rows).tolist() == list("abbb")


@parametrize_with_checks([TableTransformer()])
def test_the_first_step_is_a_transformer(estimator, check):
    check(estimator)


@BOTH
def test_depth_leaves_and_logarithms(make):
    frame, labels = mixed()
    clf = make(leaf_penalty=0.01, max_depth=3)
    for name in ("get_depth", "get_n_leaves"):
        with pytest.raises(NotFittedError):
            getattr(clf, name)()
    clf.fit(frame, labels)
    assert (clf.get_depth(), clf.get_n_leaves()) == (clf.depth_, clf.n_leaves_)
    with np.errstate(divide="ignore"):
        expected = np.log(clf.predict_proba(frame))
    assert np.array_equal(clf.predict_log_proba(frame), expected)
    assert np.isneginf(clf.predict_log_proba(frame)).any()


@pytest.mark.parametrize(
    ("columns", "question"),
    [([0, 1], "x1 <= 0?"), ([2019, 2020], "column 2020 <= 0?"), (["a", "b"], "b <= ")],
)
def test_columns_named_by_integers_read_as_columns(columns, question):
    frame = pd.DataFrame([[0, -1], [0, 1], [1, -1], [1, 1]], columns=columns)
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, [0, 1, 0, 1])
    assert drawn(clf).startswith(question)
    assert clf.to_sklearn().predict(frame).tolist() == [0, 1, 0, 1]
