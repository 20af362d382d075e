"""
Use several machines
====================

Cross-validation, bootstraps and frontiers for many tables consist of many fits. joblib
can distribute them over the workers of a `Dask <https://distributed.dask.org>`_
cluster. A single search that takes long is different: :func:`ostrya.use_dask` divides
it into tasks.

This example uses a local cluster of two threads. For a real cluster, only the client
changes.
"""

from collections import Counter

import joblib
from distributed import Client, LocalCluster
from sklearn.datasets import load_breast_cancer
from sklearn.utils import resample

from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV, frontier, use_dask

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X[["mean concave points", "worst area", "worst smoothness", "mean texture"]]

workers = LocalCluster(processes=False, n_workers=2, threads_per_worker=1)
client = Client(workers)

# %%
# Run the folds of a cross-validation in parallel.

with joblib.parallel_config(backend="dask"):
    clf = OptimalTreeClassifierCV(max_leaf_nodes=5, max_depth=2, cv=3).fit(X, y)
print(f"{clf.best_params_['max_leaf_nodes']} leaves, {clf.status_}")

# %%
# Run bootstrap samples in parallel. How often does the first split use the same
# feature?


def first_question(seed: int) -> str:
    """Return the feature of the first split of the best tree for a sample."""
    rows, labels = resample(X, y, random_state=seed)
    tree = OptimalTreeClassifier(max_depth=2).fit(rows, labels).tree_
    return str(X.columns[tree.feature[0]])


def fewest_errors(seed: int) -> list[float]:
    """Return the loss of the best tree of each size for a sample."""
    rows, labels = resample(X, y, random_state=seed)
    found = frontier(rows, labels, max_depth=2, max_leaf_nodes=4)
    return [round(point.loss, 3) for point in found.points]


with joblib.parallel_config(backend="dask"):
    questions = joblib.Parallel()(
        joblib.delayed(first_question)(seed) for seed in range(6)
    )
    curves = joblib.Parallel()(joblib.delayed(fewest_errors)(seed) for seed in range(2))
print(Counter(questions))
print(curves)

# %%
# Run one long search on all workers. This one ends before the workers are needed.

with use_dask(client):
    clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3).fit(X, y)
print(clf.status_)

client.close()
workers.close()
