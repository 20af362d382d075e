"""Every picture of a tree shows where rows without a value go."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ostrya
from ostrya.export import (
    export_graphviz,
    export_html,
    export_latex,
    export_report,
    export_rules,
    export_svg,
    export_text,
    from_json,
    plot_tree,
    to_json,
)

CHANCE = np.random.default_rng(0)
N = 200


@pytest.fixture(scope="module")
def model():
    age = CHANCE.integers(20, 80, N).astype(float)
    city = CHANCE.choice(["Bonn", "Kiel", "Ulm"], N).astype(object)
    age[:30], city[25:60] = np.nan, None
    X = pd.DataFrame({"age": age, "city": city})
    y = (X["age"] <= 50) & (X["city"] != "Ulm") | X["age"].isna()
    return ostrya.OptimalTreeClassifier().fit(X, y)


def test_texts_show_where_missing_values_go(model):
    lines = export_text(model).splitlines()
    assert lines[0] == "age <= 50.5?"
    assert [line.split(":")[0].strip("│ ") for line in lines[1:]] == [
        "├─ yes",
        "├─ yes",
        "└─ no or missing",  # Ulm, or no city
        "└─ no or missing",
        "├─ yes",
        "└─ no",  # of those whose age is known
    ]


@pytest.mark.parametrize(
    "export", [export_text, export_svg, export_html, export_graphviz, export_latex]
)
def test_every_export_shows_where_missing_values_go(model, export):
    assert export(model).count("no or missing") >= 2
    whole = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1])
    assert "missing" not in export(whole)


def test_plots_and_reports_show_where_missing_values_go(model):
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    axes = plot_tree(model)
    words = [text.get_text() for text in axes.texts]
    pyplot.close(axes.figure)
    assert words.count("no or missing") == 2
    assert export_report(model).count('["yes", "no or missing"]') == 2


def test_answers_stand_between_the_boxes(model):
    from ostrya.export.layout import NOTE_SIZE, lay_out, text_width
    from ostrya.export.wording import worded

    for edge in lay_out(worded(model, None, None, None)).edges:
        assert edge.x1 - 5 - text_width(edge.answer, NOTE_SIZE) > edge.x0 - 1


def test_the_words_survive_a_file(model, tmp_path):
    tree, wording = from_json(to_json(model))
    assert export_text(tree, wording=wording) == export_text(model)
    model.save(tmp_path / "model.json")
    again = ostrya.OptimalTreeClassifier.load(tmp_path / "model.json")
    assert export_text(again) == export_text(model)


def test_rules_speak_of_missing_values_only_where_they_can_be(model):
    rules = export_rules(model)
    assert "(city is not Ulm or missing)" in rules
    assert "age is not missing" in rules
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, None, None] * 5})
    tree = ostrya.OptimalTreeClassifier(leaf_penalty=0.01).fit(
        X, [0, 0, 1, 0, 1, 0] * 5
    )
    for line in export_rules(tree).splitlines():
        assert "is not missing and (" not in line
