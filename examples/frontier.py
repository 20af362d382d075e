"""
How many leaves?
================

A court wants to know what a rule about release can depend on, and how simple it can be.
A tree with three leaves can be explained in one sentence, a tree with eight cannot. The
frontier contains the best tree for every number of leaves, each with its proof. It
shows what each additional leaf is worth before anyone has to choose a penalty.
"""

import numpy as np
import pandas as pd

import ostrya
from ostrya.export import plot_frontier

rng = np.random.default_rng(2)
n = 2000
people = pd.DataFrame(
    {
        "age": rng.integers(18, 70, n),
        "priors": rng.poisson(2, n),
        "juvenile_offences": rng.poisson(0.3, n),
        "has_work": rng.integers(0, 2, n),
    }
)
risk = 0.1 + 0.45 * (people["priors"] > 3) + 0.4 * (people["juvenile_offences"] > 0)
risk += 0.5 * ((people["age"] < 26) & (people["has_work"] == 0))
comes_back = np.where(rng.random(n) < risk, "comes back", "stays away")

frontier = ostrya.frontier(people, comes_back, max_leaf_nodes=8, max_depth=3)
ax = plot_frontier(frontier)

# %%
# The table shows the same numbers, and the penalties for which each size is optimal. A
# size without penalties can only be obtained by limiting the number of leaves.

print(frontier)

# %%
# The tree with four leaves:

print(frontier.at_leaves(4).tree)
