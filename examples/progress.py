"""
Watch the bounds meet
=====================

A search holds two numbers: the objective of the best tree so far, and a lower bound
that no tree can be below. When they meet, the tree is proved. Stopped before, by a
limit or by Ctrl-C, the best tree comes back with the gap between them.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import ostrya
from ostrya.export import export_text

data = load_breast_cancer()


def watch(progress: ostrya.Progress) -> bool:
    """End the search, by returning True, where a gap of 0.001 is small enough."""
    return progress.objective - progress.lower_bound < 0.001


outcome = ostrya.solve(
    data.data,
    data.target,
    leaf_penalty=0.01,
    max_depth=3,
    time_limit=60,
    on_progress=watch,
)
print(export_text(outcome.tree, list(data.feature_names), list(data.target_names)))
print(f"{outcome.status}: objective {outcome.objective:.4f}, gap {outcome.gap:.4f}")

# %%
# ``on_progress`` is called about ten times a second, and may end the search.
# ``outcome.trace``, or ``clf.trace_`` of a classifier, keeps how it went:

figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
seconds = [point.seconds for point in outcome.trace]
ax.step(seconds, [point.objective for point in outcome.trace], where="post")
ax.step(seconds, [point.lower_bound for point in outcome.trace], where="post")
ax.legend(["best tree so far", "lower bound"])
ax.set(xlabel="seconds", ylabel="objective", ylim=0)
