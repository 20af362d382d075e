"""Bad input gets one clear sentence, and never a wrong number."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

import ostrya
from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV, TopKTreeClassifier
from ostrya.guesses import ThresholdGuess
from ostrya.objectives import WeightedAccuracy
from ostrya.preprocessing import ThresholdBinarizer

X = np.arange(24.0).reshape(8, 3)
Y = np.array([0, 1] * 4)


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ({"leaf_penalty": -0.1}, ValueError, "leaf_penalty must be .*>= 0.*-0.1"),
        ({"leaf_penalty": "small"}, TypeError, "leaf_penalty must be"),
        ({"max_depth": -1}, ValueError, "max_depth must be"),
        ({"max_leaf_nodes": 0}, ValueError, "max_leaf_nodes must be"),
        ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf must be"),
        ({"time_limit": 0}, ValueError, "time_limit must be"),
        ({"memory_limit": 1}, ValueError, "memory_limit must be"),
        (
            {"objective": "gini"},
            ValueError,
            'objective must be "accuracy", .*got .gini',
        ),
        ({"objective": 3}, TypeError, 'objective must be "accuracy", .*got 3'),
        (
            {"objective": WeightedAccuracy(omega=1e308)},
            ValueError,
            "^objective must give the rows a .*finite total weight",
        ),
        (
            {"class_weight": {2: 1.0}},
            ValueError,
            "class_weight must only contain labels of y, .* got 2",
        ),
        ({"class_weight": {0: -1.0}}, ValueError, r"weight\[0\].*>= 0; got -1\.0"),
        ({"class_weight": {0: "2"}}, TypeError, r"class_weight\[0\].*got '2' \(str"),
        ({"class_weight": {0: "a"}}, TypeError, r"class_weight\[0\].*got 'a' \(str"),
        ({"class_weight": {0: [1]}}, TypeError, r"class_weight\[0\].*got \[1\] \(li"),
        ({"class_weight": {0: [1], 1: [2]}}, TypeError, r"class_weight\[0\].*\[1\]"),
        ({"class_weight": {0: 1j}}, TypeError, r"class_weight\[0\].*got 1j"),
        ({"class_weight": {0: True}}, TypeError, r"class_weight\[0\].*got True"),
        ({"class_weight": {1: np.nan}}, ValueError, r"class_weight\[1\].*got nan"),
        ({"class_weight": {1: 10**400}}, ValueError, r"class_weight\[1\].*got 100"),
        ({"class_weight": {1: 1e308}}, ValueError, "^class_weight must.*finite total"),
        ({"class_weight": {0: 0, 1: 0}}, ValueError, "^class_weight must.*positive"),
        ({"class_weight": "equal"}, TypeError, 'None, "balanced" or a dict'),
        ({"cost_matrix": [[0]]}, ValueError, r"shape \(2, 2\).*order of classes_"),
        ({"cost_matrix": [[0, -1], [1, 0]]}, ValueError, "cost_matrix must contain"),
        (
            {"cost_matrix": [[0, 1], [1]]},
            ValueError,
            r"cost_matrix must be an array .* equal lengths.*got \[\[0, 1\], \[1\]\]",
        ),
        (
            {"cost_matrix": np.ma.masked_equal([[0, 1], [2, 0]], 2)},
            ValueError,
            "cost_matrix must have no masked entries; got 1",
        ),
        ({"cost_matrix": [["0", "1"]] * 2}, TypeError, "cost_matrix must contain real"),
    ],
)
def test_parameters_out_of_range_are_turned_away(parameters, error, words):
    for kind in (OptimalTreeClassifier, TopKTreeClassifier):
        if parameters.keys() <= kind().get_params().keys():
            with pytest.raises(error, match=words):
                kind(**parameters).fit(X, Y)


def test_a_callback_that_cannot_be_called_is_refused():
    for kind in (OptimalTreeClassifier, TopKTreeClassifier):
        with pytest.raises(TypeError, match="on_progress must be a callable"):
            kind().fit(X, Y, on_progress=3)


def test_weighted_accuracy_wants_two_classes():
    clf = OptimalTreeClassifier(leaf_penalty=0.01, objective=WeightedAccuracy())
    with pytest.raises(ValueError, match=r"requires two classes.*y has 3"):
        clf.fit(X[:3], [0, 1, 2])


@pytest.mark.parametrize(
    ("weights", "error", "words"),
    [
        (np.zeros(8), ValueError, "positive for at least one row"),
        (np.full(8, -1.0), ValueError, ">= 0; got -1"),
        (np.full(8, 1e308), ValueError, "finite total.*got inf"),
        (np.ones(7), ValueError, r"shape \(8,\).*got shape \(7,\)"),
        (5, ValueError, r"shape \(8,\).*got shape \(\)"),
        (np.full(8, np.nan), ValueError, r"finite.*got nan at sample_weight\[0\]"),
        (["1"] * 8, TypeError, "numbers >= 0; got list with dtype <U1"),
        (list("abcdabcd"), TypeError, "numbers >= 0; got list with dtype <U1"),
        (np.ones(8) * 1j, TypeError, "numbers >= 0; got ndarray with dtype complex"),
        ([1.0] * 7 + ["1"], TypeError, "numbers >= 0; got"),
        (np.array([1, "1"] * 4, dtype=object), TypeError, r"\[1\] must.*got '1' \(str"),
        ([1] * 7 + [None], TypeError, r"\[7\] must be a .*number.*None"),
        ([1] * 7 + [10**400], ValueError, r"\[7\] must be a finite.*got 1000"),
        ([[1], [1, 2]] * 4, ValueError, "equal lengths"),
        (np.ma.masked_equal([1.0, 2.0] * 4, 2), ValueError, "no masked.*got 4"),
    ],
)
def test_weights_out_of_range_are_turned_away(weights, error, words):
    for kind in (OptimalTreeClassifier, TopKTreeClassifier, ThresholdGuess):
        with pytest.raises(error, match=f"^sample_weight.*{words}"):
            kind().fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    "weights",
    [
        [1, 2] * 4,
        np.array([1, 2.0] * 4, dtype=object),
        pd.Series([1, 2] * 4, dtype="Int64"),
        pl.Series([1.0, 2.0] * 4),
        np.ma.array([1.0, 2.0] * 4),
    ],
)
def test_weights_of_any_kind_of_number_are_weights(weights):
    expected = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        X, Y, np.array([1.0, 2.0] * 4)
    )
    assert (
        OptimalTreeClassifier(leaf_penalty=0.01).fit(X, Y, weights).tree_
        == expected.tree_
    )


def test_a_class_too_light_to_balance_is_turned_away():
    weights = np.where(Y == 0, 5e-324, 1e300)
    clf = OptimalTreeClassifier(leaf_penalty=0.01, objective="balanced_accuracy")
    with pytest.raises(ValueError, match=r"^objective must give.*finite total"):
        clf.fit(X, Y, weights)
    with pytest.raises(ValueError, match=r"^class_weight must give.*finite total"):
        OptimalTreeClassifier(class_weight="balanced").fit(X, Y, weights)


def test_masked_entries_are_turned_away():
    table = np.ma.masked_equal(X, 4.0)
    message = r"X must have no masked entries; got 1\. Use NaN"
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, Y)
    for call in (lambda: clf.fit(table, Y), lambda: clf.predict(table)):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(ValueError, match=message):
        ThresholdBinarizer().fit(list(table), Y)
    labels = np.ma.array(Y, mask=Y == 1)
    with pytest.raises(
        ValueError, match=r"y must have no masked entries; got 4\. Drop"
    ):
        clf.fit(X, labels)


def test_ragged_labels_are_turned_away():
    with pytest.raises(
        ValueError,
        match=r"y must be an array whose rows have equal.*got \[\[0\], ",
    ):
        OptimalTreeClassifier(leaf_penalty=0.01).fit(X, [[0], [0, 1]] * 4)


def test_a_masked_array_with_nothing_masked_is_an_array():
    expected = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, Y)
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(np.ma.array(X), np.ma.array(Y))
    assert clf.tree_ == expected.tree_
    labels = clf.predict(np.ma.array(X))
    assert type(labels) is np.ndarray
    np.testing.assert_array_equal(labels, expected.predict(X))


def test_numbers_beyond_any_float_are_turned_away():
    rows = [[10**400 if i == 7 else i] for i in range(8)]
    message = "column 'x0' must contain numbers within the range of float64; got 1000"
    with pytest.raises(ValueError, match=message):
        OptimalTreeClassifier(leaf_penalty=0.01).fit(rows, Y)
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        [[i] for i in range(8)], [0] * 4 + [1] * 4
    )
    for wrong in (rows, np.array(rows, dtype=object), pd.DataFrame(rows)):
        with pytest.raises(
            ValueError, match=r"column '.*' must contain numbers.*got 1000"
        ):
            clf.predict(wrong)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (np.where(X == 4, np.inf, X), "infinity"),
        (X[:0], "0 sample"),
        (X[:, :0], "0 feature"),
        (X[:, 0], "Reshape your data"),
        (X.astype(complex), "[Cc]omplex"),
        (
            [[1, 2], [3]],
            r"X must be an array whose rows have equal.*got \[\[1, 2\], \[3\]\]",
        ),
    ],
)
def test_tables_out_of_shape_are_turned_away(table, words):
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier(leaf_penalty=0.01).fit(table, Y[: len(table)])


def sparse_columns(table):
    return pd.DataFrame(table).astype(pd.SparseDtype(float, 0.0))


@pytest.mark.parametrize(
    "kind",
    [sparse.csr_matrix, sparse.coo_array, sparse_columns],
    ids=["matrix", "array", "dataframe"],
)
def test_sparse_tables_are_made_dense(kind):
    labels = X[:, 0] > 10
    expected = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, labels)
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(kind(X), labels)
    assert clf.objective_ == expected.objective_
    assert clf.score(kind(X), labels) == 1
    assert ThresholdBinarizer().fit_transform(kind(X)).shape == (8, 21)


def test_sparse_tables_beyond_the_memory_are_turned_away():
    vast = sparse.csr_matrix((8, 10**9))
    message = r"memory_limit=33554432 .*8 x 1,000,000,000 numbers.* requires 59\.6 GiB"
    with pytest.raises(ValueError, match=message):
        OptimalTreeClassifier(memory_limit=2**25).fit(vast, Y)
    with pytest.raises(ValueError, match="half of the memory, as a dense array"):
        ThresholdBinarizer().fit(sparse.csr_matrix((10**6, 10**8)))
    wide = pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix((10**6, 9)))
    with pytest.raises(ValueError, match=r"a dataframe with sparse columns of 1,0"):
        OptimalTreeClassifier(memory_limit=2**25).fit(wide, np.arange(10**6) % 2)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
def test_asking_before_fitting_is_turned_away(method):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(OptimalTreeClassifier(), method)(X)


@pytest.mark.parametrize("columns", [slice(2), [0, 1, 2, 2]])
def test_another_number_of_columns_is_turned_away(columns):
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, Y)
    with pytest.raises(ValueError, match="expecting 3 features"):
        clf.predict(X[:, columns])


def test_other_names_are_turned_away():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(frame, Y)
    for names in (["a", "b", "d"], ["b", "a", "c"]):
        with pytest.raises(ValueError, match="feature names"):
            clf.predict(frame.set_axis(names, axis=1))


def test_other_names_are_turned_away_whatever_the_library():
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        pl.DataFrame(X, schema=["a", "b", "c"]), Y
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # older scikit-learn reads no names of polars
        with pytest.raises(ValueError, match="feature names"):
            clf.predict(pl.DataFrame(X, schema=["b", "a", "c"]))


def test_infinity_is_turned_away_when_predicting():
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, X[:, 0] > 10)
    with pytest.raises(ValueError, match="infinity"):
        clf.predict([[np.inf, 0.0, 0.0]])


def objects(*items):
    """Return an array of the items, whatever they are, each of them twice."""
    array = np.empty(2 * len(items), dtype=object)
    array[:] = items * 2
    return array


@pytest.mark.parametrize(
    ("labels", "error", "words"),
    [
        (objects(1, "1"), TypeError, "mixture of int and str"),
        (objects((1,), (2,)), ValueError, r"label type: tuple.*got \(1,\)"),
        (objects(10**30, 10**31), ValueError, "64-bit integers"),
        (objects(object(), 1), ValueError, "label type: int and object"),
    ],
)
def test_labels_that_cannot_be_told_apart_or_ordered_are_named(labels, error, words):
    """Messages of other libraries came through: "object too deep for desired array"."""
    with pytest.raises(error, match=words):
        OptimalTreeClassifier(leaf_penalty=0.01).fit(
            [[0.0], [1.0], [2.0], [3.0]], labels
        )


def test_numbers_of_several_types_are_labels():
    model = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        [[0.0], [1.0], [2.0], [3.0]], objects(1, 2.0)
    )
    assert model.classes_.tolist() == [1.0, 2.0]


def test_too_many_labels_are_counted():
    """The message spoke of class codes, and told to make what was there already."""
    table, codes = np.arange(3300.0)[:, None], np.arange(3300) % 1100
    message = r"y must contain at most 1,024 different classes; got 1,100"
    with pytest.raises(ValueError, match=message):
        OptimalTreeClassifier(leaf_penalty=0.01).fit(
            table, [f"n{code}" for code in codes]
        )
    with pytest.raises(ValueError, match=message):
        ostrya.solve(table, codes)
    with pytest.raises(ValueError, match=r"codes from 0 to 1023; got 2000. Encode"):
        ostrya.solve([[0], [1]], [0, 2000])


@pytest.mark.parametrize(
    "make", [OptimalTreeClassifier, TopKTreeClassifier, OptimalTreeClassifierCV]
)
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_name_of_a_column_as_y_of_a_table_in_memory(make, frame):
    table = frame({"a": [1, 2, 3, 4] * 5, "t": [0, 1, 1, 0] * 5})
    with pytest.raises(ValueError, match=r"^y must .* got 't'.*lazy.*y=X\['t'\]"):
        make().fit(table, y="t")
    with pytest.raises(ValueError, match=r"^sample_weight must .* got 'a'"):
        make().fit(table, [0, 1, 1, 0] * 5, sample_weight="a")


@pytest.mark.parametrize(
    "make", [OptimalTreeClassifier, TopKTreeClassifier, OptimalTreeClassifierCV]
)
def test_two_columns_of_one_name_leaked_an_error_of_narwhals(make):
    twins = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
    with pytest.raises(
        ValueError,
        match="distinct column names; got 2 columns named 'a'",
    ):
        make().fit(twins, [0, 1])
    with pytest.raises(
        ValueError,
        match="distinct column names; got 2 columns named 'a'",
    ):
        ostrya.preprocessing.compress(twins, "a")


def test_infinity_in_an_array_had_no_place_and_no_remedy():
    words = "Input X contains infinity in column 1, row 2. Replace it by"
    rows = [[1.0, 2.0], [np.nan, 3.0], [1.0, -np.inf]]
    for given in (rows, np.array(rows), np.array(rows, dtype=np.float32)):
        with pytest.raises(ValueError, match=words):
            OptimalTreeClassifier(leaf_penalty=0.01).fit(given, [0, 1, 0])
        with pytest.raises(ValueError, match=words):
            OptimalTreeClassifier(leaf_penalty=0.01).fit(np.eye(2), [0, 1]).predict(
                given
            )
