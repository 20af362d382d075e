"""Dates, durations, ordered levels, groups: fitted, saved, worded, asked."""

from __future__ import annotations

import datetime
import json
import warnings
from decimal import Decimal
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ostrya.estimators
from ostrya import OptimalTreeClassifier, TableWarning, TopKTreeClassifier
from ostrya.export import export_rules, export_svg, export_text, to_json

N = 90
DAYS = [datetime.date(2023, 7, 1) + datetime.timedelta(i * 37 % N) for i in range(N)]
DAYS[7] = None
TIMES = [day and datetime.datetime(day.year, day.month, day.day, 9, 30) for day in DAYS]
WAITS = [day and datetime.timedelta(hours=day.toordinal() - 738000) for day in DAYS]
EARLY = np.array([day is not None and day <= datetime.date(2023, 9, 8) for day in DAYS])
SIZES = [["S", "M", "L", "XL"][i % 4] for i in range(N)]
CITIES = [["Bonn", "Kiel", "Ulm", "Trier", "Jena", "Gera"][i * 5 % 6] for i in range(N)]
BY_SEA = np.array([city in ("Kiel", "Ulm", "Gera") for city in CITIES])

FRAMES = {
    "pandas": lambda values: pd.DataFrame({"x": values}),
    "pandas-objects": lambda values: pd.DataFrame({"x": pd.Series(values, dtype="O")}),
    "polars": lambda values: pl.DataFrame({"x": values}),
    "pyarrow": lambda values: pa.table({"x": values}),
    "objects": lambda values: np.array([[value] for value in values], dtype=object),
    "lists": lambda values: [[value] for value in values],
}


def question(X, y, **parameters):
    clf = OptimalTreeClassifier(leaf_penalty=0.02, **parameters).fit(X, y)
    assert clf.score(X, y) == 1
    return clf.tree_.questions[0]


@pytest.mark.parametrize("library", FRAMES)
def test_dates_times_and_durations_are_ordered(library):
    frame = FRAMES[library]
    assert question(frame(DAYS), EARLY).endswith(" <= 2023-09-08")
    assert question(frame(TIMES), EARLY).endswith(" <= 2023-09-08")
    assert question(frame(WAITS), EARLY).endswith(" days")
    zoned = [t and t.replace(tzinfo=datetime.timezone.utc) for t in TIMES]
    assert question(frame(zoned), EARLY).endswith(" <= 2023-09-08 UTC")
    decimals = [None if day is None else Decimal(day.toordinal()) for day in DAYS]
    assert question(frame(decimals), EARLY).endswith("<= 738771.5")


@pytest.mark.parametrize("dtype", ["M8[D]", "M8[ns]", "M8[s]"])
def test_arrays_of_dates_are_ordered(dtype):
    X = np.array(DAYS, dtype="M8[D]").astype(dtype).reshape(-1, 1)
    assert question(X, EARLY) == "x0 <= 2023-09-08"
    assert question(pd.DataFrame(X, columns=["day"]), EARLY) == "day <= 2023-09-08"


def test_the_time_zone_of_a_column_does_not_matter():
    local = pd.to_datetime(pd.Series(TIMES)).dt.tz_localize("America/New_York")
    X = pd.DataFrame({"x": local})
    clf = OptimalTreeClassifier(leaf_penalty=0.02).fit(X, EARLY)
    assert clf.tree_.questions[0].endswith(" UTC")
    abroad = pd.DataFrame({"x": local.dt.tz_convert("Asia/Tokyo")})
    assert (clf.predict(abroad) == EARLY).all()
    with pytest.raises(
        TypeError, match="must contain times with a time zone, as in fit"
    ):
        clf.predict(pd.DataFrame({"x": pd.to_datetime(pd.Series(TIMES))}))


ORDER = ["S", "M", "L", "XL"]
ORDERED = {
    "pandas": lambda: pd.DataFrame(
        {"size": pd.Categorical(SIZES, categories=ORDER, ordered=True)}
    ),
    "polars": lambda: pl.DataFrame({"size": pl.Series(SIZES, dtype=pl.Enum(ORDER))}),
    "pyarrow": lambda: pa.table(
        {
            "size": pa.DictionaryArray.from_arrays(
                pa.array([ORDER.index(size) for size in SIZES]),
                pa.array(ORDER),
                ordered=True,
            )
        }
    ),
}


