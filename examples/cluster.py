"""
Many machines at a time
=======================

Cross-validation, bootstraps and many frontiers are many fits: joblib hands them to the
workers of a `Dask <https://distributed.dask.org>`_ cluster. One search that takes long
is another matter: :func:`ostrya.cluster` cuts it into tasks.

A cluster of two threads stands for a real one here; only the client would differ.
"""

from collections import Counter

import joblib
from distributed import Client, LocalCluster
from sklearn.datasets import load_breast_cancer
from sklearn.utils import resample

from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV, cluster, frontier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X[["mean concave points", "worst area", "worst smoothness", "mean texture"]]

workers = LocalCluster(processes=False, n_workers=2, threads_per_worker=1)
client = Client(workers)

# %%
# Folds are fitted beside each other.

with joblib.parallel_config(backend="dask"):
    clf = OptimalTreeClassifierCV(max_leaves=5, max_depth=2, cv=3).fit(X, y)
print(f"{clf.best_params_['max_leaves']} leaves, {clf.status_}")

# %%
# So are bootstrap samples: how often is the first question about the same thing?


def first_question(seed: int) -> str:
    """Return the column that the best tree of a sample asks about first."""
    rows, labels = resample(X, y, random_state=seed)
    tree = OptimalTreeClassifier(max_depth=2).fit(rows, labels).tree_
    return str(X.columns[tree.feature[0]])


def fewest_errors(seed: int) -> list[float]:
    """Return the share of errors of the best tree of each size, for a sample."""
    rows, labels = resample(X, y, random_state=seed)
    found = frontier(rows.to_numpy(), labels, max_depth=2, max_leaves=4)
    return [round(point.loss, 3) for point in found.points]


with joblib.parallel_config(backend="dask"):
    questions = joblib.Parallel()(
        joblib.delayed(first_question)(seed) for seed in range(6)
    )
    curves = joblib.Parallel()(joblib.delayed(fewest_errors)(seed) for seed in range(2))
print(Counter(questions))
print(curves)

# %%
# One long search on all workers. This one is over before they are of use.

with cluster(client):
    clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(X, y)
print(clf.status_)

client.close()
workers.close()
