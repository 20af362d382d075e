"""
Watch the bounds meet
=====================

A search keeps two numbers: the objective of the best tree found so far, and a lower
bound that no tree can beat. When they meet, the tree is proved optimal. If the search
is stopped earlier, by a limit or by Ctrl-C, it returns the best tree and the gap
between the two numbers.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import ostrya
from ostrya.export import export_text

data = load_breast_cancer()


def watch(progress: ostrya.results.Progress) -> bool:
    """Return True to stop the search when the gap is below 0.001."""
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
# ``on_progress`` is called about ten times a second and can stop the search.
# ``outcome.trace``, or ``clf.trace_`` of a classifier, contains the history:

figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
seconds = [point.seconds for point in outcome.trace]
ax.step(seconds, [point.objective for point in outcome.trace], where="post")
ax.step(seconds, [point.lower_bound for point in outcome.trace], where="post")
ax.legend(["best tree so far", "lower bound"])
ax.set(xlabel="seconds", ylabel="objective", ylim=0)