@pytest.mark.parametrize("library", ORDERED)
def test_ordered_levels_keep_their_order(library):
    small = np.isin(SIZES, ["S", "M"])
    clf = OptimalTreeClassifier(leaf_penalty=0.02).fit(ORDERED[library](), small)
    assert clf.tree_.questions[0] == "size <= M"
    assert clf.encoder_.features[0].levels == tuple(ORDER)
    strange = pd.DataFrame({"size": ["S", "XXL", None, "L"]})
    assert clf.predict(strange).tolist() == [True, False, False, False]


def test_intervals_of_pandas_are_ordered_levels(tmp_path):
    bands = pd.cut(np.arange(N), [-1, 20, 40, 60, 100])
    clf = OptimalTreeClassifier(leaf_penalty=0.02).fit(
        pd.DataFrame({"age": bands}), bands.codes < 2
    )
    assert clf.tree_.questions[0] == "age <= (20, 40]"
    clf.save(tmp_path / "model.json")


def test_a_level_of_the_order_that_no_row_had_has_its_place():
    seen = pd.Categorical(["S", "M", "XL"] * 20, categories=ORDER, ordered=True)
    X = pd.DataFrame({"size": seen})
    clf = OptimalTreeClassifier(leaf_penalty=0.02).fit(X, seen.codes <= 1)
    later = pd.Categorical(["M", "L"], categories=ORDER, ordered=True)
    assert clf.tree_.questions[0] == "size <= M"
    assert clf.predict(pd.DataFrame({"size": later})).tolist() == [True, False]


@pytest.mark.parametrize("kind", [OptimalTreeClassifier, TopKTreeClassifier])
def test_groups_of_levels_are_asked_about(kind):
    X = pl.DataFrame({"city": CITIES})
    clf = kind(leaf_penalty=0.02, max_depth=3).fit(X, BY_SEA)
    assert clf.n_leaves_ == 2
    assert clf.tree_.questions[0] in (
        "city in {Gera, Kiel, Ulm}",
        "city in {Bonn, Jena, Trier}",
    )
    (strange,) = clf.predict(pl.DataFrame({"city": ["Rome"]}))
    (leaf,) = clf.apply(pl.DataFrame({"city": [None]}, schema={"city": pl.String}))
    assert leaf == clf.tree_.no[0]
    assert strange == clf.classes_[clf.tree_.label[leaf]]


def many_levels(n_levels=1200, n_rows=9600):
    codes = np.arange(n_rows) % n_levels
    return pd.DataFrame({"c": [f"level {c}" for c in codes]}), codes % 3 == 0


def test_beyond_a_thousand_levels():
    X, y = many_levels()
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, y)
    assert clf.n_leaves_ == 2
    assert clf.score(X, y) == 1
    assert "... 396 more}" in export_text(clf)
    assert "... 396 more}" in export_svg(clf)
    assert export_rules(clf).count("level 1197") == 2
    assert "level 1197" in to_json(clf)
    assert len(clf.encoder_.features[0].levels) == 1000


def all_kinds():
    y = (EARLY & BY_SEA) | (np.isin(SIZES, ["S", "M"]) & ~EARLY)
    X = pd.DataFrame(
        {
            "day": pd.to_datetime(pd.Series(DAYS)),
            "at": pd.to_datetime(pd.Series(TIMES)).dt.tz_localize("UTC"),
            "wait": pd.to_timedelta(pd.Series(WAITS)),
            "size": pd.Categorical(SIZES, categories=ORDER, ordered=True),
            "city": CITIES,
            "price": [f"{i % 7},5 €" for i in range(N)],
        }
    )
    return X, y


@pytest.mark.filterwarnings("ignore::ostrya.TableWarning")
@pytest.mark.parametrize("guess", [None, "thresholds+depth"])
def test_every_kind_survives_files_and_other_packages(tmp_path, guess):
    X, y = all_kinds()
    clf = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=4, guess=guess).fit(X, y)
    path = tmp_path / "model.json"
    clf.save(path)
    again = OptimalTreeClassifier.load(path)
    assert again.tree_ == clf.tree_
    assert again.encoder_.features == clf.encoder_.features
    assert (again.predict(X) == clf.predict(X)).all()
    folder = Path(ostrya.estimators.__file__).parent
    schema = json.loads((folder / "model.schema.json").read_text())
    schema["properties"]["tree"] = {}
    jsonschema.validate(json.loads(path.read_text()), schema)
    tree = clf.to_sklearn(X)
    assert (tree.predict(X) == clf.predict(X)).all()
    kinds = [feature.kind for feature in clf.encoder_.features]
    assert kinds == ["time", "time", "duration", "ordered", "level", "number"]


