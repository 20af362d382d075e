"""
A spiral, guided by an ensemble
===============================

If a search over all thresholds takes too long, a boosted ensemble can suggest which
thresholds are worth searching (McTavish et al. 2022). The result is again a single
tree, with a bound on its distance from the best tree.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import GradientBoostingClassifier

from ostrya import OptimalTreeClassifier
from ostrya.guesses import Guess

# %%
# Two arms of fifty points each, as in Figure 6 of the paper.

turn = np.repeat(np.linspace(0.5, 3.5 * np.pi, 50), 2)
arm = np.tile([0, 1], 50)
radius = turn * np.where(arm == 1, 1, -1)
X = np.column_stack([radius * np.cos(turn), radius * np.sin(turn)])

reference = GradientBoostingClassifier(n_estimators=20, max_depth=3, random_state=0)
guess = Guess(reference, depth=False, check=False)
clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=None, guess=guess).fit(X, arm)

report = clf.guess_
assert report is not None  # there is one wherever guesses were asked for
print(f"{report.n_thresholds_before} thresholds, {report.n_thresholds_after} kept")
print(f"{clf.n_leaves_} leaves, {clf.score(X, arm):.0%} correct ({clf.status_})")
print(f"No tree over these thresholds is better by more than {report.guarantee:.4f}.")

# %%
# The tree divides the plane into boxes:

across, up = np.meshgrid(np.linspace(-12, 12, 300), np.linspace(-12, 12, 300))
shade = clf.predict(np.column_stack([across.ravel(), up.ravel()]))
figure, ax = plt.subplots(figsize=(4.5, 4.5), layout="constrained")
ax.contourf(across, up, shade.reshape(across.shape), levels=1, alpha=0.4)
ax.scatter(X[:, 0], X[:, 1], c=arm, s=12)
ax.set_aspect("equal")
