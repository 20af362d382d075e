"""
A rare disease
==============

Four percent of the patients have the disease. A tree that predicts "healthy" for
everyone is 96 percent accurate and useless. Balanced accuracy gives both classes the
same weight: it is the mean of the fraction of sick patients who are found and the
fraction of healthy patients who are recognised as healthy.
"""

import warnings

import numpy as np
import pandas as pd
from sklearn.metrics import recall_score

from ostrya import OptimalTreeClassifier, TableWarning
from ostrya.export import plot_tree

rng = np.random.default_rng(7)
n = 3000
patients = pd.DataFrame(
    {
        "age": rng.integers(20, 90, n),
        "marker": rng.lognormal(1.0, 0.6, n).round(1),
        "fever": rng.random(n) < 0.2,
        "smoker": rng.random(n) < 0.3,
    }
)
at_risk = (patients["marker"] > 4) & ((patients["age"] > 60) | patients["smoker"])
is_sick = rng.random(n) < np.where(at_risk, 0.25, 0.01)
diagnosis = np.where(is_sick, "sick", "healthy")
print(f"{is_sick.mean():.1%} are sick")

# %%
# With accuracy, the best tree at this penalty is a single leaf, and a
# :class:`~ostrya.TableWarning` explains why. With balanced accuracy, the tree recovers
# the rule from which the data were generated.

models = {}
for objective in ("accuracy", "balanced_accuracy"):
    clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=3, objective=objective)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", TableWarning)
        models[objective] = clf.fit(patients, diagnosis)
    found = recall_score(diagnosis, clf.predict(patients), pos_label="sick")
    print(f"{objective}: {clf.n_leaves_} leaves, finds {found:.0%} of the sick")
    for warning in told:
        print("   ", warning.message)

ax = plot_tree(models["balanced_accuracy"])
