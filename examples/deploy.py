"""
From the notebook to the database
=================================

A tree that decides about credit has to run where the applications are. Export it to
SQL, Python, C, JavaScript, PMML or ONNX. The result needs neither Ostrya nor the
training rows, and it makes the same predictions, including missing values and
categories.
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
# Create a query for SQLite and compare its result with ``predict``:

query = to_sql(clf, "people", dialect="sqlite")
print(query)

base = sqlite3.connect(":memory:")
people.to_sql("people", base, index=False)
found = [row[-1] for row in base.execute(query)]
base.close()
print("same as predict:", found == clf.predict(people).tolist())

# %%
# The same tree for a microcontroller:

print(to_c(clf, prefix="credit"))
