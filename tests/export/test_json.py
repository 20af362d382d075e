"""JSON: exact round trips, and a clear word about whatever is not a tree."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
import ostrya.export
from export.trees import NASTY, random_tree, trees
from ostrya.export import Wording, from_json, load_json, save_json, to_json
from test_tree import NAN, make_tree

SCHEMA = json.loads(
    (Path(ostrya.export.__file__).parent / "tree.schema.json").read_text("utf-8")
)
WORDS = Wording(
    ["red", "debt"],
    ["poor", "fair", "good"],
    questions=["colour = red", None, None, None, None],
    denials=["colour is not red", None, None, None, None],
    flipped=[True, False, False, False, False],
)
GOOD = to_json(make_tree(), wording=WORDS)


def is_valid(content):
    jsonschema = pytest.importorskip("jsonschema")
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(content)


@given(trees(), st.data())
@settings(max_examples=effort.cases(30))
def test_round_trip_is_exact(tree, data):
    texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=5))
    n = tree.n_features
    names = data.draw(st.lists(texts, min_size=n, max_size=n))
    text = to_json(tree, names)
    again, wording = from_json(text)
    assert again == tree
    assert wording == Wording(names)
    assert is_valid(json.loads(text))
    assert text.isascii()


def test_files_hold_tree_and_words(tmp_path):
    save_json(make_tree(), tmp_path / "tree.json", wording=WORDS)
    assert load_json(tmp_path / "tree.json") == (make_tree(), WORDS)
    assert load_json(str(tmp_path / "tree.json"))[1] == WORDS


def test_thresholds_are_read_back_exactly():
    tree = make_tree(threshold=[0.1 + 0.2, 5e-324, NAN, NAN, NAN])
    assert from_json(to_json(tree))[0] == tree


def changed(path, value):
    content = json.loads(GOOD)
    place = content
    *way, last = path
    for step in way:
        place = place[step]
    if value is KeyError:
        del place[last]
    else:
        place[last] = value
    return json.dumps(content)


MALFORMED = {
    "empty": ("", "not JSON"),
    "cut short": (GOOD[:-9], "not JSON"),
    "bytes": (b"\xff\xfe\x00", "not"),
    "a pickle": (b"\x80\x04\x95\x0b", "not"),
    "list": ("[]", "must be an object with format 'ostrya.worded-tree'"),
    "bare tree": (json.dumps(make_tree().to_dict()), "must be an object with format"),
    "deep": ("[" * 100_000, "nested too deeply"),
    "long number": ("9" * 5000, "not JSON|must be an object|limit"),
    "twice": ('{"a": 1, "a": 2}', "the key 'a' occurs twice"),
    "NaN": (GOOD.replace("1.5", "NaN"), "NaN is not a JSON number"),
    "infinite": (GOOD.replace("1.5", "1e999"), "threshold must be finite"),
    "version": (changed(["version"], 2), "version must be 1; got 2"),
    "true version": (changed(["version"], True), "version must be 1; got True"),
    "no version": (changed(["version"], KeyError), "version must be 1; got None"),
    "inner version": (changed(["tree", "version"], 7), "version 7 is not known"),
    "inner format": (changed(["tree", "format"], "x"), "not a tree"),
    "no tree": (changed(["tree"], KeyError), "tree is missing"),
    "tree list": (changed(["tree"], []), "tree must be an object"),
    "extra": (changed(["code"], "import os"), "code is not known"),
    "extra in tree": (changed(["tree", "x"], 1), "tree.x is not known"),
    "no label": (changed(["tree", "label"], KeyError), "tree.label is missing"),
    "true": (changed(["tree", "yes", 0], True), "tree.yes must contain 32-bit"),
    "wraps": (changed(["tree", "feature", 0], 2**32), "tree.feature .* see item 0"),
    "text": (changed(["tree", "value", 1], "12"), "tree.value must contain lists"),
    "ragged": (changed(["tree", "value", 1], [1]), "value must be a regular list"),
    "null": (changed(["tree", "threshold", 0], None), r"threshold\[0\] must be a num"),
    "at leaf": (changed(["tree", "threshold", 2], 1), r"threshold\[2\] must be null"),
    "cycle": (changed(["tree", "no", 0], 0), "preorder"),
    "rows": (changed(["tree", "n_samples", 0], -1), "n_samples must contain integers"),
    "columns": (changed(["tree", "n_features"], True), "n_features must be an int"),
    "huge": (changed(["tree", "value", 0, 0], 10**400), "value must contain lists"),
    "wording": (changed(["wording"], 3), "wording must be an object"),
    "names": (
        changed(["wording", "class_names"], ["a"]),
        r"class_names must have one name per class \(3\); got 1",
    ),
    "name": (
        changed(["wording", "class_names", 0], 3),
        "class_names must contain texts",
    ),
    "flags": (
        changed(["wording", "flipped", 0], 1),
        "flipped must contain true or false",
    ),
}


@pytest.mark.parametrize(("text", "words"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_files_are_named(text, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        from_json(text)
    path = tmp_path / "bad.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=re.escape(str(path))):
        load_json(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def places(content, path=()):
    """Return the path of everything inside some JSON."""
    found = []
    if isinstance(content, (dict, list)):
        keys = content if isinstance(content, dict) else range(len(content))
        for key in keys:
            found += [(*path, key), *places(content[key], (*path, key))]
    return found


def read_or_refuse(text):
    """Return what was read, or None, and what was said against it."""
    try:
        return from_json(text), ""
    except ValueError as error:
        return None, str(error)


@given(JSON, st.data())
@settings(max_examples=effort.cases(300))
def test_a_changed_file_is_read_or_refused_in_words(junk, data):
    content = json.loads(GOOD)
    *way, last = data.draw(st.sampled_from(places(content)))
    place = content
    for step in way:
        place = place[step]
    number = st.integers(-3, 9) | st.sampled_from([2**31, 2**63, 2**64, 1e308, 0.5])
    place[last] = data.draw(st.just(junk) | number)
    read, refusal = read_or_refuse(json.dumps(content))
    if read is None:
        assert refusal.startswith(("malformed tree", "not a tree", "tree format"))
    else:
        tree, wording = read
        assert is_valid(content)
        assert from_json(to_json(tree, wording=wording)) == read


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_noise_is_refused_in_words(noise):
    with pytest.raises(ValueError, match="malformed tree"):
        from_json(noise)


@given(st.integers(0, len(GOOD) - 1), st.characters(codec="utf-8"))
def test_a_slip_of_one_character_is_read_or_refused(place, char):
    read, refusal = read_or_refuse(GOOD[:place] + char + GOOD[place + 1 :])
    assert refusal or read[0].n_nodes == 5


def test_the_schema_refuses_what_is_no_tree():
    good = json.loads(GOOD)
    assert is_valid(good)
    for path, value in [("version", 2), ("format", "x"), ("code", "x")]:
        assert not is_valid({**copy.deepcopy(good), path: value})


def test_large_trees_go_round():
    tree = random_tree(200, seed=1)
    assert from_json(to_json(tree))[0] == tree
