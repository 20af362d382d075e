"""Hints: said once, in plain words, where the line that calls `fit` is."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ostrya import (
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    TableWarning,
    TopKTreeClassifier,
)

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
    (hint,) = hints(X, np.arange(30) % 2, leaf_penalty=0.01)
    assert hint.startswith("Columns 'a', 'b', 'c', 'd', 'e' and 2 more contain text")
    assert "'$0', that is read as numbers (here 0)" in hint


def test_dates_in_texts_are_hinted_at():
    X = pd.DataFrame({"day": [f"2023-09-{i + 1:02}" for i in range(20)] + ["?"]})
    (hint,) = hints(X, [i < 8 for i in range(21)])
    assert "'2023-09-01', that is read as dates" in hint


def test_one_odd_text_among_numbers_is_hinted_at():
    X = pd.DataFrame({"age": [str(i) for i in range(30)] + ["x4"]})
    (hint,) = hints(X, np.arange(31) < 15, max_leaf_nodes=1)
    assert hint.startswith("Column 'age' is treated as categories")
    assert "'x4'" in hint


@pytest.mark.parametrize("repeated", [0, 5])
def test_names_of_rows_are_hinted_at(repeated):
    names = [f"row {max(i, repeated)}" for i in range(40)]
    X = pd.DataFrame({"name": names, "x": np.arange(40) / 2})
    (hint,) = hints(X, np.arange(40) < 20)
    assert hint.startswith("Column 'name' looks like an identifier")
    assert ("all 40" if repeated == 0 else "35 of 40") in hint


LEAF = "The tree is a single leaf that predicts "


def single_leaf_hint(X, y, **parameters):
    (hint,) = [each for each in hints(X, y, **parameters) if each.startswith(LEAF)]
    assert hint.count(", because ") == 1
    assert hint.count(". To change this, ") == 1
    assert hint.endswith(".")
    return hint


@pytest.mark.parametrize("every", [3, 5, 16, 200])
def test_a_single_leaf_by_rare_classes_names_the_remedy(every):
    """One class in five was rare enough for a single leaf, but not for the hint."""
    X, y = np.arange(400).reshape(-1, 1) % 7, np.arange(400) % every == 0
    hint = single_leaf_hint(X, y)
    share = 100 * (1 - y.mean())
    assert f"False for every row, because this is correct for {share:.1f}%" in hint
    assert "corrects the 4 rows per additional leaf that leaf_penalty=" in hint
    assert 'set objective="balanced_accuracy" or class_weight="balanced"' in hint
    with pytest.warns(TableWarning, match="single leaf"):
        TopKTreeClassifier(max_depth=2).fit(X, y)


def test_the_remedy_for_rare_classes_helps():
    X, y = CHANCE.normal(size=(400, 2)), np.arange(400) % 200 == 0
    assert single_leaf_hint(X, y)
    assert not hints(X, y, objective="balanced_accuracy", max_depth=1)
    assert not hints(X, y, class_weight="balanced", max_depth=1)


def test_a_single_leaf_by_many_levels_names_the_column():
    X = pd.DataFrame({"c": [f"c{i}" for i in np.arange(500) % 90]})
    hint = single_leaf_hint(X, CHANCE.integers(0, 2, 500), leaf_penalty=0.05)
    assert "group the many levels of column 'c', or decrease leaf_penalty" in hint


def test_a_single_leaf_without_rare_classes_is_hinted_at_too():
    X, y = CHANCE.normal(size=(40, 1)), np.arange(40) % 2
    hint = single_leaf_hint(X, y, leaf_penalty=0.4)
    assert "corrects the 16 rows per additional leaf that leaf_penalty=0.4" in hint
    assert "decrease leaf_penalty, for example to 0.04, or add columns" in hint
    hint = single_leaf_hint(X, y, leaf_penalty=0.4, max_depth=2)
    assert "no tree within max_depth=2 corrects" in hint
    assert "decrease leaf_penalty, for example to 0.04, or increase max_depth." in hint


def test_a_single_leaf_without_a_penalty_is_not_blamed_on_it():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 9), np.array([0, 1, 1, 0] * 9)
    hint = single_leaf_hint(X, y, leaf_penalty=0, max_depth=1)
    assert "no tree within max_depth=1 has a loss below 0.5" in hint
    assert hint.endswith(
        ". To change this, increase max_depth, or add columns that are related to y."
    )


def test_a_single_leaf_by_another_objective_is_hinted_at():
    X, y = CHANCE.normal(size=(40, 1)), np.arange(40) % 4 == 0
    hint = single_leaf_hint(X, y, objective="f1", leaf_penalty=0.5)
    assert "lowers the loss of " in hint
    hint = single_leaf_hint(X, y, cost_matrix=[[0, 1], [3, 0]], leaf_penalty=0.7)
    assert "by the 0.7 per additional leaf that leaf_penalty=0.7 requires" in hint


def test_a_table_of_few_rows_is_hinted_at():
    hint = single_leaf_hint([[1], [2], [3]], ["a", "b", "b"])
    assert 'corrects the 3 rows per additional leaf that leaf_penalty="auto"' in hint


def test_a_single_class_is_hinted_at():
    X = np.arange(9).reshape(-1, 1)
    hint = single_leaf_hint(X, ["yes"] * 9)
    assert "predicts 'yes' for every row, because y contains no other class" in hint
    with pytest.warns(TableWarning, match="To change this, check y"):
        OptimalTreeClassifierCV(cv=3).fit(X, ["yes"] * 9)


@pytest.mark.parametrize(
    ("parameters", "largest"),
    [({}, "1"), ({"cost_matrix": [[0, 1], [2, 0]], "leaf_penalty": 2.5}, "2")],
)
def test_a_penalty_that_no_split_can_pay_is_hinted_at(parameters, largest):
    X, y = np.arange(60).reshape(-1, 1), np.arange(60) > 29
    hint = single_leaf_hint(X, y, **{"leaf_penalty": 1, **parameters})
    assert f"is not below the largest possible loss, {largest}, so no" in hint
    assert 'set leaf_penalty="auto", or a much smaller number such as 0.0' in hint


def test_columns_that_cannot_split_are_hinted_at():
    hint = single_leaf_hint([[1, "a"]] * 30, [0, 1] * 15)
    assert "no column of X can split the training rows" in hint


def test_leaves_too_large_for_the_table_are_hinted_at():
    X, y = np.arange(60).reshape(-1, 1), np.arange(60) > 29
    hint = single_leaf_hint(X, y, min_samples_leaf=31)
    assert "min_samples_leaf=31 requires 62 rows for a split and there are 60" in hint


def test_a_single_leaf_chosen_by_cross_validation_is_hinted_at():
    X, y = CHANCE.normal(size=(90, 1)), np.arange(90) % 6 == 0
    with pytest.warns(TableWarning, match="no larger tree scored better") as caught:
        OptimalTreeClassifierCV(max_leaf_nodes=3, max_depth=2).fit(X, y)
    assert 'set scoring and objective to "balanced_accuracy"' in str(caught[0].message)


def test_a_single_leaf_that_was_asked_for_gets_no_hint():
    X, y = np.arange(60).reshape(-1, 1), np.arange(60) > 29
    assert not hints(X, y, max_leaf_nodes=1)
    assert not hints(X, y, max_depth=0)


def test_many_whole_numbers_as_labels_are_hinted_at():
    X = np.arange(300).reshape(-1, 1)
    (hint,) = hints(X, np.arange(300) // 2, max_leaf_nodes=1)
    assert hint.startswith("y contains 150 different whole numbers")
    assert "regressor" in hint
    names = [f"n{i // 2}" for i in range(300)]
    assert not hints(X, names, max_leaf_nodes=1)


def test_plain_tables_get_no_hint():
    X = pd.DataFrame({"x": np.arange(60) / 2, "c": ["a", "b", "c", "d"] * 15})
    assert not hints(X, np.arange(60) < 20)


def sorted_table(name, numbers):
    """Return a table sorted by class, which numbers of rows separate."""
    X = pd.DataFrame({"noise": CHANCE.normal(size=60), name: numbers})
    return X, np.arange(60) < 30


ROW_NUMBERS = {
    "Unnamed: 0": np.arange(60),
    "rownames": np.arange(1, 61),
    "x": np.arange(60),
    "CustomerID": np.arange(60) * 37 + 1001,
    "order_id": np.arange(60)[::-1],
}


@pytest.mark.parametrize("name", ROW_NUMBERS)
def test_row_numbers_and_identifiers_are_hinted_at(name):
    (hint,) = hints(*sorted_table(name, ROW_NUMBERS[name]), leaf_penalty=0.01)
    assert f"column {name!r}" in hint
    assert "Drop the column" in hint


NO_ROW_NUMBERS = {
    "year": np.arange(1960, 2020),
    "seconds": np.arange(60) * 10,
    "paid": np.arange(60) * 37 + 1001,
    "rank": np.concatenate([np.arange(30)[::-1], np.arange(30, 60)]),
    "id": np.arange(60) // 2,  # of households, which have two rows
    "x": np.arange(60) / 2,
}


@pytest.mark.parametrize("name", NO_ROW_NUMBERS)
def test_measurements_are_not_taken_for_row_numbers(name):
    X, y = sorted_table(name, NO_ROW_NUMBERS[name])
    assert hints(X, y, leaf_penalty=0.01) == []


def test_row_numbers_that_the_tree_does_not_use_are_not_hinted_at():
    X, y = sorted_table("id", np.arange(60))
    assert hints(X, X["noise"] > 0, leaf_penalty=0.01) == []
    # Alone in its table, a column cannot be dropped.
    assert hints(X[["id"]], y, leaf_penalty=0.01) == []


@pytest.mark.parametrize("make", [OptimalTreeClassifierCV, TopKTreeClassifier])
def test_every_estimator_hints_at_row_numbers(make):
    X, _ = sorted_table("id", CHANCE.permutation(60))
    with pytest.warns(TableWarning, match="column 'id'.* 60 values are different"):
        make().fit(X, X["id"] < 30)


def test_identifiers_of_lazy_tables_are_hinted_at():
    pl = pytest.importorskip("polars")
    X, _ = sorted_table("row_id", CHANCE.permutation(60))
    table = pl.DataFrame({**X.to_dict("list"), "y": (X["row_id"] < 30).tolist()})
    (hint,) = hints(table.lazy(), "y", leaf_penalty=0.01)
    assert "column 'row_id'" in hint


@pytest.mark.parametrize(
    "rows",
    [
        [1, 2, "abc", 4, None, "x"],
        [98765, "01067", 10115, "abc", 4, 5],
    ],
)
def test_a_mixed_column_names_its_odd_values_and_their_rows(rows):
    X = pd.DataFrame({"c": pd.Series(rows, dtype=object)})
    odd = [
        f"{value!r} in row {row}"
        for row, value in enumerate(rows)
        if isinstance(value, str)
    ]
    with pytest.raises(TypeError, match=f"column 'c'.*{', '.join(odd)}"):
        OptimalTreeClassifier().fit(X, [0, 1] * 3)


def test_leading_zeros_are_hinted_at_and_kept():
    codes = ["01067", "10115", "99084", "80331"] * 5
    X = pd.DataFrame({"code": codes})
    y = [code == "01067" for code in codes]
    (hint,) = hints(X, y, leaf_penalty=0.01)
    assert hint.startswith("Column 'code' is treated as categories")
    assert "leading zeros, such as '01067'" in hint
    for frame in (X, X.astype("string"), X.to_numpy(dtype=object)):
        with pytest.warns(TableWarning):
            model = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, y)
        assert model.tree_.questions[0].endswith("= 01067")


def test_numbers_of_new_rows_may_have_leading_zeros():
    X = pd.DataFrame({"size": [str(i) for i in range(1, 41)]})
    with pytest.warns(TableWarning):
        model = OptimalTreeClassifier().fit(X, np.arange(40) < 20)
    assert model.predict(pd.DataFrame({"size": ["007", "35"]})).tolist() == [
        True,
        False,
    ]
