"""One model in every form predicts the same."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
from ostrya import OptimalTreeClassifier, TableWarning
from ostrya.export import from_json, to_json


@st.composite
def mixed_tables(draw):
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = 40
    frame = pd.DataFrame(
        {
            "number": chance.integers(-9, 9, n) / 4,
            "gaps": np.where(chance.random(n) < 0.3, np.nan, chance.integers(0, 6, n)),
            "level": np.array(["a", "b", "c"])[chance.integers(0, 3, n)],
            "flag": chance.random(n) < 0.5,
        }
    )
    return frame, np.array(["x", "y", "z"])[chance.integers(0, 3, n)]


@given(mixed_tables())
@settings(max_examples=effort.cases(20))
def test_forms_of_one_model_predict_the_same(tmp_path_factory, table):
    frame, labels = table
    clf = OptimalTreeClassifier(leaf_penalty=0.002, max_depth=3).fit(frame, labels)
    expected, shares = clf.predict(frame), clf.predict_proba(frame)
    matrix = clf.encoder_.encode(frame)
    path = tmp_path_factory.getbasetemp() / "equal.json"
    clf.save(path)
    loaded = OptimalTreeClassifier.load(path)
    tree, _ = from_json(to_json(clf))
    model = clf.to_sklearn(frame)
    assert np.array_equal(clf.classes_[clf.tree_.predict(matrix)], expected)
    assert np.array_equal(clf.classes_[tree.predict(matrix)], expected)
    assert np.array_equal(loaded.predict(frame), expected)
    assert np.array_equal(model.predict(frame), expected)
    for other in (
        clf.tree_.predict_proba(matrix),
        tree.predict_proba(matrix),
        loaded.predict_proba(frame),
        model.predict_proba(frame),
    ):
        assert np.allclose(other, shares, rtol=1e-12, atol=0)


@pytest.mark.filterwarnings("ignore")  # other people's deprecations
@given(mixed_tables())
@settings(max_examples=effort.cases(5))
def test_onnx_predicts_the_same_as_the_classifier(table):
    pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    from skl2onnx import to_onnx

    frame, labels = table
    clf = OptimalTreeClassifier(leaf_penalty=0.002, max_depth=3).fit(frame, labels)
    table, model = clf.to_sklearn(frame)
    rows = table.transform(frame).astype(np.float32)
    converted = to_onnx(model, rows[:1], options={"zipmap": False})
    session = runtime.InferenceSession(converted.SerializeToString())
    found, shares = session.run(None, {session.get_inputs()[0].name: rows})
    assert np.array_equal(found, clf.predict(frame))
    assert np.allclose(shares, clf.predict_proba(frame), atol=1e-6)


def test_a_table_of_numbers_goes_into_the_scikit_learn_tree_as_it_is():
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5], "b": [1, 0, 1]})
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, ["u", "v", "v"])
    model = clf.to_sklearn()
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert model.predict(frame).tolist() == ["u", "v", "v"]


def test_a_cost_matrix_asks_for_labels():
    X, y = [[0], [0], [0]], ["no", "no", "yes"]
    clf = OptimalTreeClassifier(leaf_penalty=0.01, cost_matrix=[[0, 1], [9, 0]])
    with pytest.warns(TableWarning, match="single leaf"):
        clf.fit(X, y)
    assert clf.predict([[0]]).tolist() == ["yes"]
    with pytest.raises(ValueError, match='probabilities must be "labels"'):
        clf.to_sklearn()
    assert clf.to_sklearn(probabilities="labels").predict([[0]]).tolist() == ["yes"]
