"""A table as people have it: numbers, categories, missing values, names as labels."""

from ostrya import OptimalTreeClassifier, ThresholdBinarizer

ROWS = [
    # income, housing, owns a car
    [31.0, "rent", True],
    [None, "own", True],
    [58.0, "own", False],
    [24.0, "rent", False],
    [None, "rent", False],
    [72.0, "own", True],
    [45.0, "family", True],
    [28.0, "family", False],
]
LABELS = ["no", "no", "yes", "no", "no", "yes", "yes", "no"]

clf = OptimalTreeClassifier(leaf_penalty=0.05).fit(ROWS, LABELS)
print(clf.tree_)
print(clf.status_, clf.predict([[60.0, "houseboat", None]]))
print(ThresholdBinarizer(n_thresholds=2).fit(ROWS).get_feature_names_out())
