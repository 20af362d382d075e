"""Typical values are medians and most frequent levels of the training rows."""

from __future__ import annotations

import datetime
import itertools
import json

import numpy as np
import pandas as pd
import pytest

from ostrya import OptimalTreeClassifier
from ostrya.estimators.load_model import load_model
from ostrya.export.report.content import report_content
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.typical import with_typical_values


def typical(table, counts=None):
    encoder = TableEncoder(table)
    columns = range(encoder.n_columns)
    counts = None if counts is None else np.array(counts)
    known = with_typical_values(encoder, columns, encoder.encode(table), counts)
    return [feature.typical for feature in known.features]


def test_numbers_have_their_median_and_missing_values_do_not_count():
    table = pd.DataFrame({"a": [1.0, 7.0, 100.0], "b": [None, 2.0, 3.0]})
    assert typical(table) == [7.0, 2.0]


def test_levels_have_the_most_frequent_one():
    table = pd.DataFrame({"city": ["Ulm", "Bonn", "Bonn", "Kiel", None, None, None]})
    assert typical(table) == ["Bonn"]


@pytest.mark.parametrize("common", [True, False])
def test_booleans_have_the_more_frequent_answer(common):
    assert typical(pd.DataFrame({"x": [common, common, not common]})) == [common]


def test_ordered_levels_have_their_median():
    sizes = pd.Categorical(list("SSMLL"), categories=["S", "M", "L"], ordered=True)
    assert typical(pd.DataFrame({"size": sizes})) == ["M"]


def test_times_have_their_median_in_microseconds():
    days = [datetime.datetime(2020, 1, day) for day in (1, 5, 30)]
    (found,) = typical(pd.DataFrame({"day": days}))
    assert found == (days[1] - datetime.datetime(1970, 1, 1)).total_seconds() * 1e6


def test_groups_of_rows_count_as_often_as_they_occur():
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "city": ["Ulm", "Bonn", "Kiel"]})
    assert typical(table, [5, 1, 1]) == [1.0, "Ulm"]


def shop():
    """Return rows whose typical values are not in the middle of the range."""
    pairs = itertools.product([20, 30, 30, 90], ["Bonn", "Kiel", "Ulm", "Ulm"])
    X = pd.DataFrame(pairs, columns=["age", "city"])
    return X, (X.age > 25) & (X.city == "Ulm")


def test_the_what_if_of_a_report_starts_from_typical_values(tmp_path):
    X, y = shop()
    clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=2).fit(X, y)
    clf.save(tmp_path / "model.json")
    for model in (clf, load_model(tmp_path / "model.json")):
        told = report_content(model, None, None, None, None)
        starts = {i["name"]: i for i in told["inputs"]}
        assert starts["age"]["start"] == 30
        levels = starts["city"]["levels"]
        assert levels[starts["city"]["start"]] == ["Ulm", "Ulm"]


@pytest.mark.parametrize(
    ("name", "typical", "words"),
    [
        ("age", "old", "typical must be a finite number"),
        ("city", "Rome", "typical must be one of the levels"),
    ],
)
def test_a_file_with_an_impossible_typical_value_is_refused(
    name, typical, words, tmp_path
):
    from ostrya.estimators.model_format import digest

    path = tmp_path / "model.json"
    OptimalTreeClassifier(leaf_penalty=0.01, max_depth=2).fit(*shop()).save(path)
    content = json.loads(path.read_text())
    column = next(c for c in content["columns"] if c["name"] == name)
    assert "typical" in column
    column["typical"] = typical
    del content["digest"]
    content["digest"] = digest(content)
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=words):
        load_model(path)
