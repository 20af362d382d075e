"""
A first optimal tree
====================

A pathologist wants a rule for tumours that fits on an index card. CART chooses each
split because it looks best at that moment, and never reconsiders it. Ostrya searches
over all trees and proves that no better one exists.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from ostrya import OptimalTreeClassifier
from ostrya.export import plot_tree

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target.map({0: "malignant", 1: "benign"})

clf = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=2).fit(X, y)
print(clf.tree_)

# %%
# The status is "optimal": among all trees of depth two, over every threshold of every
# measurement, none has a lower objective. The objective is the fraction of
# misclassified tumours plus 0.005 for each leaf.

print(clf.status_, f"objective {clf.objective_:.4f}")
ax = plot_tree(clf, caption=True)

# %%
# CART with the same depth misclassifies more training rows:

cart = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
for name, model in (("optimal", clf), ("CART", cart)):
    wrong = round((1 - model.score(X, y)) * len(y))
    print(f"{name:8}{model.get_n_leaves()} leaves, {wrong} of {len(y)} misclassified")
