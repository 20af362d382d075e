"""ROC curves: of classifiers and trees, on tables and labels of any kind."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import ostrya
from ostrya import OptimalTreeClassifier, TopKTreeClassifier
from ostrya.export import plot_roc, roc_area, roc_points

pytest.importorskip("matplotlib").use("Agg")


def table(n=80):
    chance = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "age": chance.integers(18, 80, n).astype(float),
            "colour": chance.choice(["red", "blue", None], n),
        }
    )
    is_good = (frame.age < 40) ^ (chance.random(n) < 0.2)
    return frame, np.where(is_good, "good", "bad")


FRAME, LABELS = table()
NEW, NEW_LABELS = FRAME[::2], LABELS[::2]


@pytest.fixture(scope="module")
def models():
    return {
        "best": OptimalTreeClassifier(leaf_penalty=0.02, max_depth=2).fit(
            FRAME, LABELS
        ),
        "greedy": TopKTreeClassifier(leaf_penalty=0.01, k=1, max_depth=2).fit(
            FRAME, LABELS
        ),
    }


@pytest.fixture
def pyplot():
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def areas(axes):
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    return [float(text.rpartition(" ")[2]) for text in texts]


def test_classifiers_draw_tables_and_words(pyplot, models):
    axes = plot_roc(models, NEW, pd.Series(NEW_LABELS))
    for clf, area in zip(models.values(), areas(axes), strict=True):
        tree = clf.tree_
        weights = np.zeros((tree.n_nodes, 2))
        np.add.at(weights, (clf.apply(NEW), (NEW_LABELS == "good").astype(int)), 1)
        assert area == pytest.approx(roc_area(roc_points(tree, weights)), abs=5e-4)


def test_without_rows_the_training_rows_are_drawn(pyplot, models):
    found = areas(plot_roc(models))
    expected = [roc_area(roc_points(clf)) for clf in models.values()]
    assert found == pytest.approx(expected, abs=5e-4)


def test_one_model_needs_no_name(pyplot, models):
    (text,) = plot_roc(models["best"]).get_legend().get_texts()
    assert text.get_text().startswith("area 0.")


def test_trees_and_outcomes_draw_codes_and_class_names(pyplot, models):
    X, y = FRAME[["age"]].to_numpy(), (LABELS == "good").astype(int)
    outcome = ostrya.solve(X, y, leaf_penalty=0.02, max_depth=2)
    one, two = areas(plot_roc({"outcome": outcome, "tree": outcome.tree}, X, y))
    assert one == two
    clf = OptimalTreeClassifier(leaf_penalty=0.02, max_depth=2).fit(X, LABELS)
    for labels in (y, LABELS):
        assert areas(plot_roc(clf.tree_, X, labels)) == areas(plot_roc(clf))


def test_curves_that_lie_on_each_other_are_all_seen(pyplot, models):
    same = {f"copy {i}": models["best"] for i in range(4)}
    axes = plot_roc(same)
    widths = [line.get_linewidth() for line in axes.lines[1:]]
    assert all(one > two for one, two in itertools.pairwise(widths))
    alone = plot_roc(models["best"]).lines[1].get_linewidth()
    assert min(widths) == alone


def test_curves_apart_are_equally_thin(pyplot):
    X = np.arange(12.0).reshape(-1, 1)
    y = np.array([0, 1] * 3 + [1] * 6)
    trees = {
        str(depth): ostrya.solve(X, y, leaf_penalty=0, max_depth=depth).tree
        for depth in (0, 5)
    }
    widths = {line.get_linewidth() for line in plot_roc(trees).lines[1:]}
    assert len(widths) == 1


def test_what_does_not_fit_is_refused(pyplot, models):
    with pytest.raises(
        ValueError, match=r"y must contain only the classes of 'best', .*; got 1"
    ):
        plot_roc(models, NEW, np.ones(len(NEW), dtype=int))
    with pytest.raises(
        ValueError, match=r"y must have one label per row of X \(40\); got 3"
    ):
        plot_roc(models, NEW, NEW_LABELS[:3])
    with pytest.raises(
        ValueError, match="X and y must be given together; y is missing"
    ):
        plot_roc(models, NEW)
    with pytest.raises(TypeError, match=r"an Outcome, or a fitted classifier"):
        plot_roc({"unfitted": OptimalTreeClassifier()})
