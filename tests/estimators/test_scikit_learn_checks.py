"""scikit-learn's own checks of the estimators; none may fail."""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from ostrya import OptimalTreeClassifier, TopKTreeClassifier


@parametrize_with_checks(
    [
        OptimalTreeClassifier(),
        OptimalTreeClassifier(max_depth=2, objective="balanced_accuracy"),
        TopKTreeClassifier(),
        TopKTreeClassifier(k="auto", max_depth=2, candidates="features"),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
