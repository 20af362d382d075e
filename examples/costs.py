"""
A missed tumour costs ten false alarms
======================================

Some errors are worse than others. A cost matrix states the cost of each: rows are the
true labels, columns the predicted ones. Ostrya finds the tree with the lowest mean cost
and proves that it is optimal.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import ConfusionMatrixDisplay

from ostrya import OptimalTreeClassifier
from ostrya.export import plot_tree

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target.map({0: "malignant", 1: "benign"})

# %%
# Labels are sorted, so benign comes first. A false alarm costs 1, a missed tumour 10.

costs = np.array([[0, 1], [10, 0]])
plain = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=2).fit(X, y)
careful = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=2, cost_matrix=costs)
careful.fit(X, y)

figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for clf, title, ax in zip((plain, careful), ("plain", "careful"), axes, strict=True):
    picture = ConfusionMatrixDisplay.from_predictions(
        y, clf.predict(X), ax=ax, colorbar=False, cmap="Blues"
    )
    ax.set_title(f"{title}: {clf.n_leaves_} leaves, {clf.status_}")
    missed = picture.confusion_matrix[1, 0]
    alarms = picture.confusion_matrix[0, 1]
    print(f"{title}: {missed} missed, {alarms} false alarms")

# %%
# The careful tree predicts benign only in leaves where almost all tumours are benign:

ax = plot_tree(careful)
