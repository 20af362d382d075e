"""
Whom to see first
=================

A doctor with ten places sees the ten most urgent cases: only the order matters. For two
classes the tree can be the best there is by the area under its ROC curve, whole or
where false alarms are few, or by F-score, instead of by accuracy.
"""

from sklearn.datasets import load_breast_cancer

from ostrya import OptimalTreeClassifier, ThresholdBinarizer
from ostrya.export import plot_roc, roc_area

data = load_breast_cancer(as_frame=True)
malignant = data.target == 0
X = ThresholdBinarizer(n_thresholds=6).fit_transform(data.data.iloc[:, :2])

classifiers = {}
for objective in ("accuracy", "f1", "auc", "partial_auc"):
    clf = OptimalTreeClassifier(leaf_penalty=0.01, objective=objective, max_fpr=0.1)
    classifiers[objective] = clf.fit(X, malignant)
    area = roc_area(clf.roc_points_)
    print(f"{objective}: {clf.n_leaves_} leaves, area {area:.3f} ({clf.status_})")

# %%
# Each stretch of a curve is a leaf. The tree for the partial area is steepest at the
# left, where false alarms are few.

ax = plot_roc(classifiers)
