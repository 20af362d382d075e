"""A tree in every language predicts what the model does, as it really runs."""

from __future__ import annotations

import datetime
import itertools
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

import effort
import ostrya
from export.programs.program_tables import (
    KINDS,
    as_frame,
    as_rows,
    draw_table,
    new_rows,
)
from export.programs.runners import RUNNERS, plain, run_c, run_python
from export.trees import random_tree
from ostrya import OptimalTreeClassifier, TopKTreeClassifier
from ostrya.export import to_c, to_javascript, to_onnx, to_pmml, to_python, to_sql

pytestmark = pytest.mark.filterwarnings("ignore::ostrya.TableWarning")
LANGUAGES = list(RUNNERS)

HOSTILE = [
    "it's; DROP TABLE precious; --",
    "say \"hi\" or 'hi' or `hi`",
    "two\nlines\r\tand a tab",
    "*/ int main(void) { return 1; } /*",
    "</script><script>alert(1)</script>",
    "${7 * 7} %s %d {0} \\",
    "naïve Größe 年齢 🌳 \u202egnirts \u2028",
    "??/ trigraph \\",
    "class",
    "]]>&amp;<!--",
    "__proto__",
    "__import__('os').abort()",
]


def check(language, model, rows, frame, folder):
    labels, shares = RUNNERS[language](model, rows, folder)
    assert list(labels) == model.predict(frame).tolist()
    assert np.array_equal(shares, model.predict_proba(frame))


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_of_all_kinds(language, tmp_path):
    asked = set()
    for seed in range(effort.cases(25)):
        table, labels = draw_table(seed)
        labels = np.array(["good", "bad", "none's"])[labels]
        frame = as_frame(table)
        made = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(frame, labels)
        rows = new_rows(table, seed)
        check(language, made, as_rows(rows), as_frame(rows), tmp_path)
        features = made.encoder_.source[made.tree_.feature[made.tree_.feature >= 0]]
        asked |= {list(table)[place] for place in features}
    if effort.cases(25) == 25:
        assert asked == set(KINDS), "every kind of column is asked about"


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_names_levels_and_labels(language, tmp_path):
    for first in range(0, len(HOSTILE), 3):
        name, level, label = (HOSTILE * 2)[first : first + 3]
        others = [text for text in HOSTILE if text not in (level, label)]
        table = {"text": [level, others[0], level, others[1]] * 3, "number": [1, 2] * 6}
        names = {"text": name, "number": "row"}
        frame = as_frame(table, names)
        y = np.where(frame[name] == level, label, others[2])
        made = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=2).fit(frame, y)
        assert made.tree_.n_leaves == 2
        rows = {"text": [*HOSTILE, None], "number": [1.0] * (len(HOSTILE) + 1)}
        check(language, made, as_rows(rows, names), as_frame(rows, names), tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [int, float, bool, str])
def test_labels_keep_their_type(language, kind, tmp_path):
    X, y = np.array([[1.0], [2.0], [3.0]]), np.array([kind(0), kind(1), kind(1)])
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, y)
    rows = [{"x0": value} for value in (0.5, 2.0, None)]
    labels, _ = RUNNERS[language](made, rows, tmp_path)
    assert list(labels) == [kind(0), kind(1), kind(1)]
    if language not in ("sqlite", "javascript"):  # they have one kind of number
        assert {type(label) for label in labels} == {kind}


@pytest.mark.parametrize("language", LANGUAGES)
def test_trees_over_numbers(language, tmp_path):
    for seed in range(effort.cases(10)):
        tree = random_tree(1 + 3 * seed, seed=seed)
        X = np.random.default_rng(seed).normal(size=(30, 4))
        names = ["a", "b c", "c", "d"]
        rows = [dict(zip(names, row, strict=True)) for row in X.tolist()]
        words = {"feature_names": names, "classes": ["u", "v", "w"]}
        labels, shares = RUNNERS[language](tree, rows, tmp_path, **words)
        assert list(labels) == [words["classes"][code] for code in tree.predict(X)]
        assert np.array_equal(shares, tree.predict_proba(X))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lone_leaf(language, tmp_path):
    made = OptimalTreeClassifier(leaf_penalty=0.4).fit(
        [["a"], ["b"], ["b"]], ["x", "y", "y"]
    )
    assert made.tree_.n_leaves == 1
    labels, shares = RUNNERS[language](made, [{"x0": None}, {"x0": None}], tmp_path)
    assert list(labels) == ["y", "y"]
    assert np.allclose(shares, [[1 / 3, 2 / 3]] * 2, rtol=1e-15)