@pytest.mark.parametrize(
    ("flaw", "words"),
    [
        ({"groups": [["a"]]}, r"columns\[0\].groups\[0\] must contain distinct levels"),
        ({"groups": [["a", "a"]]}, r"groups\[0\] must contain distinct levels"),
        ({"groups": [["a", {}]]}, r"groups\[0\] must contain texts"),
        ({"groups": 3}, r"columns\[0\].groups must be a list"),
        ({"is_zoned": 3}, "is_zoned must be true or false"),
        ({"kind": ["time"]}, "kind must be one of number, time, duration, ordered"),
        ({"kind": "ordered", "groups": []}, "largest must be the index of a level"),
        (
            {"kind": "number", "levels": []},
            "groups must only be set for columns with levels",
        ),
    ],
)
def test_columns_of_files_are_checked(flaw, words):
    from ostrya.estimators.model_columns import read_features

    good = {"name": "x", "kind": "level", "has_missing": False, "largest": 0.0}
    good |= {"levels": [], "groups": [["a", "b"]]}
    assert read_features([good])
    with pytest.raises(ValueError, match=words):
        read_features([{**good, **flaw}])


@pytest.mark.parametrize(
    ("threshold", "words"),
    [
        (3.0, r"columns\[0\].groups, [23].0; got"),
        (0.5, r"not be below every level of columns\[0\]; got 0.5"),
    ],
)
def test_the_threshold_of_a_group_lies_within_it(tmp_path, threshold, words):
    X = pl.DataFrame({"city": CITIES})
    clf = OptimalTreeClassifier(leaf_penalty=0.02).fit(X, BY_SEA)
    path = tmp_path / "model.json"
    clf.save(path)
    content = json.loads(path.read_text())
    content["tree"]["threshold"][0] = threshold
    content["version"] = 1
    del content["digest"]
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier.load(path)


def test_texts_of_new_rows_are_read_as_those_of_the_training_rows():
    X = pd.DataFrame({"price": ["0,5", "1,5", "2,5", "3,5"] * 10})
    with pytest.warns(TableWarning, match=r"'price' contains text.*'0,5'.*here 0\.5\)"):
        clf = OptimalTreeClassifier(leaf_penalty=0.02).fit(X, [0, 0, 1, 1] * 10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = pd.DataFrame({"price": ["1,234", "1.234", "?"]})
        assert clf.predict(rows).tolist() == [0, 1, 1]
        assert clf.predict(pd.DataFrame({"price": [0.5, 9.0]})).tolist() == [0, 1]
    with pytest.raises(TypeError, match=r"must contain numbers, as in fit.*'dear'"):
        clf.predict(pd.DataFrame({"price": ["dear"]}))


def test_the_text_named_at_predict_is_the_one_that_is_no_number():
    X = pd.DataFrame({"price": ["$1,000", "$2,000", "$3,000"] * 10})
    with pytest.warns(TableWarning, match="read as numbers"):
        clf = OptimalTreeClassifier(leaf_penalty=0.02).fit(X, [0, 1, 1] * 10)
    odd = pd.DataFrame({"price": ["$1,000", "61.6", None, "abc", "xyz"]})
    words = r"'price' must contain numbers, as in fit; got .* 'abc' in row 3\. Correct"
    with pytest.raises(TypeError, match=words):
        clf.predict(odd)
    with pytest.raises(
        TypeError, match=r"'price' must contain numbers.* several formats"
    ):
        clf.predict(pd.DataFrame({"price": ["$1,000", "€1,000"]}))
    many = np.array([["$1,000"]] * 20_000 + [["abc"]], dtype=object)
    clf = OptimalTreeClassifier(leaf_penalty=0.02)
    with pytest.warns(TableWarning, match="read as numbers"):
        clf.fit(X.to_numpy(object), [0, 1, 1] * 10)
    with pytest.raises(TypeError, match="'abc' in row 20000"):
        clf.predict(many)


def test_categories_that_look_like_numbers_stay_categories():
    zones = pd.DataFrame({"zone": pd.Categorical(["1", "2", "3"] * 10)})
    clf = OptimalTreeClassifier(leaf_penalty=0.02).fit(zones, [0, 1, 0] * 10)
    assert clf.tree_.questions[0] == "zone = 2"
    assert clf.predict(pd.DataFrame({"zone": ["2", "1"]})).tolist() == [1, 0]
