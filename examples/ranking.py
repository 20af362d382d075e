"""
Whom to see first
=================

A doctor with ten appointments sees the ten most urgent cases, so only the ranking
matters. For two classes, Ostrya can optimise the area under the ROC curve, the part of
this area with few false alarms, or the F-score, instead of accuracy.
"""

from sklearn.datasets import load_breast_cancer

from ostrya import OptimalTreeClassifier
from ostrya.export import plot_roc, roc_area
from ostrya.objectives import Objective, PartialAUC
from ostrya.preprocessing import ThresholdBinarizer

data = load_breast_cancer(as_frame=True)
malignant = data.target == 0
X = ThresholdBinarizer(n_thresholds=6).fit_transform(data.data.iloc[:, :2])

classifiers = {}
objectives: dict[str, str | Objective] = {
    "accuracy": "accuracy",
    "F-score": "f1",
    "AUC": "auc",
    "AUC up to 10% false alarms": PartialAUC(max_fpr=0.1),
}
for name, objective in objectives.items():
    clf = OptimalTreeClassifier(leaf_penalty=0.01, objective=objective)
    classifiers[name] = clf.fit(X, malignant)
    area = roc_area(clf.roc_points_)
    print(f"{name}: {clf.n_leaves_} leaves, area {area:.3f} ({clf.status_})")

# %%
# Each segment of a curve is a leaf. The tree for the partial area is steepest on the
# left, where there are few false alarms.

ax = plot_roc(classifiers)
