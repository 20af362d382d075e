"""What splits save under a measure, in floats: the same as in exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from export.trees import random_tree
from ostrya._solve.measures import FScore, RocArea
from ostrya.estimators import importances


@pytest.mark.parametrize(
    "measure", [FScore(Fraction(1)), FScore(Fraction(4)), RocArea(Fraction(1, 3))]
)
@given(st.integers(2, 12), st.integers(0, 10**6))
def test_floats_agree_with_fractions(measure, n_leaves, seed):
    tree = random_tree(n_leaves, n_classes=2, seed=seed)
    nodes = [(Fraction(n), Fraction(p)) for n, p in tree.value.tolist()]
    is_leaf = tree.feature < 0
    whole = measure.loss([nodes[k] for k in np.flatnonzero(is_leaf)])
    exact = []
    for split in np.flatnonzero(~is_leaf).tolist():
        inside = importances._subtree(tree, split)
        leaves = [k for k in np.flatnonzero(is_leaf).tolist() if k not in inside]
        exact.append(float(measure.loss([nodes[k] for k in [*leaves, split]]) - whole))
    found = importances.saved_by_splits(tree, measure)
    assert found == pytest.approx(exact, abs=1e-12)
