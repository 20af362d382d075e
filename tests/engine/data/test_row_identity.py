"""Row sets are told apart, whoever made the table."""

from __future__ import annotations

import hashlib
import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ostrya
from crafted import crafted_table, public_keys
from ostrya import _core
from strategies import random_problems


@given(data=st.binary(max_size=1000), key=st.integers(0, 2**512 - 1))
def test_the_digest_is_blake2b(data, key):
    words = [key >> 64 * at & 2**64 - 1 for at in range(8)]
    expected = hashlib.blake2b(data, key=struct.pack("<8Q", *words)).digest()
    assert _core.testing.digest(data, words) == expected


def keys_of(case, **changes):
    arguments = list(case.core_arguments()[:7])
    for place, value in changes.items():
        arguments[int(place[1:])] = value
    return _core.testing.row_keys(*arguments)


@pytest.mark.parametrize("seed", range(20))
def test_keys_depend_on_everything_but_the_order_of_rows(seed):
    case = next(iter(random_problems(seed, 1)))
    X, codes, weights, _, _, penalty, _ = case.core_arguments()[:7]
    keys = keys_of(case)
    assert len(set(keys)) == len(keys)
    order = np.random.default_rng(seed).permutation(len(X))
    moved = keys_of(
        case,
        _0=np.asfortranarray(X[order]),
        _1=np.ascontiguousarray(codes[order]),
        _2=np.ascontiguousarray(weights[order]),
    )
    assert moved == keys
    assert not set(keys) & set(keys_of(case, _5=penalty + 1))
    if keys and case.problem.n_classes > 1:
        assert not set(keys) & set(keys_of(case, _2=weights * 2 + 1))


def crafted_arguments(seed, keys):
    rows, labels, weights = crafted_table(keys, seed)
    return np.array(rows, float), np.array(labels), np.array(weights, float)


def assert_right(seed, keys, **options):
    """A table costs the same with the classes exchanged, which moves its rows."""
    X, y, weights = crafted_arguments(seed, keys)
    given = {"sample_weight": weights} | options
    found = ostrya.solve(X, y, **given)
    turned = ostrya.solve(X, 1 - y, **given)
    assert found.status == turned.status == "optimal"
    assert found.objective == pytest.approx(turned.objective, abs=1e-12)


@pytest.mark.parametrize("block", range(10))
def test_tables_made_for_the_public_keys_get_the_optimum(block):
    keys = public_keys(160)
    for seed in range(20 * block, 20 * block + 20):
        penalty = random.Random(seed).choice([0.01, 0.004])
        assert_right(seed, keys, leaf_penalty=penalty, max_depth=3)


@pytest.mark.parametrize("seed", range(20))
def test_tables_made_for_the_keys_of_the_table_itself_get_the_optimum(seed):
    """Whoever reads the keys of a table and adds columns for them gets other keys."""
    X, y, weights = crafted_arguments(seed, public_keys(160))
    options = _core.Options(_core.Limits())
    costs = np.array([[0, 1], [1, 0]])
    known = _core.testing.row_keys(
        np.asfortranarray(X),
        y.astype(np.int32),
        weights.astype(np.int64),
        costs,
        100,
        1,
        options,
    )
    keys = [low | high << 64 for low, high in known]
    assert_right(seed, keys, leaf_penalty=0.01, max_depth=3)


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_leaf_sets_and_top_k_agree_on_crafted_tables(seed):
    X, y, weights = crafted_arguments(seed, public_keys(160))
    given = {"leaf_penalty": 0.03, "max_depth": 2, "sample_weight": weights}
    by_columns = ostrya.solve(X, y, **given)
    by_leaf_sets = ostrya.solve(X, y, engine="leaf_sets", **given)
    by_all = ostrya.solve(X, y, top_k=ostrya.top_k.TopKSplits(k=10**6), **given)
    assert by_columns.objective == pytest.approx(by_leaf_sets.objective, abs=1e-12)
    assert by_columns.objective == pytest.approx(by_all.objective, abs=1e-12)
