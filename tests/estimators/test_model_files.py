"""Model files: the same predictions after a round trip, and words about bad files."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import effort
import ostrya
import ostrya.estimators
import ostrya.export
from export.test_json import JSON, places
from ostrya import OptimalTreeClassifier
from ostrya.estimators.model_format import digest

ROWS = {
    "age": [20, 35, None, 28, 61, 44, 33, None],
    "colour": ["red", "blue", None, "red", "green", "blue", "red", "green"],
    "owner": [True, False, True, None, False, True, True, False],
    "size": [1.5, 2.5, 0.1, 9.75, 3.3, 4.4, 1.0, 8.0],
}
LABELS = ["no", "yes", "no", "no", "yes", "yes", "no", "yes"]


def validator():
    jsonschema = pytest.importorskip("jsonschema")
    from referencing import Registry, Resource

    def read(package, name):
        return json.loads((Path(package.__file__).parent / name).read_text("utf-8"))

    tree = Resource.from_contents(read(ostrya.export, "tree.schema.json"))
    registry = Registry().with_resource("tree.schema.json", tree)
    schema = read(ostrya.estimators, "model.schema.json")
    return jsonschema.Draft202012Validator(schema, registry=registry)


def fitted(**parameters):
    parameters = {"leaf_penalty": 0.01, **parameters}
    parameters = {"leaf_penalty": 0.01, **parameters}
    return OptimalTreeClassifier(**parameters).fit(pd.DataFrame(ROWS), LABELS)


def through_a_file(clf, folder):
    clf.save(folder / "model.json")
    return OptimalTreeClassifier.load(folder / "model.json")


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.json"
    fitted().save(path)
    return path.read_text("ascii")


LABEL_TYPES = {
    # Of one length: arrays that are loaded are no wider than their labels.
    "strings": np.array(["low", "mid", "top"]),
    "objects": np.array(["no", "yes", "maybe"], dtype=object),
    "integers": np.array([-1, 1, 7]),
    "bytes of integers": np.array([0, 1, 255], dtype=np.uint8),
    "booleans": np.array([False, True, True]),
    "whole floats": np.array([-1.0, 2.0, 5.0], dtype=np.float32),
}


@st.composite
def tables(draw):
    """Draw columns of every kind, with and without missing values, and labels."""
    n = draw(st.integers(3, 14))

    def column(values, may_miss=True):
        cell = st.none() | values if may_miss else values
        return draw(st.lists(cell, min_size=n, max_size=n))

    return {
        "number": column(st.integers(-5, 5).map(float)),
        "whole": column(st.integers(-(2**40), 2**40), may_miss=False),
        "level": column(st.sampled_from(["a", "b ", "é", "", "1"])),
        "flag": column(st.booleans()),
    }, column(st.integers(0, 2), may_miss=False)


def frames(columns):
    schema = {"number": pl.Float64, "whole": pl.Int64, "level": pl.String}
    schema["flag"] = pl.Boolean
    yield pl.DataFrame(columns, schema=schema)
    yield pd.DataFrame(columns)
    yield pd.DataFrame(columns).convert_dtypes()


@pytest.mark.filterwarnings("ignore::ostrya.TableWarning")
@given(tables(), tables(), st.sampled_from(sorted(LABEL_TYPES)), st.data())
@settings(max_examples=effort.cases(40))
def test_the_round_trip_predicts_the_same(tmp_path_factory, table, new, kind, data):
    columns, codes = table
    # A column of nothing but "1" is read as numbers, and then refuses other texts.
    assume(set(columns["level"]) - {None, "", "1"} or not any(columns["level"]))
    labels = LABEL_TYPES[kind][codes]
    for train, unseen in zip(frames(columns), frames(new[0]), strict=True):
        clf = OptimalTreeClassifier(leaf_penalty=0.001, max_depth=3).fit(train, labels)
        again = through_a_file(clf, tmp_path_factory.getbasetemp())
        assert again.tree_ == clf.tree_
        assert again.classes_.dtype == clf.classes_.dtype
        assert again.encoder_.features == clf.encoder_.features
        for frame in (train, unseen):
            expected = clf.predict(frame)
            assert np.array_equal(again.predict(frame), expected)
            assert again.predict(frame).dtype == expected.dtype
            shares = again.predict_proba(frame)
            assert np.array_equal(shares, clf.predict_proba(frame))


def test_arrays_have_no_names_before_and_after(tmp_path):
    X = np.array([[1.0, np.nan], [2.0, 3.0], [2.5, 4.0], [9.0, np.nan]])
    again = through_a_file(
        OptimalTreeClassifier(leaf_penalty=0.01).fit(X, [0, 0, 1, 1]), tmp_path
    )
    assert not hasattr(again, "feature_names_in_")
    assert again.predict(X).tolist() == [0, 0, 1, 1]
    assert again.n_features_in_ == 2


def test_everything_fitted_comes_back(tmp_path):
    costs = np.array([[0, 3], [1, 0]])
    clf = fitted(
        max_depth=np.int64(2),
        class_weight={"no": 2.0},
        cost_matrix=costs,
    )
    again = through_a_file(clf, tmp_path)
    assert set(vars(again)) == set(vars(clf))
    for name in ("objective_", "loss_", "lower_bound_", "gap_", "status_", "trace_"):
        assert getattr(again, name) == getattr(clf, name)
    assert np.array_equal(again.feature_importances_, clf.feature_importances_)
    assert (again.n_leaves_, again.depth_) == (clf.n_leaves_, clf.depth_)
    assert again.feature_names_in_.tolist() == list(ROWS)
    parameters = clone(again).get_params()
    assert parameters["class_weight"] == {"no": 2.0}
    assert parameters["cost_matrix"] == costs.tolist()
    assert parameters["max_depth"] == 2
    refit = clone(again).fit(pd.DataFrame(ROWS), LABELS)
    assert refit.tree_ == clf.tree_


def test_files_follow_the_schema(good):
    assert validator().is_valid(json.loads(good))
    assert good.isascii()


@pytest.fixture(scope="module")
def guessed(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "guessed.json"
    fitted(guess=ostrya.guesses.Guess(check=False)).save(path)
    return path.read_text("ascii")


def test_files_keep_the_numbers_of_a_guess(guessed):
    assert validator().is_valid(json.loads(guessed))
    assert json.loads(guessed)["result"]["guess"]["n_thresholds_after"] >= 1


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ([], 3, "result.guess must be an object"),
        (["max_depth"], 2.5, "guess.max_depth must be an integer >= 0, or null"),
        (["n_thresholds_after"], -1, "must be an integer >= 0"),
        (["guarantee"], None, "guess.guarantee must be a finite number"),
        (["refit_loss"], "0", "guess.refit_loss must be a finite number"),
        (["more"], 1, "guess.more is not known"),
    ],
)
def test_malformed_guesses_are_named(tmp_path, guessed, path, value, words):
    text = changed(guessed, ["result", "guess", *path], value)
    assert not validator().is_valid(json.loads(text))
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier.load(tmp_path / "model.json")


def test_an_unfitted_model_is_not_saved(tmp_path):
    with pytest.raises(NotFittedError):
        OptimalTreeClassifier().save(tmp_path / "model.json")


@pytest.mark.parametrize(
    "levels", [[1j, 2j, 3j], [(1, 2), (3, 4), (5, 6)], [b"a", b"b", b"c"]], ids=str
)
def test_levels_that_json_has_not_are_kept_as_texts(levels, tmp_path):
    frame = pd.DataFrame({"turn": pd.Categorical(levels)})
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, [0, 1, 1])
    again = through_a_file(clf, tmp_path)
    assert again.tree_ == clf.tree_
    assert (again.predict(frame) == clf.predict(frame)).all()


def changed(good, path, value):
    """Return a file with one thing changed by someone who knows of the digest."""
    content = json.loads(good)
    place = content
    *way, last = path
    for step in way:
        place = place[step]
    place[last] = value
    return json.dumps(signed(content))


def signed(content):
    """Return the content of a file with the digest that belongs to it."""
    with contextlib.suppress(ValueError, TypeError):
        content["digest"] = digest(content)
    return content


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (["version"], 9, "version must be one of 1, 2, 3; got 9"),
        (["format"], "ostrya.tree", "must be an object with format 'ostrya.model'"),
        (["estimator"], "Rogue", "must be a .*; got 'Rogue'"),
        (["parameters"], [], "parameters must be an object"),
        (["parameters", "x"], 1, "parameters.x is not known"),
        (["parameters", "class_weight"], [[[], 1]], "must contain pairs"),
        (["columns"], [], "at least one"),
        (["columns", 0], 3, "columns must contain objects"),
        (["columns", 0, "kind"], "date", "columns.0..kind must be one of number"),
        (["columns", 0, "name"], 3, "columns.0..name must be a string"),
        (["columns", 0, "has_missing"], 0, "has_missing must be true or false"),
        (["columns", 0, "has_missing"], False, "as in columns; got 10"),
        (["columns", 0, "largest"], None, "largest must be a finite number"),
        (["columns", 1, "levels"], ["a", "a"], "levels must be distinct"),
        (["columns", 1, "levels"], [["a"]], "levels must contain texts"),
        (["columns", 3, "levels"], ["a"], "at most 0"),
        (["columns_are_named"], 1, "columns_are_named must be"),
        (["classes"], [], "classes must be an object"),
        (["classes", "dtype"], "O", "classes.dtype 'O' is not known"),
        (["classes", "dtype"], ["int8"], "is not known"),
        (["classes", "dtype"], "int8", "labels must contain int8 numbers"),
        (["classes", "labels"], ["no"], "must have 2 labels, as the tree has; got 1"),
        (["classes", "labels"], ["no", "no"], "and none twice"),
        (["tree", "n_features"], 99, "tree.n_features must be .*; got 99"),
        (["tree", "no", 0], 0, "malformed model: nodes must stand in preorder"),
        (["result"], [], "result must be an object"),
        (["result", "status"], "perfect", "result.status must be one of"),
        (["result", "gap"], "0", "result.gap must be a finite number"),
        (["result", "trace"], [[1]], "lists of 8 numbers"),
        (["result", "feature_importances"], [1], "must contain 4 numbers"),
    ],
    ids=str,
)
def test_malformed_models_are_named(good, path, value, words, tmp_path):
    place = tmp_path / "bad.json"
    place.write_text(changed(good, path, value))
    with pytest.raises(ValueError, match=words) as caught:
        OptimalTreeClassifier.load(place)
    assert str(caught.value).startswith(f"{place}: malformed model: ")


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"\xff\xfe", b"\x80\x04.", b"[" * 9999]
)
def test_what_is_no_model_at_all_is_refused(content, tmp_path):
    place = tmp_path / "bad.json"
    place.write_bytes(content)
    with pytest.raises(ValueError, match="malformed model"):
        OptimalTreeClassifier.load(place)


@given(junk=JSON, data=st.data())
@settings(max_examples=effort.cases(300))
def test_a_changed_model_is_read_or_refused_in_words(
    junk, data, good, tmp_path_factory
):
    content = json.loads(good)
    way = data.draw(st.sampled_from(places(content)))
    number = st.integers(-3, 9) | st.sampled_from([2**31, 2**63, 2**64, 1e308, 0.5])
    place = tmp_path_factory.getbasetemp() / "changed.json"
    place.write_text(changed(good, way, data.draw(st.just(junk) | number)))
    clf = None
    with contextlib.suppress(ValueError):
        clf = OptimalTreeClassifier.load(place)
    if clf is None:
        with pytest.raises(ValueError, match="malformed model"):
            OptimalTreeClassifier.load(place)
    else:
        assert validator().is_valid(json.loads(place.read_text()))
        names = [feature.name for feature in clf.encoder_.features]
        if names == list(ROWS):
            assert len(clf.predict(pd.DataFrame(ROWS))) == len(LABELS)


@pytest.mark.parametrize("saved", [False, True], ids=["fitted", "loaded"])
def test_numbers_of_another_currency_are_refused(saved, tmp_path):
    table = pd.DataFrame({"price": [f"${n}" for n in range(20, 60)]})
    with pytest.warns(UserWarning, match="price"):
        clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
            table, [n > 39 for n in range(20, 60)]
        )
    if saved:
        clf = through_a_file(clf, tmp_path)
        content = json.loads((tmp_path / "model.json").read_text("utf-8"))
        assert content["columns"][0]["mark"] == "$"
        validator().validate(content)
    for texts in (["$20", "$50"], ["20", "50"], [20, 50]):
        assert clf.predict(pd.DataFrame({"price": texts})).tolist() == [False, True]
    for texts in (["€20", "€50"], ["20%", "50%"]):
        with pytest.raises(
            TypeError, match=r"must contain numbers with '\$', as in fit"
        ):
            clf.predict(pd.DataFrame({"price": texts}))


def test_a_file_of_before_knows_no_currency_and_refuses_none(tmp_path):
    table = pd.DataFrame({"price": [f"${n}" for n in range(20, 60)]})
    with pytest.warns(UserWarning, match="price"):
        clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
            table, [n > 39 for n in range(20, 60)]
        )
    clf.save(tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text("utf-8"))
    del content["columns"][0]["mark"]
    content["digest"] = digest(content)
    (tmp_path / "model.json").write_text(json.dumps(content), "utf-8")
    loaded = OptimalTreeClassifier.load(tmp_path / "model.json")
    assert loaded.predict(pd.DataFrame({"price": ["€20", "€50"]})).tolist() == [
        False,
        True,
    ]
