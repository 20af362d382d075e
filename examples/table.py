"""
A table as it comes
===================

Credit applications contain numbers with missing values, categories, booleans and labels
that are words. You do not have to encode or impute anything. A missing value answers
"no" to every question except "is missing".
"""

import numpy as np
import pandas as pd

from ostrya import OptimalTreeClassifier
from ostrya.export import export_rules, plot_tree

rng = np.random.default_rng(3)
n = 1500
credit = pd.DataFrame(
    {
        "income": rng.lognormal(10.3, 0.5, n).round(-2),
        "purpose": rng.choice(["car", "house", "school", "debt", "travel"], n),
        "housing": rng.choice(["rent", "own", "family"], n),
        "has_savings": rng.random(n) < 0.4,
    }
)
credit.loc[rng.random(n) < 0.2, "income"] = None
is_risky = credit["purpose"].isin(["debt", "travel"]) & (credit["income"] < 40_000)
is_risky |= credit["income"].isna() & ~credit["has_savings"]
outcome = np.where(is_risky ^ (rng.random(n) < 0.05), "default", "repaid")
print(credit.head())

# %%
# Splits can use single categories, ``purpose = car``, or groups, ``purpose in {debt,
# travel}``.

clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=4).fit(credit, outcome)
print(export_rules(clf))
ax = plot_tree(clf, caption=True)

# %%
# A category that did not occur in training answers "no", too:

print(clf.predict(pd.DataFrame({**credit.iloc[0], "purpose": "boat"}, index=[0])))
