"""
A rule that greedy trees miss
=============================

Robots are friendly if their head and body have the same shape, or if their jacket is
red. This is the first of the MONK's problems (Thrun et al. 1991). Neither shape is
informative on its own, so a greedy tree does not split on it. The optimal tree recovers
the rule.
"""

from itertools import product

import pandas as pd
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from ostrya import OptimalTreeClassifier
from ostrya.export import plot_tree

shapes, jackets = ["round", "square", "octagon"], ["red", "yellow", "green", "blue"]
robots = pd.DataFrame(
    list(product(shapes, shapes, ["yes", "no"], jackets, ["yes", "no"])),
    columns=["head", "body", "smiles", "jacket", "tie"],
)
is_friendly = (robots["head"] == robots["body"]) | (robots["jacket"] == "red")
labels = is_friendly.map({True: "friend", False: "foe"})

clf = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=None).fit(robots, labels)
print(f"{clf.n_leaves_} leaves, {clf.score(robots, labels):.0%} correct, {clf.status_}")
ax = plot_tree(clf)

# %%
# Give CART the same splits, one column for each, and the same number of leaves.

answers = OneHotEncoder(sparse_output=False).fit_transform(robots)
cart = DecisionTreeClassifier(max_leaf_nodes=clf.n_leaves_, random_state=0)
cart.fit(answers, labels)
print(
    f"CART with {cart.get_n_leaves()} leaves: {cart.score(answers, labels):.0%} correct"
)

# %%
# How many leaves does CART need to represent the rule?

for leaves in range(clf.n_leaves_, 100):
    cart.set_params(max_leaf_nodes=leaves).fit(answers, labels)
    if cart.score(answers, labels) == 1:
        break
print(f"CART needs {leaves} leaves")
