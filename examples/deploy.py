"""One tree in the languages of the places where it is to run."""

import sqlite3

import pandas as pd

from ostrya import OptimalTreeClassifier
from ostrya.export import to_c, to_javascript, to_python, to_sql

people = pd.DataFrame(
    {
        "age": [19, 23, 28, 31, 38, 42, 47, 55, 61, 70] * 5,
        "job": ["nurse", None, "clerk", "clerk", "nurse"] * 10,
    }
)
labels = (people["age"] < 35).map({True: "young", False: "senior"})
labels = labels.where(people["job"].notna(), "ask")
clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(people, labels)

print(to_sql(clf, "people", dialect="sqlite"))
print(to_python(clf))
print(to_c(clf, prefix="person"))
print(to_javascript(clf))

base = sqlite3.connect(":memory:")
people.to_sql("people", base, index=False)
found = [row[-1] for row in base.execute(to_sql(clf, "people", dialect="sqlite"))]
print(found == clf.predict(people).tolist())
