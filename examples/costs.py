"""A missed tumour costs ten false alarms: let the tree know."""

import numpy as np
from sklearn.datasets import load_breast_cancer

import ostrya
from ostrya.export import export_text

MALIGNANT, BENIGN = 0, 1

data = load_breast_cancer()
costs = np.zeros((2, 2))
costs[MALIGNANT, BENIGN] = 10  # missed
costs[BENIGN, MALIGNANT] = 1  # false alarm

for matrix in (None, costs):
    outcome = ostrya.solve(
        data.data, data.target, leaf_penalty=0.005, max_depth=2, cost_matrix=matrix
    )
    predicted = outcome.tree.predict(data.data)
    missed = np.sum((data.target == MALIGNANT) & (predicted == BENIGN))
    alarms = np.sum((data.target == BENIGN) & (predicted == MALIGNANT))
    names = list(data.feature_names), list(data.target_names)
    print(export_text(outcome.tree, *names))
    print(f"{missed} missed, {alarms} false alarms ({outcome.status})\n")