def chain(depth, turns):
    """Return a tree of one path, whose turns are to the yes or the no child."""
    feature, threshold, yes, no = [], [], [], []

    def leaf():
        for items, value in ((feature, -1), (threshold, np.nan), (yes, -1), (no, -1)):
            items.append(value)

    # The path goes on after, or before, a leaf: preorder from the root down.
    open_no = []
    for level, turn in zip(range(depth), turns, strict=False):
        feature.append(0)
        threshold.append(float(-level if turn else level))
        yes.append(len(feature))
        no.append(-1)
        if turn:
            open_no.append(len(feature) - 1)
        else:
            node = len(feature) - 1
            leaf()
            no[node] = len(feature)
    leaf()
    for node in reversed(open_no):
        no[node] = len(feature)
        leaf()
    n = len(feature)
    value = np.ones((n, 2))
    value[:, 0] += np.arange(n) % 3
    return ostrya.Tree(
        feature=feature,
        threshold=threshold,
        yes=yes,
        no=no,
        label=value.argmax(axis=1),
        value=value,
        n_samples=value.sum(axis=1),
        n_features=1,
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turns", [[True], [False], [True, True, False]])
def test_deep_trees(language, turns, tmp_path):
    depth = 150 if language == "pmml" else 600
    tree = chain(depth, itertools.cycle(turns))
    assert tree.depth == depth
    X = np.linspace(-depth - 2, depth + 2, 97)[:, np.newaxis]
    rows = [{"x0": value} for value in X[:, 0].tolist()]
    labels, shares = RUNNERS[language](tree, rows, tmp_path)
    assert list(labels) == tree.predict(X).tolist()
    assert np.array_equal(shares, tree.predict_proba(X))


def test_pmml_is_read_by_another_evaluator(tmp_path):
    pypmml = pytest.importorskip("pypmml")  # which wants Java
    for seed in range(effort.cases(20)):
        table, labels = draw_table(seed)
        labels = np.array(["good", "bad", "none's"])[labels]
        made = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(
            as_frame(table), labels
        )
        model = pypmml.Model.fromString(to_pmml(made))
        rows = new_rows(table, seed)
        found = [model.predict(plain(row)) for row in as_rows(rows)]
        predicted = [row["predicted prediction"] for row in found]
        assert predicted == made.predict(as_frame(rows)).tolist()


def test_pmml_refuses_what_its_readers_could_not_open():
    with pytest.raises(ValueError, match=r"must be at most 200 for PMML.* got 300"):
        to_pmml(chain(300, itertools.repeat(True)))


def test_c_is_c_plus_plus_as_well(tmp_path):
    table, labels = draw_table(3)
    frame = as_frame(table)
    made = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(frame, labels)
    rows = new_rows(table, 3)
    found, _ = run_c(made, as_rows(rows), tmp_path, compiler="g++")
    assert found == made.predict(as_frame(rows)).tolist()


def test_outcomes_and_top_k_trees_are_models_too(tmp_path):
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    rows = [{"x0": value} for value in (0.5, 2.5)]
    for model in (
        ostrya.solve(X, y, leaf_penalty=0.01),
        TopKTreeClassifier(leaf_penalty=0.01, k=2).fit(X, y),
    ):
        assert run_python(model, rows, tmp_path)[0] == [0, 1]


def test_a_tree_of_costs_predicts_its_labels(tmp_path):
    made = OptimalTreeClassifier(leaf_penalty=0.01, cost_matrix=[[0, 1], [9, 0]]).fit(
        [[0], [0], [0]], ["no", "no", "yes"]
    )
    for language in LANGUAGES:
        labels, shares = RUNNERS[language](made, [{"x0": 0}], tmp_path)
        assert list(labels) == ["yes"]
        assert np.allclose(shares, [[2 / 3, 1 / 3]])


def test_python_takes_what_pandas_gives(tmp_path):
    table, labels = draw_table(5)
    frame = as_frame(table)
    made = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(frame, labels)
    rows = frame.to_dict("records")  # NaN and NaT where values are missing
    assert run_python(made, rows, tmp_path)[0] == made.predict(frame).tolist()


def test_python_takes_dates_for_times(tmp_path):
    days = [datetime.date(2023, 9, day) for day in range(1, 9)]
    X = np.array(days, dtype=object).reshape(-1, 1)
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, [0] * 4 + [1] * 4)
    rows = [{"x0": day} for day in days]
    assert run_python(made, rows, tmp_path)[0] == [0] * 4 + [1] * 4


