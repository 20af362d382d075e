"""Groups of levels: their order, who is in it, and what is asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrya.preprocessing import Feature, TableEncoder
from ostrya.preprocessing.groups import ClassWeights, in_braces, learn_groups

CITIES = ("Bonn", "Gera", "Hamm", "Kiel", "Ulm")


def orders(shares, rows=40, weights=None):
    """Return the orders where each city has so many rows, this share of class 1."""
    places = np.repeat(np.arange(len(shares)), rows)
    codes = np.concatenate(
        [np.arange(rows) < round(share * rows) for share in shares]
    ).astype(np.intp)
    return learn_groups(CITIES[: len(shares)], places, ClassWeights(codes, weights))


def test_levels_stand_in_the_order_of_their_share():
    assert orders([0.9, 0.1, 0.5, 1.0, 0.0]) == (("Ulm", "Gera"), ("Kiel", "Bonn"))


def test_ties_go_by_the_name():
    assert orders([1.0, 0.0, 0.5, 1.0, 0.0]) == (("Gera", "Ulm"), ("Bonn", "Kiel"))


def test_a_group_whose_complement_is_asked_about_is_left_out():
    # All but Hamm is what "= Hamm" denies; all of class 0, what those of class 1 do.
    assert orders([1.0, 1.0, 0.0, 1.0, 1.0]) == (("Bonn", "Gera", "Kiel"),)
    assert orders([1.0, 1.0, 0.0, 0.0, 0.0]) == (("Bonn", "Gera"), ("Hamm", "Kiel"))


def test_three_levels_need_no_groups():
    assert orders([1.0, 0.0, 1.0]) == ()


def test_weights_count_in_the_order():
    shares = [0.9, 0.1, 0.5, 0.95, 0.0]
    weights = np.ones(200)
    assert orders(shares, weights=weights)[1] == ("Kiel", "Bonn")
    weights[36:40] = 0.01  # the rows of Bonn that are not of class 1
    assert orders(shares, weights=weights)[1] == ("Bonn", "Kiel")


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 5, 20]))
def test_chance_alone_makes_few_groups(seed, rows_per_level):
    chance = np.random.default_rng(seed)
    levels = tuple(range(400 // rows_per_level))
    places = np.repeat(np.arange(len(levels)), rows_per_level)
    for share in (0.5, 0.05):
        codes = (chance.random(len(places)) < share).astype(np.intp)
        found = learn_groups(levels, places, ClassWeights(codes))
        assert sum(map(len, found)) <= 0.1 * len(levels)


def test_names_of_rows_make_no_group():
    for codes in (np.arange(200) % 2, np.arange(200) % 40 == 0):
        classes = ClassWeights(codes.astype(np.intp))
        assert learn_groups(tuple(range(200)), np.arange(200), classes) == ()


def test_every_class_has_its_order_up_to_eight():
    codes = np.repeat(np.arange(12), 60)
    places = np.arange(720) // 30
    classes = ClassWeights(codes)
    found = learn_groups(tuple(range(24)), places, classes)
    assert found == tuple((2 * k, 2 * k + 1) for k in range(8))


FEATURE = Feature(
    "city", "level", True, levels=("Bonn", "Kiel"), groups=(("Ulm", "Bonn", "Kiel"),)
)


def test_what_is_not_in_a_group_answers_no():
    encoder = TableEncoder.of([FEATURE])
    rows = [["Ulm"], ["Bonn"], ["Kiel"], ["Jena"], [None]]
    column = encoder.n_columns - 1
    assert encoder.encode(rows)[:, column].tolist() == [1, 1, 2, 3, 3]
    assert encoder.largest(column) == 3
    assert not encoder.is_yes_no(column)
    assert not encoder.is_measured(column)


@pytest.mark.parametrize(
    ("threshold", "words"), [(1.5, "{Bonn, Ulm}"), (2.5, "{Bonn, Kiel, Ulm}")]
)
def test_groups_are_listed_by_name(threshold, words):
    encoder = TableEncoder.of([FEATURE])
    assert encoder.question(3, threshold) == f"city in {words}"
    assert encoder.denial(3, threshold) == f"(city not in {words} or missing)"


def test_names_with_commas_are_quoted():
    assert in_braces(["Halle, Saale", "Bonn"]) == '{Bonn, "Halle, Saale"}'
