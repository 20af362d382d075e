"""Categories as codes give the same outcome as one column for every level."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from ostrya._coded_matrix import CodedMatrix, count_values
from ostrya._ctrl_c import CtrlC
from ostrya._frontier import find_frontier
from ostrya._solve.engine import equal_rows, rank_rows
from ostrya._solve.limits import Limits
from ostrya._solve.settings import check_settings
from ostrya._solve.training_data import TrainingData
from ostrya._solver import find_tree
from ostrya._tree_shape import RowRouter, TreeShape
from ostrya.preprocessing import TableEncoder
from ostrya.preprocessing.groups import ClassWeights
from ostrya.preprocessing.hints import TableHints
from ostrya.top_k import TopKSplits

PLAIN = {
    "max_leaf_nodes": None,
    "min_samples_leaf": 1,
    "time_limit": None,
    "memory_limit": None,
    "on_progress": None,
}

# Arguments of a search; "weights", "costs" and "n_classes" are of its data.
SEARCHES = {
    "default": {"max_depth": "auto"},
    "depth 2": {"max_depth": 2},
    "weights": {"max_depth": 3, "weights": True},
    "three classes": {"max_depth": 2, "n_classes": 3},
    "costs": {"max_depth": 2, "n_classes": 3, "costs": True},
    "large leaves": {"max_depth": None, "min_samples_leaf": 7},
    "few leaves": {"max_depth": None, "max_leaf_nodes": 4},
    "no penalty": {"max_depth": 2, "leaf_penalty": 0.0},
    "top splits": {"max_depth": 3, "top_k": TopKSplits(k=3)},
    "top features": {"max_depth": 3, "top_k": TopKSplits(k=0.3, candidates="features")},
    "top share": {"max_depth": 3, "top_k": TopKSplits(k=0.1), "weights": True},
    "threads": {"max_depth": None, "n_jobs": 2},
    "leaf sets": {"max_depth": 2, "engine": "leaf_sets"},
    "ROC area": {"max_depth": 1, "objective": "auc"},
    "F-score": {"max_depth": 2, "objective": "f1"},
    "callable": {"max_depth": 2, "objective": lambda fp, fn: fp + 2 * fn},
}


def table(seed, n_rows=90):
    """Return rows of categories, some missing, beside numbers and a truth value."""
    random = np.random.default_rng(seed)
    cities = np.array([f"c{at}" for at in range(random.integers(2, 9))], dtype=object)
    city = random.choice(cities, n_rows)
    many = np.array([f"m{at:02}" for at in range(25)], dtype=object)[
        random.integers(0, 25, n_rows)
    ]
    gaps = random.choice(np.array(["a", "b", "c", "d", "e", None], object), n_rows)
    truth = random.choice(np.array([True, False, None], object), n_rows)
    number = random.integers(0, 6, n_rows).astype(object)
    number[random.random(n_rows) < 0.1] = None
    rows = list(map(list, zip(city, many, gaps, truth, number, strict=True)))
    share = 0.15 + 0.6 * (city == cities[0]) + 0.2 * (gaps == "a")
    labels = (random.random(n_rows) < share).astype(np.int32)
    return rows, labels


def both(seed, n_classes=2, weights=False, costs=False, leaf_penalty=0.03):
    """Return the same training data with codes, and with a column for every level."""
    rows, labels = table(seed)
    random = np.random.default_rng(seed + 1000)
    if n_classes > 2:
        labels = labels + (random.random(len(labels)) < 0.3).astype(np.int32)
    mass = random.integers(1, 5, len(labels)) / 2 if weights else None
    known = ClassWeights(labels.astype(np.intp), mass)
    encoder, matrix = TableEncoder.read(rows, None, known, TableHints())
    assert isinstance(matrix, CodedMatrix)
    dense = encoder.encode(rows)
    coded = TrainingData(
        X=matrix,
        codes=labels,
        n_classes=n_classes,
        weights=mass,
        costs=random.integers(0, 4, (n_classes, n_classes)) / 1.0 if costs else None,
        leaf_penalty=leaf_penalty,
    )
    return coded, replace(coded, X=dense)


def facts(outcome):
    """Return all that a search tells but the time it took."""
    took = outcome.statistics
    return {
        "tree": str(outcome.tree),
        **{name: str(array) for name, array in outcome.tree.shape.items()},
        "counts": outcome.tree.value.tolist(),
        "objective": outcome.objective,
        "lower_bound": outcome.lower_bound,
        "status": outcome.status,
        "proved_depth": outcome.proved_depth,
        "size": (took.n_groups, took.n_columns, took.n_thresholds),
    }


@pytest.mark.parametrize("seed", range(8))
def test_a_coded_matrix_is_the_encoded_table(seed):
    coded, dense = both(seed)

    assert coded.X.shape == dense.X.shape
    np.testing.assert_array_equal(np.asarray(coded.X), dense.X)
    np.testing.assert_array_equal(count_values(coded.X), count_values(dense.X))
    some = np.random.default_rng(seed).integers(0, len(dense.X), 20)
    np.testing.assert_array_equal(np.asarray(coded.X[some]), dense.X[some])
    column = dense.X.shape[1] - 1
    np.testing.assert_array_equal(coded.X[some, column], dense.X[some, column])
    assert coded.X.cells.shape[1] < 10 < dense.X.shape[1]


@pytest.mark.parametrize("seed", range(8))
def test_rows_sort_and_agree_by_cells_as_by_columns(seed):
    coded, dense = both(seed)

    by_cells = np.lexsort(coded.X.cells.T[::-1])
    assert by_cells.tolist() == np.lexsort(dense.X.T[::-1]).tolist()
    assert equal_rows(coded, None).tolist() == equal_rows(dense, None).tolist()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", SEARCHES)
def test_codes_give_the_outcome_of_plain_columns(name, seed):
    settings = dict(SEARCHES[name])
    keys = ("n_classes", "weights", "costs", "leaf_penalty")
    given = {key: settings.pop(key) for key in keys if key in settings}

    found = [
        facts(
            find_tree(
                data, check_settings(data, **{**PLAIN, **settings}), time.perf_counter()
            )
        )
        for data in both(seed, **given)
    ]

    assert found[0] == found[1]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("is_ranked", [False, True])
def test_codes_give_the_frontier_of_plain_columns(seed, is_ranked):
    found = []
    for data in both(seed, leaf_penalty=0.0):
        settings = check_settings(
            data, **{**PLAIN, "max_leaf_nodes": 5}, max_depth=None
        )
        ranking = rank_rows(data.X, Limits(), CtrlC()) if is_ranked else None
        frontier = find_frontier(data, settings, time.perf_counter(), ranking)
        found.append(
            [(p.n_leaves, p.loss, p.lower_bound, str(p.tree)) for p in frontier.points]
        )

    assert found[0] == found[1]


def test_a_checkpoint_of_plain_columns_serves_codes(tmp_path):
    file = tmp_path / "facts"
    coded, dense = both(3)
    first = {**PLAIN, "max_depth": 3, "checkpoint": file}

    before = find_tree(dense, check_settings(dense, **first), time.perf_counter())
    after = find_tree(coded, check_settings(coded, **first), time.perf_counter())

    assert facts(after) == facts(before)


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_codes_reach_the_leaves_of_plain_columns(seed):
    coded, dense = both(seed)
    settings = check_settings(dense, **PLAIN, max_depth=3)
    shape = TreeShape(**find_tree(dense, settings, time.perf_counter()).tree.shape)

    leaves = RowRouter(shape).leaves(coded.X, is_checked=True)

    assert leaves.tolist() == shape.leaves_of_rows(dense.X).tolist()


def test_a_table_without_categories_is_a_plain_matrix():
    classes = ClassWeights(np.array([0, 1, 0]))
    rows = [[1.0, True], [None, False], [2.0, True]]

    encoder, matrix = TableEncoder.read(rows, None, classes, TableHints())

    assert isinstance(matrix, np.ndarray)
    np.testing.assert_array_equal(matrix, encoder.encode(rows))


def test_more_levels_than_columns_are_coded_alike():
    """Levels without a column, and never seen ones, differ from missing values only."""
    random = np.random.default_rng(5)
    rows = [[f"l{at}"] for at in [*range(1500), *random.integers(0, 1500, 4000)]]
    rows += [[None]] * 9
    labels = random.integers(0, 2, len(rows))

    encoder, matrix = TableEncoder.read(rows, None, ClassWeights(labels), TableHints())

    assert encoder.n_columns > 1000
    np.testing.assert_array_equal(np.asarray(matrix), encoder.encode(rows))
