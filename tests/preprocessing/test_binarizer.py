"""The public transformer: every threshold, quantiles, one column a level."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tables import DRESSES

from ostrya.preprocessing import ThresholdBinarizer
from ostrya.preprocessing.digits import short_between


def names(binarizer):
    return binarizer.get_feature_names_out().tolist()


def test_every_threshold_and_every_level():
    binarizer = ThresholdBinarizer().fit(DRESSES["pandas"]())
    assert names(binarizer) == [
        *("age is missing", "age <= 24", "age <= 31.5"),
        *("colour is missing", "colour = blue", "colour = green", "colour = red"),
        *("owner is missing", "owner = true", "owner = false"),
        *("rooms <= 1.5", "rooms <= 2.5", "rooms <= 3.5", "rooms <= 4.5"),
    ]
    answers = binarizer.transform(DRESSES["pandas"]())
    assert answers.dtype == np.int8
    assert answers[1].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1]


@pytest.mark.parametrize("dress", DRESSES)
def test_answers_are_the_same_from_every_kind_of_table(dress):
    table = DRESSES[dress]()
    wanted = ThresholdBinarizer().fit_transform(DRESSES["pandas"]())
    assert ThresholdBinarizer().fit_transform(table).tolist() == wanted.tolist()


@pytest.mark.parametrize("k", [1, 3, 4])
def test_quantiles_cut_the_rows_into_even_parts(k):
    numbers = np.random.default_rng(0).permutation(1000).reshape(-1, 1)
    yes = ThresholdBinarizer(k).fit_transform(numbers).mean(axis=0)
    assert np.abs(yes - np.arange(1, k + 1) / (k + 1)).max() <= 0.002


def test_quantiles_are_no_more_than_asked_for_and_never_twice():
    numbers = np.array([[0]] * 90 + [[1]] * 5 + [[2]] * 3 + [[3]] * 2)
    binarizer = ThresholdBinarizer(2).fit(numbers)
    assert names(binarizer) == ["x0 <= 0.5"]
    assert names(ThresholdBinarizer(5).fit(numbers)) == [
        *("x0 <= 0.5", "x0 <= 1.5", "x0 <= 2.5"),
    ]


def test_every_threshold_has_a_name_of_its_own():
    numbers = np.random.default_rng(0).normal(size=(500, 1)) * 1e-3 + 1e6
    found = names(ThresholdBinarizer().fit(numbers))
    assert len(set(found)) == len(found) == len(np.unique(numbers)) - 1


def test_names_are_exactly_what_is_asked():
    numbers = np.random.default_rng(1).normal(size=(40, 1))
    binarizer = ThresholdBinarizer().fit(numbers)
    answers = binarizer.transform(numbers)
    for k, name in enumerate(names(binarizer)):
        threshold = float(name.removeprefix("x0 <= "))
        assert ((numbers[:, 0] <= threshold) == answers[:, k]).all()


def test_output_as_a_frame():
    table = DRESSES["polars"]()
    for library, kind in (("pandas", pd.DataFrame), ("polars", pl.DataFrame)):
        binarizer = ThresholdBinarizer().set_output(transform=library)
        frame = binarizer.fit_transform(table)
        assert isinstance(frame, kind)
        assert list(frame.columns) == names(binarizer)


@pytest.mark.parametrize(("value", "error"), [(0, ValueError), (2.5, TypeError)])
def test_a_number_of_thresholds_out_of_range_is_turned_away(value, error):
    with pytest.raises(error, match="n_thresholds must be an integer >= 1"):
        ThresholdBinarizer(value).fit([[1], [2]])


def test_short_numbers_lie_strictly_between():
    chance = np.random.default_rng(0)
    for exponent in (-300, -3, 0, 3, 15, 300):
        pairs = np.sort(chance.normal(size=(50, 2)) * 10.0**exponent, axis=1)
        for below, above in pairs:
            assert below < short_between(below, above) < above
    assert short_between(1.0, np.nextafter(1.0, 2.0)) == 1.0
    assert short_between(-1.7e308, 1.7e308) == 0.0
