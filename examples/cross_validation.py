"""
Choose the size of a tree by cross-validation
=============================================

On training rows a larger tree is never worse; on new rows it often is.
:class:`~ostrya.OptimalTreeClassifierCV` scores the best tree of every size on held-out
rows and selects the size with the highest score.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from ostrya import OptimalTreeClassifierCV
from ostrya.export import plot_frontier, plot_tree

data = load_breast_cancer(as_frame=True)
labels = data.target.map({0: "malignant", 1: "benign"})
X, X_new, y, y_new = train_test_split(data.data, labels, random_state=0)

clf = OptimalTreeClassifierCV(max_leaf_nodes=6, max_depth=2, return_train_score=True)
clf.fit(X, y)
ax = plot_frontier(clf)

# %%
# The final tree has the selected size. It is fitted on all rows and has its own proof.

print(
    clf.best_params_, clf.status_, f"{clf.score(X_new, y_new):.1%} of new rows correct"
)
ax = plot_tree(clf)
