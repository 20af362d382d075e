"""Hints: said once, in plain words, where the line that calls `fit` is."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ostrya import OptimalTreeClassifier, TableWarning, TopKTreeClassifier

CHANCE = np.random.default_rng(0)


def hints(X, y, **parameters):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        OptimalTreeClassifier(**parameters).fit(X, y)
    assert all(warning.category is TableWarning for warning in caught)
    assert all(Path(w.filename).name == Path(__file__).name for w in caught)
    return [str(warning.message) for warning in caught]


def test_numbers_in_texts_are_hinted_at_once_for_all_columns():
    X = pd.DataFrame({name: [f"${i}" for i in range(30)] for name in "abcdefg"})
    (hint,) = hints(X, np.arange(30) % 2)
    assert hint.startswith("columns 'a', 'b', 'c', 'd', 'e' and 2 more hold texts")
    assert "'$0', which are taken as numbers (this one as 0)" in hint


def test_dates_in_texts_are_hinted_at():
    X = pd.DataFrame({"day": [f"2023-09-{i + 1:02}" for i in range(20)] + ["?"]})
    (hint,) = hints(X, [i < 8 for i in range(21)])
    assert "'2023-09-01', which are taken as dates" in hint


def test_one_odd_text_among_numbers_is_hinted_at():
    X = pd.DataFrame({"age": [str(i) for i in range(30)] + ["x4"]})
    (hint,) = hints(X, np.arange(31) < 15, leaf_penalty=0.4)
    assert "column 'age' would be numbers" in hint
    assert "'x4'" in hint


@pytest.mark.parametrize("repeated", [0, 5])
def test_names_of_rows_are_hinted_at(repeated):
    names = [f"row {max(i, repeated)}" for i in range(40)]
    X = pd.DataFrame({"name": names, "x": np.arange(40)})
    (hint,) = hints(X, np.arange(40) < 20)
    assert hint.startswith("column 'name' holds names of rows rather than categories")
    assert ("all differ" if repeated == 0 else "35 differ") in hint


def test_a_lone_leaf_by_rare_classes_is_hinted_at():
    X, y = CHANCE.normal(size=(400, 2)), np.arange(400) % 200 == 0
    (hint,) = hints(X, y)
    assert hint.startswith("The best tree is a lone leaf: all but 0.005 of the rows")
    assert 'objective="balanced_accuracy"' in hint
    assert not hints(X, y, objective="balanced_accuracy", max_depth=1)
    with pytest.warns(TableWarning, match="lone leaf"):
        TopKTreeClassifier(leaf_penalty=0.01, max_depth=2).fit(X, y)


def test_a_lone_leaf_by_many_levels_is_hinted_at():
    X = pd.DataFrame({"c": [f"c{i}" for i in np.arange(500) % 90]})
    (hint,) = hints(X, CHANCE.integers(0, 2, 500), leaf_penalty=0.05)
    assert "column 'c' has 90 levels or more" in hint


def test_many_whole_numbers_as_labels_are_hinted_at():
    (hint,) = hints(np.arange(300).reshape(-1, 1), np.arange(300) // 2, leaf_penalty=1)
    assert hint.startswith("y holds 150 different whole numbers")
    assert "regressor" in hint
    names = [f"n{i // 2}" for i in range(300)]
    assert not hints(np.arange(300).reshape(-1, 1), names, leaf_penalty=1)


def test_plain_tables_get_no_hint():
    X = pd.DataFrame({"x": np.arange(60), "c": ["a", "b", "c", "d"] * 15})
    assert not hints(X, np.arange(60) < 20)
