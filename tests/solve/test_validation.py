"""Bad input is turned away with a message that helps; odd but good input is not."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from scipy.sparse import csr_array

import ostrya
from ostrya._solve.options import OPTIONS
from ostrya.top_k import TopKSplits

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
Y = np.array([0, 0, 1, 1])
TREE = ostrya.solve(X, Y, leaf_penalty=0.01).tree
NAN, INF = float("nan"), float("inf")


def with_value(value):
    bad = X.copy()
    bad[2, 1] = value
    return bad


def masked(values):
    """Return the values with the last one masked."""
    mask = np.zeros(values.shape, dtype=bool)
    mask.flat[-1] = True
    return np.ma.array(values, mask=mask)


WRONG = {
    # name: (arguments, error, what the message must say)
    "X NaN": ({"X": with_value(NAN)}, ValueError, r"X must.*finite.*nan.*X\[2, 1\]"),
    "X inf": ({"X": with_value(-INF)}, ValueError, r"X must.*finite.*-inf"),
    "X 1-D": ({"X": X[:, 0]}, ValueError, r"X must have 2 dim.*\(4,\).*reshape"),
    "X 3-D": ({"X": X[None]}, ValueError, r"X must have 2 dim.*\(1, 4, 2\)"),
    "X empty": ({"X": X[:0], "y": Y[:0]}, ValueError, r"X must.*one row.*\(0, 2\)"),
    "X text": ({"X": X.astype(str)}, TypeError, r"X must contain real numbers.*<U"),
    "X objects": ({"X": X.astype(object)}, TypeError, r"X must contain real.*object"),
    "X complex": ({"X": X * 1j}, TypeError, r"X must contain real numbers.*complex"),
    "X ragged": (
        {"X": [[1, 2], [3]]},
        ValueError,
        r"X must be an array whose rows have equal lengths",
    ),
    "X no rows": ({"X": []}, ValueError, r"X must have 2 dim.*got shape \(0,\)$"),
    "X scipy": ({"X": csr_array(X)}, TypeError, r"dense.*csr_array.*X\.toarray\(\)"),
    "X masked": (
        {"X": masked(X)},
        ValueError,
        r"X must.*no masked.*got 1\..*X\.filled",
    ),
    "X masked rows": ({"X": list(masked(X))}, ValueError, r"X must.*no masked.*got 1"),
    "y masked": ({"y": masked(Y)}, ValueError, r"y must have no masked.*got 1.*drop"),
    "weights masked": (
        {"sample_weight": masked(Y + 1.0)},
        ValueError,
        r"sample_weight must have no masked entries; got 1",
    ),
    "X vast": ({"X": [[10**400]] * 4}, TypeError, r"X must contain real.*object"),
    "X None": ({"X": None}, TypeError, r"X must contain real numbers; got NoneType"),
    "y long": (
        {"y": [0, 1, 0, 1, 1]},
        ValueError,
        r"one code per row of X \(4\); got 5",
    ),
    "y 2-D": ({"y": Y[:, None]}, ValueError, r"y must have 1 dimension; got.*\(4, 1\)"),
    "y float": ({"y": Y * 1.0}, TypeError, r"y must contain integer.*float64.*unique"),
    "y text": ({"y": list("aabb")}, TypeError, r"integer.*list.*<U1.*numpy\.unique"),
    "y empty": (
        {"y": []},
        ValueError,
        r"y must have one code per row of X \(4\); got 0",
    ),
    "y None": ({"y": None}, TypeError, r"y must contain integer class codes.*NoneType"),
    "y negative": ({"y": [-1, 1, 1, -1]}, ValueError, r"y must.* 0 to 1023; got -1"),
    "y sparse": ({"y": [0, 1, 2, 9999]}, ValueError, r"y must.*got 9999.*unique"),
    "y beyond costs": (
        {"y": [0, 1, 2, 2], "cost_matrix": 1 - np.eye(2)},
        ValueError,
        r"y must contain class codes from 0 to 1; got 2",
    ),
    "penalty negative": ({"leaf_penalty": -0.1}, ValueError, r">= 0, .*; got -0\.1"),
    "penalty NaN": ({"leaf_penalty": NAN}, ValueError, r"leaf_penalty.*got nan"),
    "penalty inf": ({"leaf_penalty": INF}, ValueError, r"leaf_penalty.*got inf"),
    "penalty huge": (
        {"leaf_penalty": 1e30},
        ValueError,
        r"leaf_penalty must be less than the largest cost",
    ),
    "penalty vast": ({"leaf_penalty": 10**400}, ValueError, r"leaf_penalty must be a"),
    "penalty None": (
        {"leaf_penalty": None},
        TypeError,
        r"leaf_penalty.*\(NoneType",
    ),
    "penalty text": ({"leaf_penalty": "0.1"}, TypeError, r"leaf_penalty.*'0\.1' \(str"),
    "depth negative": (
        {"max_depth": -1},
        ValueError,
        r"max_depth.*>= 0, .auto.*or None.*-1",
    ),
    "depth float": ({"max_depth": 2.0}, TypeError, r"max_depth must be an integer"),
    "depth bool": ({"max_depth": True}, TypeError, r"max_depth.*got True \(bool\)"),
    "leaves zero": (
        {"max_leaf_nodes": 0},
        ValueError,
        r"max_leaf_nodes.*>= 1, or None.*0",
    ),
    "support zero": ({"min_samples_leaf": 0}, ValueError, r"min_samples_leaf.*>= 1"),
    "support share": (
        {"min_samples_leaf": 0.1},
        TypeError,
        r"min_samples.*integer",
    ),
    "no time": ({"time_limit": 0}, ValueError, r"time_limit.*> 0, or None.*got 0"),
    "time NaN": ({"time_limit": NAN}, ValueError, r"time_limit.*got nan"),
    "no memory": ({"memory_limit": 2**20}, ValueError, r"memory_limit.*>= 33554432"),
    "memory text": ({"memory_limit": "1G"}, TypeError, r"memory_limit.*'1G' \(str\)"),
    "upper NaN": ({"upper_bound": NAN}, ValueError, r"upper_bound.*got nan"),
    "weights short": (
        {"sample_weight": [1, 2]},
        ValueError,
        r"shape \(4,\), one weight per row.*got shape \(2,\)",
    ),
    "weights negative": (
        {"sample_weight": [1, 2, -3, 1]},
        ValueError,
        r"sample_weight must contain numbers >= 0; got -3",
    ),
    "weights NaN": ({"sample_weight": [1, NAN, 1, 1]}, ValueError, r"weight\[1\]"),
    "weights zero": (
        {"sample_weight": np.zeros(4)},
        ValueError,
        r"positive for at least one row",
    ),
    "weights vast": ({"sample_weight": [1e308] * 4}, ValueError, r"finite.*got inf"),
    "weights text": (
        {"sample_weight": "ones"},
        TypeError,
        r"sample_weight must contain",
    ),
    "class_weight word": ({"class_weight": "even"}, TypeError, r"balanced.*'even'"),
    "class_weight list": ({"class_weight": [1, 2]}, TypeError, r"dict.*\[1, 2\]"),
    "class_weight code": (
        {"class_weight": {5: 1}},
        ValueError,
        r"0\.\.1 as keys.*5",
    ),
    "class_weight text": ({"class_weight": {0: "1"}}, TypeError, r"class_weight\[0\]"),
    "class_weight vast": (
        {"class_weight": {1: 10**400}},
        ValueError,
        r"class_weight\[1\] must be a finite number >= 0; got 1000+\.\.\.",
    ),
    "class_weight endless": (
        {"class_weight": {1: 10**5000}},
        ValueError,
        r"class_weight\[1\] must be a finite number >= 0; got ",
    ),
    "class_weight NaN": ({"class_weight": {1: NAN}}, ValueError, r"\[1\].*got nan"),
    "class_weight bool": ({"class_weight": {0: True}}, TypeError, r"True \(bool\)"),
    "class_weight claim": ({"class_weight": {True: 2}}, TypeError, r"True \(bool\)"),
    "class_weight name": ({"class_weight": {"a": 2}}, TypeError, r"keys.*'a' \(str\)"),
    "class_weight negative": ({"class_weight": {1: -1}}, ValueError, r">= 0; got -1"),
    "class_weight zero": (
        {"class_weight": {0: 0, 1: 0}},
        ValueError,
        r"class_weight must give.*positive.*got 0",
    ),
    "costs scalar": ({"cost_matrix": 5}, ValueError, r"2 dimensions; got shape \(\)$"),
    "costs ragged": (
        {"cost_matrix": [[0, 1], [1]]},
        ValueError,
        r"cost_.*equal lengths.*\[1",
    ),
    "costs oblong": ({"cost_matrix": np.ones((2, 3))}, ValueError, r"square.*\(2, 3\)"),
    "costs empty": ({"cost_matrix": np.ones((0, 0))}, ValueError, r"square.*\(0, 0\)"),
    "costs negative": ({"cost_matrix": [[0, 1], [-1, 0]]}, ValueError, r">= 0; got -1"),
    "costs NaN": ({"cost_matrix": [[0, NAN], [1, 0]]}, ValueError, r"matrix\[0, 1\]"),
    "warm start kind": ({"warm_start": 0.5}, TypeError, r"warm_start.*Tree.*0\.5"),
    "warm start width": (
        {"X": X[:, :1], "warm_start": TREE},
        ValueError,
        r"warm_start must have 1 features, as X has; got 2",
    ),
    "warm start depth": (
        {"warm_start": TREE, "max_depth": 0},
        ValueError,
        r"warm_start must have at most depth max_depth=0; got 1",
    ),
    "warm start leaves": (
        {"warm_start": TREE, "max_leaf_nodes": 1},
        ValueError,
        r"warm_start must have at most max_leaf_nodes=1 leaves; got 2",
    ),
    "warm start support": (
        {"warm_start": TREE, "min_samples_leaf": 3},
        ValueError,
        r"warm_start must have min_samples_leaf=3 rows of X in every leaf; got 2",
    ),
    "reference short": (
        {"reference_labels": [0]},
        ValueError,
        r"reference_.*got 1",
    ),
    "reference code": (
        {"reference_labels": [0, 1, 2, 0]},
        ValueError,
        r"reference_labels must contain class codes from 0 to 1; got 2",
    ),
    "reference text": (
        {"reference_labels": list("aabb")},
        TypeError,
        r"reference_labels must contain integer.*codes that y has",
    ),
    "callback": ({"on_progress": 3}, TypeError, r"on_progress must be a callable.*3"),
    "criterion kind": (
        {"top_k": TopKSplits(criterion=3)},
        TypeError,
        r"criterion must.*3",
    ),
    "candidates kind": (
        {"top_k": TopKSplits(candidates=3)},
        TypeError,
        r"candidates must",
    ),
    "engine kind": ({"engine": 5}, TypeError, r"engine must be one of.*None; got 5"),
    "policy kind": ({"policy": 5}, TypeError, r"policy must be one of.*None; got 5"),
    "objective kind": ({"objective": 5}, TypeError, r"objective.*callable.*got 5"),
    "bounds": (
        {"bounds": {"support": False}},
        TypeError,
        r"bounds.*ostrya\.bounds\.Bounds",
    ),
}


@pytest.mark.parametrize(("changed", "error", "words"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_named(changed, error, words):
    arguments = {"X": X, "y": Y, **changed}
    with pytest.raises(error, match=words):
        ostrya.solve(**arguments)


@pytest.mark.parametrize("kind", [ostrya.bounds.Bounds, ostrya.bounds.LeafSetBounds])
@pytest.mark.parametrize("switch", [5, "x", None, 0.0])
def test_switches_are_claims(kind, switch):
    engine = "columns" if kind is ostrya.bounds.Bounds else "leaf_sets"
    with pytest.raises(TypeError, match=r"bounds\.look_ahead must be True or False"):
        ostrya.solve(
            X, Y, leaf_penalty=0.01, engine=engine, bounds=kind(look_ahead=switch)
        )
    numpy_switch = kind(look_ahead=np.False_)
    off = ostrya.solve(X, Y, leaf_penalty=0.01, engine=engine, bounds=numpy_switch)
    assert off.tree == ostrya.solve(X, Y, leaf_penalty=0.01, engine=engine).tree


def test_a_masked_array_with_nothing_masked_is_an_array():
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    given = (np.ma.array(values) for values in (X, Y, weights))
    rows, labels, weighed = given
    outcome = ostrya.solve(rows, labels, leaf_penalty=0.01, sample_weight=weighed)
    assert (
        outcome.tree
        == ostrya.solve(X, Y, leaf_penalty=0.01, sample_weight=weights).tree
    )
    assert type(outcome.tree.predict(rows)) is np.ndarray


@pytest.mark.parametrize("name", OPTIONS)
def test_signature_has_the_defaults_of_the_table(name):
    assert inspect.signature(ostrya.solve).parameters[name].default == (
        OPTIONS[name].default
    )


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float32, np.float16])
def test_numeric_kinds_give_one_answer(dtype):
    matrix = (X > 1).astype(dtype)
    assert (
        ostrya.solve(matrix, Y, leaf_penalty=0.01).objective
        == ostrya.solve(X > 1, Y, leaf_penalty=0.01).objective
    )


def test_arguments_are_left_as_they_were():
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    kept = X.copy(), Y.copy(), weights.copy()
    ostrya.solve(
        X, Y, leaf_penalty=0.01, sample_weight=weights, class_weight="balanced"
    )
    for now, before in zip((X, Y, weights), kept, strict=True):
        np.testing.assert_array_equal(now, before)


def test_one_class_gives_a_lone_leaf():
    outcome = ostrya.solve(X, np.zeros(4, dtype=int))
    assert (outcome.n_leaves, outcome.loss, outcome.is_optimal) == (1, 0.0, True)


def test_one_row_gives_a_lone_leaf():
    outcome = ostrya.solve([[5.0]], [2])
    assert outcome.n_leaves == 1
    assert outcome.tree.predict([[0.0]]).tolist() == [2]


def test_no_features_give_a_lone_leaf():
    outcome = ostrya.solve(np.empty((3, 0)), [0, 1, 1])
    assert (outcome.n_leaves, outcome.is_optimal) == (1, True)


def test_constant_columns_are_of_no_use():
    outcome = ostrya.solve(np.ones((4, 3)), Y)
    assert (outcome.n_leaves, outcome.loss) == (1, 0.5)


def test_duplicate_columns_change_nothing():
    outcome = ostrya.solve(np.hstack([X, X]), Y, leaf_penalty=0.01)
    assert outcome.objective == ostrya.solve(X, Y, leaf_penalty=0.01).objective


def test_limits_beyond_any_tree_are_no_limits():
    vast = ostrya.solve(
        X,
        Y,
        leaf_penalty=0.01,
        max_depth=10**30,
        max_leaf_nodes=10**30,
        time_limit=1e300,
        memory_limit=10**30,
    )
    assert vast.tree == ostrya.solve(X, Y, leaf_penalty=0.01).tree


def test_more_rows_a_leaf_than_there_are_gives_a_lone_leaf():
    assert ostrya.solve(X, Y, min_samples_leaf=10**30).n_leaves == 1


LAYOUTS = {
    "lists": lambda X: X.tolist(),
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "every other row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "unaligned": lambda X: np.frombuffer(b" " + X.tobytes(), offset=1).reshape(X.shape),
    "float32": lambda X: X.astype(np.float32),
    "swapped bytes": lambda X: X.astype(">f8"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_of_the_matrix_changes_nothing(layout):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 4, (60, 3)).astype(float) / 4
    y = ((X[:, 0] > 0.3) ^ (X[:, 2] > 0.5)).astype(int)
    given = LAYOUTS[layout](X)
    for engine in ("columns", "leaf_sets"):
        expected = ostrya.solve(X, y, leaf_penalty=0.01, engine=engine)
        found = ostrya.solve(given, y, leaf_penalty=0.01, engine=engine)
        assert found.tree.to_dict() == expected.tree.to_dict()


def test_the_two_zeros_are_one_value():
    X = np.array([[0.0], [-0.0], [0.0], [-0.0]])
    outcome = ostrya.solve(X, [0, 1, 0, 1], leaf_penalty=0.0)
    assert outcome.statistics.n_groups <= 1
    assert outcome.objective == 0.5
