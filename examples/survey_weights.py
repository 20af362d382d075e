"""
Rows that represent many people
===============================

A survey interviewed as many people in prison as outside, although far more people live
outside. ``sample_weight`` states how many people each row represents, and the tree is
optimal for the population rather than for the sample.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ostrya import OptimalTreeClassifier
from ostrya.export import plot_tree

rng = np.random.default_rng(5)
n = 1200
in_prison = np.arange(n) % 2 == 0
people = pd.DataFrame(
    {
        "age": rng.integers(18, 70, n),
        "prior_arrests": np.where(in_prison, rng.poisson(3, n), rng.poisson(0.4, n)),
        "has_work": rng.random(n) < np.where(in_prison, 0.3, 0.7),
    }
)
inside = 0.2 + 0.5 * (people["prior_arrests"] > 2)  # outside it is work that counts
outside = 0.1 + 0.6 * (~people["has_work"] & (people["age"] < 35))
chance = np.where(in_prison, inside, outside)
arrested = np.where(rng.random(n) < chance, "arrested", "not arrested")
stands_for = np.where(in_prison, 100, 9000)

figure, axes = plt.subplots(2, 1, figsize=(8, 6), layout="constrained")
for ax, weight in zip(axes, (None, stands_for), strict=True):
    clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3)
    clf.fit(people, arrested, sample_weight=weight)
    right = np.average(clf.predict(people) == arrested, weights=stands_for)
    plot_tree(clf, ax=ax)
    ax.set_title("people" if weight is not None else "sample", loc="left")
    print(f"{ax.get_title(loc='left')}: {right:.1%} of the people correct")
