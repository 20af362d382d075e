"""
From the notebook to the database
=================================

A tree that decides about credit has to run where the applications are. It is written as
SQL, Python, C, JavaScript, PMML or ONNX, needs neither Ostrya nor the training rows
there, and predicts the same, missing values and categories included.
"""

import sqlite3

import pandas as pd

from ostrya import OptimalTreeClassifier
from ostrya.export import plot_tree, to_c, to_sql

people = pd.DataFrame(
    {
        "age": [19, 23, 28, 31, 38, 42, 47, 55, 61, 70] * 5,
        "job": ["nurse", None, "clerk", "clerk", "nurse"] * 10,
    }
)
labels = (people["age"] < 35).map({True: "refuse", False: "grant"})
labels = labels.where(people["job"].notna(), "ask")
clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(people, labels)
ax = plot_tree(clf)

# %%
# A query for SQLite, and what it says of the same people:

query = to_sql(clf, "people", dialect="sqlite")
print(query)

base = sqlite3.connect(":memory:")
people.to_sql("people", base, index=False)
found = [row[-1] for row in base.execute(query)]
base.close()
print("as predict says:", found == clf.predict(people).tolist())

# %%
# The same tree for a microcontroller:

print(to_c(clf, prefix="credit"))
