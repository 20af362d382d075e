"""The choice of a reference: what it costs, and that staged models are models."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier

from ostrya._guesses import hold_out
from ostrya._guesses.guess_clock import GuessClock
from ostrya._guesses.hold_out import FOLDS, HoldOut
from ostrya._guesses.label_loss import LabelLoss
from ostrya._guesses.reference_check import MOST_TREES, SIZES, choose_reference
from ostrya._guesses.scorer import Scorer


def held_out(n_rows, n_classes):
    X, y = make_classification(
        n_rows, n_informative=6, n_classes=n_classes, random_state=3
    )
    return HoldOut.of(X, Scorer(LabelLoss(), y, None, n_classes))


@pytest.mark.parametrize(("n_rows", "n_classes"), [(1200, 2), (300, 2), (1200, 5)])
def test_the_choice_grows_few_trees(n_rows, n_classes, monkeypatch):
    """It grew up to 240 rounds of trees on each of three folds, for every class."""
    grown = []
    fit = hold_out.fit_reference

    def fit_and_count(*arguments):
        model = fit(*arguments)
        grown.append(model.estimators_.size)
        return model

    monkeypatch.setattr(hold_out, "fit_reference", fit_and_count)
    choose_reference(held_out(n_rows, n_classes), check=False)
    n_folds = FOLDS if n_rows < hold_out.QUICK_ROWS else 1
    n_trees = 1 if n_classes == 2 else n_classes
    assert len(grown) <= 3 * n_folds
    assert sum(grown) <= n_folds * (min(100 * n_trees, MOST_TREES) + 90 * n_trees)


def test_first_trees_predict_as_a_smaller_model():
    rows = held_out(300, 3)
    model = GradientBoostingClassifier(max_depth=2, random_state=0)
    sizes = [trees for trees, depth in SIZES if depth == 2]
    staged = rows.staged_predictions(model, sizes, GuessClock(), 1.0)
    for trees, predicted in zip(sizes, staged, strict=True):
        alone = GradientBoostingClassifier(
            n_estimators=trees, max_depth=2, random_state=0
        )
        assert (predicted == rows.predictions(alone)).all()


def test_one_fold_is_scored_by_its_own_rows():
    rows = held_out(1200, 2).quick()
    predicted = rows.predictions(GradientBoostingClassifier(n_estimators=5))
    assert len(predicted) == len(rows.judge.codes) == 400
    own = rows.scorer.codes[rows.fold == 0]
    assert rows.judge.loss_of(predicted) == pytest.approx(np.mean(predicted != own))
