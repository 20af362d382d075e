"""Pictures of scores against leaves: every point is drawn where its score is."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

import ostrya
from ostrya import OptimalTreeClassifierCV
from ostrya.export import plot_frontier

pytest.importorskip("matplotlib").use("Agg")

X, Y = load_iris(return_X_y=True)


@pytest.fixture
def pyplot():
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.mark.parametrize("with_training", [False, True])
def test_a_choice_is_drawn_with_its_errors(pyplot, with_training):
    clf = OptimalTreeClassifierCV(
        max_leaf_nodes=4, max_depth=2, return_train_score=with_training
    ).fit(X, Y)
    axes = plot_frontier(clf)
    results, (bars,) = clf.cv_results_, axes.containers
    sizes, means = bars.lines[0].get_data()
    assert sizes.tolist() == results["param_max_leaf_nodes"].tolist()
    assert (means == results["mean_test_score"]).all()
    ends = np.array([stretch[:, 1] for stretch in bars.lines[2][0].get_segments()])
    errors = results["standard_error_test_score"]
    assert ends == pytest.approx(np.column_stack([means - errors, means + errors]))
    told = [text.get_text() for text in axes.get_legend().get_texts()]
    assert f"chosen: {clf.best_params_['max_leaf_nodes']}" in told
    assert ("training rows of the folds" in told) == with_training


def test_a_frontier_is_drawn_by_its_losses(pyplot):
    frontier = ostrya.frontier(X, Y, max_leaf_nodes=4, max_depth=2)
    own = pyplot.subplots()[1]
    axes = plot_frontier(frontier, ax=own)
    assert axes is own
    (bars,) = axes.containers
    assert bars.lines[0].get_ydata() == pytest.approx(
        [1 - point.loss for point in frontier.points]
    )


def test_what_has_no_sizes_is_refused():
    for model in (OptimalTreeClassifierCV(), 3):
        with pytest.raises(TypeError, match="a Frontier or a fitted"):
            plot_frontier(model)
