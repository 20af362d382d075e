"""
A report for decision makers
============================

Before a model is used, someone who does not read code should look at it. ``report``
writes a single HTML file with the tree, what was proved about it, its scores, its rules
and a form to try out cases.
"""

from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from ostrya import OptimalTreeClassifier
from ostrya.export import export_report, plot_tree

data = load_wine(as_frame=True)
labels = data.target.map({0: "Barolo", 1: "Grignolino", 2: "Barbera"})
X, X_new, y, y_new = train_test_split(data.data, labels, random_state=0)

clf = OptimalTreeClassifier(leaf_penalty=0.02, max_depth=3).fit(X, y)
print(f"{clf.score(X_new, y_new):.0%} of the new rows correct ({clf.status_})")
ax = plot_tree(clf)

# %%
# ``clf.report("wine.html", X_new, y_new)`` writes the report to a file. Here it is,
# embedded in this page; try the form.


class Page:
    """HTML that notebooks and this gallery display in a frame."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        quoted = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{quoted}" width="100%" height="700"></iframe>'


Page(export_report(clf, X_new, y_new, title="Three wines"))
