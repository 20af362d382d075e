"""
A rule that greedy trees miss
=============================

Robots are friendly when their head and body have the same shape, or when their jacket
is red: the first of the MONK's problems (Thrun et al. 1991). Neither shape says
anything by itself, so a greedy tree does not ask for it. The optimal tree has the rule.
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
print(f"{clf.n_leaves_} leaves, {clf.score(robots, labels):.0%} right, {clf.status_}")
ax = plot_tree(clf)

# %%
# CART gets the same questions, one column for each, and as many leaves.

answers = OneHotEncoder(sparse_output=False).fit_transform(robots)
cart = DecisionTreeClassifier(max_leaf_nodes=clf.n_leaves_, random_state=0)
cart.fit(answers, labels)
print(
    f"CART with {cart.get_n_leaves()} leaves: {cart.score(answers, labels):.0%} right"
)

# %%
# How many leaves does CART need for the whole rule?

for leaves in range(clf.n_leaves_, 100):
    cart.set_params(max_leaf_nodes=leaves).fit(answers, labels)
    if cart.score(answers, labels) == 1:
        break
print(f"CART has the rule with {leaves} leaves")
