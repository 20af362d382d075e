"""Names, levels and labels that are words of a language stay what they are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from export.programs.runners import RUNNERS
from ostrya import OptimalTreeClassifier
from ostrya.export import to_pmml, to_sql

pytestmark = pytest.mark.filterwarnings("ignore::ostrya.TableWarning")
LANGUAGES = list(RUNNERS)


def check(language, model, frame, folder):
    """Run the program on the rows of a frame, and compare it with the model."""
    labels, shares = RUNNERS[language](model, frame.to_dict("records"), folder)
    assert list(labels) == model.predict(frame).tolist()
    assert np.array_equal(shares, model.predict_proba(frame))


# Words that mean something in one of the languages, or in the programs we write.
WORDS = [
    *("true", "false", "null", "TRUE", "False", "None", "NULL", "NaN", "undefined"),
    *("select", "order", "group", "from", "table", "case", "when", "end", "rowid"),
    *("class", "def", "lambda", "extends", "enum", "await", "static", "this", "match"),
    *("int", "linux", "NAN", "I", "stdin", "errno", "near", "auto", "typeof"),
    *("row", "rows", "label", "leaf", "prediction", "probabilities", "predict"),
    *("probability of true", "probability(true)", "predicted prediction"),
    *('"', "'", "`", '"true"', "--", "true;", "$1", "?", ":name", "%s", "@x", "[a]"),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_levels_and_labels_named_like_keywords(language, tmp_path):
    rng = np.random.default_rng(0)
    for first in range(0, len(WORDS), 6):
        names = (WORDS * 2)[first : first + 6]
        # Databases do not tell such names apart.
        names = list({name.casefold(): name for name in names}.values())
        levels = (WORDS * 2)[first + 6 : first + 8]
        table = {
            name: rng.choice(np.array(levels, dtype=object), 40)
            if place % 2
            else rng.random(40) < 0.5
            for place, name in enumerate(names)
        }
        flags = table[names[0]] ^ table[names[2]]
        texts = table[names[1]] == levels[0]
        frame = pd.DataFrame(table)
        y = np.array(["true", "null", "select"])[flags.astype(int) + (flags & texts)]
        made = OptimalTreeClassifier(leaf_penalty=0.001, max_depth=3).fit(frame, y)
        assert {made.encoder_.source[x] for x in made.tree_.feature if x >= 0} == {
            *range(3)
        }
        check(language, made, frame, tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_truth_values_beside_columns_named_like_them(language, tmp_path):
    """SQLite compares with the column `true`, if there is one, where we say TRUE."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((60, 3)) < 0.5, columns=["x", "true", "false"])
    y = (frame["x"] & frame["true"]).to_numpy()
    made = OptimalTreeClassifier(leaf_penalty=0.001).fit(frame, y)
    assert made.tree_.n_leaves == 3
    check(language, made, frame, tmp_path)


@pytest.mark.parametrize("dialect", ["standard", "postgresql", "duckdb", "sqlite"])
def test_every_name_in_sql_is_quoted_and_sqlite_has_numbers_for_truth(dialect):
    frame = pd.DataFrame({"true": [True, False] * 4, "select": [1, 1, 2, 2] * 2})
    made = OptimalTreeClassifier(leaf_penalty=0.001).fit(
        frame, frame["true"].to_numpy()
    )
    q = "`" if dialect == "sqlite" else '"'
    yes, no = ("1", "0") if dialect == "sqlite" else ("TRUE", "FALSE")
    query = to_sql(made, ["order", "group"], dialect=dialect)
    asked = to_sql(made, dialect=dialect)
    assert asked in (
        f"CASE\n    WHEN {q}true{q} = {no} THEN {no}\n    ELSE {yes}\nEND",
        f"CASE\n    WHEN {q}true{q} = {yes} THEN {yes}\n    ELSE {no}\nEND",
    )
    assert query == (
        f"SELECT *,\n{asked} AS {q}prediction{q}\nFROM {q}order{q}.{q}group{q}"
    )


def test_results_are_not_named_like_a_column():
    names = ["prediction", "Prediction_2", "predicted prediction_3", "probability(1)"]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((40, 4)), columns=names)
    y = (frame["prediction"] > 0.5).astype(int).to_numpy()
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, y)
    assert 'AS "prediction_3"' in to_sql(made, "t")
    found = to_sql(made.tree_, "t", feature_names=["probability of 1", *"abc"])
    assert 'AS "prediction"' in found
    document = to_pmml(made)
    assert 'OutputField name="predicted prediction_2"' in document
    assert 'OutputField name="probability(1)_2"' in document
