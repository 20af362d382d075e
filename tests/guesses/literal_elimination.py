"""Column elimination word for word: a yes/no column a threshold, a refit a removal."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from sklearn.base import clone


def literal_questions(model, X):
    """Every distinct question of every tree of gradient boosting, as (asked, answers).

    Thresholds that no row tells apart are one question.
    """
    asked = {}
    for tree in model.estimators_.ravel():
        for feature, threshold in zip(
            tree.tree_.feature, tree.tree_.threshold, strict=True
        ):
            if feature >= 0:
                answers = X[:, feature] <= threshold
                asked[int(feature), int(answers.sum())] = answers
    return np.column_stack([asked[key] for key in sorted(asked)])


def gini_importance(model, n_columns):
    """Whether each column is asked, and its importance as scikit-learn counts it."""
    trees = model.estimators_.ravel() if hasattr(model, "estimators_") else [model]
    asked = {f for tree in trees for f in tree.tree_.feature.tolist()}
    return [column in asked for column in range(n_columns)], model.feature_importances_


def histogram_importance(model, n_columns):
    """Whether each column is asked, and the gain of histogram boosting there."""
    is_asked, gains = [False] * n_columns, [0.0] * n_columns
    for stage in model._predictors:
        for tree in stage:
            for node in tree.nodes[tree.nodes["is_leaf"] == 0]:
                is_asked[node["feature_idx"]] = True
                gains[node["feature_idx"]] += float(node["gain"])
    return is_asked, gains


def literal_elimination(
    reference, answers, y, wanted, *, weights=None, importance=gini_importance
):
    """Which columns are kept, and the weight the refit on them gets right.

    None when the refit on all of them gets less than `wanted` right.
    """

    def fitted(columns):
        options = {} if weights is None else {"sample_weight": weights}
        model = clone(reference).fit(answers[:, columns].astype(float), y, **options)
        predicted = model.predict(answers[:, columns].astype(float))
        ones = np.ones(len(y)) if weights is None else weights
        return model, sum(map(Fraction, ones[predicted == y].tolist()))

    kept = list(range(answers.shape[1]))
    model, right = fitted(kept)
    if right < wanted:
        return None
    while len(kept) > 1:
        is_asked, gains = importance(model, len(kept))
        worst = min(range(len(kept)), key=lambda k: (is_asked[k], gains[k], k))
        fewer = kept[:worst] + kept[worst + 1 :]
        model, right_after = fitted(fewer)
        if right_after < wanted:
            break
        kept, right = fewer, right_after
    return kept, float(right)
