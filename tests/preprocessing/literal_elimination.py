"""Column elimination word for word: a yes/no column a threshold, a refit a removal."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone


def literal_questions(reference, X, y):
    """Every distinct question of every tree, as a column of answers."""
    model = clone(reference).fit(X, y)
    asked = sorted(
        {
            (int(feature), float(threshold))
            for tree in model.estimators_.ravel()
            for feature, threshold in zip(
                tree.tree_.feature, tree.tree_.threshold, strict=True
            )
            if feature >= 0
        }
    )
    return np.column_stack([X[:, feature] <= threshold for feature, threshold in asked])


def literal_elimination(reference, answers, y):
    """Which columns are kept, and the score of the refit on them."""
    kept = list(range(answers.shape[1]))
    model = clone(reference).fit(answers, y)
    wanted = score = model.score(answers, y)
    while len(kept) > 1:
        worst = int(np.argmin(model.feature_importances_))
        fewer = kept[:worst] + kept[worst + 1 :]
        model = clone(reference).fit(answers[:, fewer], y)
        if model.score(answers[:, fewer], y) < wanted:
            break
        kept, score = fewer, model.score(answers[:, fewer], y)
    return kept, score
