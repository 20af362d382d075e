"""Trees for different ends: the same data, ranked or labelled, in one ROC picture.

`python examples/ranking.py roc.png` draws the curves as well.
"""

import sys

from sklearn.datasets import load_breast_cancer

from ostrya import OptimalTreeClassifier, ThresholdBinarizer
from ostrya.export import plot_roc, roc_area

data = load_breast_cancer()
X = ThresholdBinarizer(n_thresholds=6).fit_transform(data.data[:, :2])
classifiers = {
    name: OptimalTreeClassifier(leaf_penalty=0.01, objective=name, max_fpr=0.1)
    for name in ("accuracy", "f1", "auc", "partial_auc")
}
for name, clf in classifiers.items():
    clf.fit(X, data.target)
    area = roc_area(clf.roc_points_)
    print(f"{name}: {clf.n_leaves_} leaves, area {area:.3f} ({clf.status_})")

if len(sys.argv) > 1 and sys.argv[1].endswith(".png"):
    axes = plot_roc(classifiers)
    axes.figure.savefig(sys.argv[1])
