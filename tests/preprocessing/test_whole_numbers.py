"""Whole numbers that floats do not tell apart are never merged without a word."""

from __future__ import annotations

import re
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ostrya
from lazy_engines import every_engine
from ostrya import (
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    TableWarning,
    TopKTreeClassifier,
)
from ostrya._whole_numbers import are_merged

# Numbers that are merged leave nothing to split.
pytestmark = pytest.mark.filterwarnings("ignore:The tree is a single leaf")

Y = np.arange(50) % 2
CLOSE = 2**60 + Y
ROUGH = 2**60 + 1024 * Y
MERGED_AS_FLOATS = (
    r"Column 'id' contains different whole numbers above 2\*\*53.*Subtract an offset"
)

TABLES = {
    "pandas": lambda ids: pd.DataFrame({"id": ids}),
    "pandas, unsigned": lambda ids: pd.DataFrame({"id": ids.astype(np.uint64)}),
    "pandas, nullable": lambda ids: pd.DataFrame(
        {"id": pd.array([*ids[:-1].tolist(), None], dtype="Int64")}
    ),
    "pandas, objects": lambda ids: (
        pd.DataFrame({"id": [10**12 * n for n in ids]})
        if (np.diff(np.unique(ids)) > 1).all()
        else pd.DataFrame({"id": [10**30 + int(n) for n in Y]})
    ),
    "pandas, texts": lambda ids: pd.DataFrame({"id": list(map(str, ids.tolist()))}),
    "pandas, decimals": lambda ids: pd.DataFrame(
        {"id": [Decimal(n) for n in ids.tolist()]}
    ),
    "polars": lambda ids: pl.DataFrame({"id": ids}),
    "polars, of 128 bits": lambda ids: pl.DataFrame(
        {"id": pl.Series(ids, dtype=pl.Int128)}
    ),
    "polars, with nulls": lambda ids: pl.DataFrame({"id": [None, *ids[1:].tolist()]}),
    "pyarrow": lambda ids: pa.table({"id": ids}),
    "pyarrow, decimals": lambda ids: pa.table(
        {"id": pa.array(ids).cast(pa.decimal128(38, 0))}
    ),
}


def of_numbers(caught):
    return [str(each.message) for each in caught if "2**53" in str(each.message)]


@pytest.mark.parametrize("kind", TABLES)
def test_large_whole_numbers_were_merged_and_called_optimal(kind):
    with pytest.warns(TableWarning) as caught:
        OptimalTreeClassifier(leaf_penalty=0.01).fit(TABLES[kind](CLOSE), Y)
    (message,) = of_numbers(caught)
    assert re.search(MERGED_AS_FLOATS, message)


@pytest.mark.parametrize("kind", TABLES)
def test_large_whole_numbers_that_floats_tell_apart_need_no_word(kind):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(TABLES[kind](ROUGH), Y)
    assert not of_numbers(caught)
    assert clf.get_n_leaves() >= 2


@pytest.mark.parametrize(
    "rows",
    [
        CLOSE[:, None],
        CLOSE.astype(np.uint64)[:, None],
        -CLOSE[:, None],
        [[n] for n in CLOSE.tolist()],
        [[n, 0.5] for n in CLOSE.tolist()],
        [[10**30 + n] for n in Y.tolist()],
        [[n, "red"] for n in CLOSE.tolist()],
        np.array([[n, None] for n in CLOSE.tolist()], dtype=object),
    ],
    ids=range(8),
)
def test_arrays_and_lists_of_large_whole_numbers_were_merged(rows):
    for make in (OptimalTreeClassifier, TopKTreeClassifier):
        with pytest.warns(TableWarning, match=r"Column 'x0' contains .* 2\*\*53"):
            make().fit(rows, Y)


def test_cross_validation_warns_once_of_large_whole_numbers():
    with pytest.warns(TableWarning) as caught:
        OptimalTreeClassifierCV(cv=2).fit(pd.DataFrame({"id": CLOSE, "a": CLOSE}), Y)
    assert of_numbers(caught) == [str(caught[0].message)]
    assert "Columns 'id', 'a' contain different whole numbers" in str(caught[0].message)


@every_engine()
def test_lazy_large_whole_numbers_were_merged_and_called_optimal(engine):
    table = engine(pl.DataFrame({"id": CLOSE, "t": Y}))
    with pytest.warns(TableWarning, match=MERGED_AS_FLOATS):
        OptimalTreeClassifier(leaf_penalty=0.01).fit(table, "t")
    table = engine(pl.DataFrame({"id": ROUGH, "t": Y}))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        OptimalTreeClassifier(leaf_penalty=0.01).fit(table, "t")
    assert not of_numbers(caught)


@pytest.mark.parametrize(
    "rows",
    [
        CLOSE[:, None],
        CLOSE.astype(np.uint64)[:, None],
        [[n, 0.5] for n in CLOSE.tolist()],
        pd.DataFrame({"id": CLOSE, "a": 0.5}),
        pl.DataFrame({"id": CLOSE, "a": Y / 2}),
    ],
    ids=range(5),
)
def test_solve_merged_large_whole_numbers(rows):
    with pytest.warns(TableWarning, match=r"X contains, in column 0, .* 2\*\*53"):
        ostrya.solve(rows, Y)


def test_solve_says_nothing_of_whole_numbers_that_are_told_apart():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = ostrya.solve(ROUGH[:, None], Y)
        ostrya.solve(ROUGH.astype(float)[:, None], Y)
    assert outcome.n_leaves == 2


def test_up_to_two_to_the_53_all_whole_numbers_are_told_apart():
    assert not are_merged(np.array([2**53 - 1, 2**53, -(2**53)]))
    assert are_merged(np.array([2**53, 2**53 + 1]))
    assert are_merged(np.array([-(2**53), -(2**53) - 1]))
    assert are_merged(np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64))
    assert not are_merged(np.array([], dtype=np.int64))
