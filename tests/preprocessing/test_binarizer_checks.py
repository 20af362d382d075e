"""scikit-learn's own checks of the transformer."""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from ostrya.preprocessing import ThresholdBinarizer


@parametrize_with_checks([ThresholdBinarizer(), ThresholdBinarizer(n_thresholds=3)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
