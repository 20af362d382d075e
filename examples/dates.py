"""
Dates, durations and cities
===========================

A clinic wants to know which appointments are missed. Dates, durations and ordered
categories need no preparation, and a split can combine several cities.
"""

import numpy as np
import pandas as pd

from ostrya import OptimalTreeClassifier
from ostrya.export import plot_tree

rng = np.random.default_rng(11)
n = 2000
visits = pd.DataFrame(
    {
        "booked": pd.Timestamp("2024-01-01")
        + pd.to_timedelta(rng.integers(0, 366, n), unit="D"),
        "wait": pd.to_timedelta(rng.integers(1, 60, n), unit="D"),
        "city": rng.choice(["Bonn", "Kiel", "Ulm", "Trier", "Jena", "Hof"], n),
        "urgency": pd.Categorical(
            rng.choice(["low", "medium", "high"], n, p=[0.5, 0.3, 0.2]),
            categories=["low", "medium", "high"],
            ordered=True,
        ),
    }
)
forgotten = (visits["wait"] > pd.Timedelta(days=28)) & (visits["urgency"] < "high")
far = visits["city"].isin(["Trier", "Jena", "Hof"])
reminders = visits["booked"] >= "2024-09-01"  # text messages since September
is_missed = (forgotten & far & ~reminders) ^ (rng.random(n) < 0.04)

clf = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=4)
clf.fit(visits, np.where(is_missed, "missed", "came"))
print(f"{clf.status_}: {clf.n_leaves_} leaves, objective {clf.objective_:.4f}")
ax = plot_tree(clf)
