"""One page about a model, scored on rows that it has not seen."""

from pathlib import Path

from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from ostrya import OptimalTreeClassifier

data = load_wine(as_frame=True)
labels = data.target_names[data.target]
X, X_new, y, y_new = train_test_split(data.data, labels, random_state=0)

clf = OptimalTreeClassifier(leaf_penalty=0.02, max_depth=3).fit(X, y)
clf.report("wine.html", X_new, y_new, title="Three wines")
print(f"open wine.html, {Path('wine.html').stat().st_size:,} bytes, in a browser")
