"""The mixed-integer program of BinOCT has our optimum within the same depth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrya
from benchmarks.binoct.program import leaf_of, leaves_below, program

scipy_optimize = pytest.importorskip("scipy.optimize")
sparse = pytest.importorskip("scipy.sparse")


def solved(model):
    """Solve a program by the copy of HiGHS in SciPy."""
    shape = len(model.lower), len(model.cost)
    matrix = sparse.csc_array((model.values, model.places, model.starts), shape=shape)
    found = scipy_optimize.milp(
        model.cost,
        integrality=model.is_integer.astype(int),
        bounds=scipy_optimize.Bounds(0, model.top),
        constraints=scipy_optimize.LinearConstraint(matrix, model.lower, model.upper),
        options={"mip_rel_gap": 0.0},
    )
    assert found.status == 0
    return found


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(2, 3),
    st.sampled_from([0.0, 0.02, 0.1]),
)
def test_the_program_has_the_optimum(seed, n_columns, depth, n_classes, penalty):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (14, n_columns)).astype(bool)
    y = rng.integers(0, n_classes, 14)
    y[:n_classes] = range(n_classes)
    model = program(X, y, depth, penalty)
    found = solved(model)
    ours = ostrya.solve(X.astype(float), y, leaf_penalty=penalty, max_depth=depth)
    assert found.fun / len(y) >= ours.objective - 1e-6
    # The root always asks a column, so a lone leaf needs a column that never changes.
    if ours.n_leaves > 1 or any(len(np.unique(column)) == 1 for column in X.T):
        assert found.fun / len(y) == pytest.approx(ours.objective, abs=1e-6)
    features, classes = model.tree(found.x)
    leaves = leaf_of(X, features, depth)
    error = np.mean(classes[leaves] != y)
    objective = error + penalty * len(np.unique(leaves))
    assert objective == pytest.approx(found.fun / len(y), abs=1e-6)


def test_leaves_below_nodes_are_counted_from_the_left():
    assert [tuple(map(list, leaves_below(node, 2))) for node in range(3)] == [
        ([0, 1], [2, 3]),
        ([0], [1]),
        ([2], [3]),
    ]
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    assert leaf_of(X, np.array([0, 1, 1]), 2).tolist() == [0, 1, 2, 3]
