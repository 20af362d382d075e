"""scikit-learn's own checks of the estimators; none may fail."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from ostrya import (
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    RashomonSet,
    TopKTreeClassifier,
)


# Folds of tables in which a class has one row.
@pytest.mark.filterwarnings("ignore:The least populated class in y")
# Tables of a few rows, with random labels or with a single class.
@pytest.mark.filterwarnings("ignore:The tree is a single leaf")
@parametrize_with_checks(
    [
        OptimalTreeClassifier(),
        OptimalTreeClassifier(max_depth=2, objective="balanced_accuracy"),
        OptimalTreeClassifierCV(max_leaf_nodes=4, max_depth=2, cv=3),
        TopKTreeClassifier(),
        TopKTreeClassifier(k="auto", max_depth=2, candidates="features"),
        RashomonSet(max_depth=2),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