def test_javascript_takes_dates_and_refuses_other_types(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("no node here")
    days = np.array([[f"2023-09-0{day}"] for day in range(1, 9)], dtype="M8[D]")
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit(days, [0] * 4 + [1] * 4)
    (tmp_path / "tree.mjs").write_text(to_javascript(made))
    program = (
        "import {predict, classes} from './tree.mjs';\n"
        "const told = [];\n"
        "for (const row of [[new Date('2023-09-04')], [new Date('2023-09-05')],\n"
        "                   [null], [], ['2023-09-04']]) {\n"
        "    try { told.push(predict(row)); } catch (e) { told.push(e.name); }\n"
        "}\n"
        "console.log(told.join());\n"
    )
    (tmp_path / "run.mjs").write_text(program)
    done = subprocess.run(
        ["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "0,1,1,Error,TypeError\n"


@pytest.mark.parametrize("export", [to_c, to_javascript, to_pmml, to_python, to_sql])
def test_arguments_are_checked(export):
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit([[1], [2]], ["a", "b"])
    with pytest.raises(TypeError, match=r"must be an ostrya.Tree"):
        export([1, 2])
    with pytest.raises(ValueError, match="must be None for a fitted classifier"):
        export(made, feature_names=["a"])
    with pytest.raises(ValueError, match=r"one name per feature \(1\); got 2"):
        export(made.tree_, feature_names=["a", "b"])
    with pytest.raises(ValueError, match=r"one label per class \(2\); got 1"):
        export(made.tree_, classes=["a"])
    with pytest.raises(ValueError, match="classes must be distinct"):
        export(made.tree_, classes=["a", "a"])
    with pytest.raises(TypeError, match="all strings, all numbers"):
        export(made.tree_, classes=["a", 1])
    with pytest.raises(TypeError, match=r"labels must be strings, .* \(date\)"):
        export(made.tree_, classes=[datetime.date(2020, 1, d) for d in (1, 2)])


def test_what_sql_can_be_asked():
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit([[1], [2]], ["a", "b\\"])
    with pytest.raises(
        ValueError, match=r"dialect must be one of 'standard', .* got 'mysql'"
    ):
        to_sql(made, dialect="mysql")
    with pytest.raises(
        ValueError, match=r"probability_of must be one of the labels .*'a'.* got 'c'"
    ):
        to_sql(made, probability_of="c", dialect="duckdb")
    with pytest.raises(ValueError, match="must not contain"):
        to_sql(made)
    query = to_sql(made, ["my schema", 'a"b'], dialect="postgresql")
    assert query.endswith('FROM "my schema"."a""b"')


def test_texts_that_a_language_has_not():
    y = ["a", "b", "b"]
    zero = OptimalTreeClassifier(leaf_penalty=0.01).fit([["\0"], ["u"], ["v"]], y)
    for export in (to_c, to_sql, to_pmml):
        with pytest.raises(ValueError, match="must not contain"):
            export(zero)
    half = OptimalTreeClassifier(leaf_penalty=0.01).fit([["\ud800"], ["u"], ["v"]], y)
    for export in (to_c, to_sql, to_pmml):
        with pytest.raises(ValueError, match="must not contain"):
            export(half)
    for made, row in ((zero, "\0"), (half, "\ud800")):
        module = {}
        exec(to_python(made), module)
        assert module["predict"]([row]) == "a"
        to_javascript(made)


def test_onnx_cannot_tell_an_empty_text_from_none():
    pytest.importorskip("onnx")
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit([[""], ["u"], ["v"]], [1, 0, 0])
    with pytest.raises(ValueError, match="must not be the empty string"):
        to_onnx(made)


def test_levels_of_several_types_are_refused():
    frame = pd.DataFrame({"a": pd.Categorical([1, "1", 2, "2"])})
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, [0, 1, 1, 1])
    with pytest.raises(
        TypeError, match=r"levels of column 'a' must be .* got int, str"
    ):
        to_python(made)


def test_prefixes_of_c():
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit([[1], [2]], ["a", "b"])
    assert "int risk_predict(const struct risk_row *row)" in to_c(made, prefix="risk")
    for prefix in ("", "2a", "a b", "A", 3):
        with pytest.raises(ValueError, match="prefix must start with a letter"):
            to_c(made, prefix=prefix)
