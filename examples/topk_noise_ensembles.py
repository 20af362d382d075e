"""
Noisy labels and ensembles of Top-k trees
=========================================

Do choices per node still pay if some labels are wrong, or if many trees vote? The Top-k
paper (Blanc et al. 2023, section 6) asks both questions. This example trains on labels
of which a share was replaced at random, and tests on clean ones: single trees, bagging
and boosting, each with greedy trees (k = 1) and with Top-k trees (k = 8).
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.model_selection import train_test_split

from ostrya import TopKTreeClassifier

X, y = load_breast_cancer(return_X_y=True)
X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, random_state=0)


def models(k: int) -> dict[str, ClassifierMixin]:
    """Return a single tree, bagged trees and boosted trees with k choices a node."""
    single = TopKTreeClassifier(k=k, max_depth=3, leaf_penalty=0.01)
    weak = TopKTreeClassifier(k=k, max_depth=2, leaf_penalty=0)
    return {
        "single tree": single,
        "bagging": BaggingClassifier(single, n_estimators=8, random_state=0),
        "boosting": AdaBoostClassifier(weak, n_estimators=8, random_state=0),
    }


shares = [0.0, 0.1, 0.2, 0.3]
figure, axes = plt.subplots(1, 3, figsize=(9, 3.2), sharey=True, layout="constrained")
for k in (1, 8):
    for axis, name in zip(axes, models(k), strict=True):
        scores = []
        for share in shares:
            chance = np.random.default_rng(0)
            noisy = y.copy()
            replaced = chance.random(len(y)) < share
            noisy[replaced] = chance.integers(0, 2, replaced.sum())
            scores.append(models(k)[name].fit(X, noisy).score(X_new, y_new))
        axis.plot(shares, scores, marker="o", label=f"k = {k}")
        axis.set(title=name, xlabel="share of labels replaced")
        print(f"{name}, k = {k}: " + ", ".join(f"{score:.1%}" for score in scores))

# %%
# On this table, choices hardly change a single tree or a bagged vote, and they help
# boosting at most levels of noise. One split of one table decides nothing:
# ``python -m benchmarks topk robustness`` repeats the experiment on the data of the
# paper.
axes[0].set_ylabel("correct on new rows")
axes[0].legend()
