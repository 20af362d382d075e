"""What the compiled engines take and return has the names that Python has."""

from __future__ import annotations

import dataclasses

import pytest

import ostrya
from ostrya import _core
from ostrya._solve.limits import Limits
from ostrya._solve.search import SearchPoint


def attributes(kind):
    return {name for name in vars(kind) if not name.startswith("_")}


def names(kind):
    return {field.name for field in dataclasses.fields(kind)}


@pytest.mark.parametrize("kind", ["Bounds", "LeafSetBounds"])
def test_every_bound_has_its_switch(kind):
    ours, theirs = getattr(ostrya.bounds, kind), getattr(_core, kind)
    assert names(ours) == attributes(theirs)
    assert all(getattr(theirs(), name).is_on for name in names(ours))


def test_limits_points_and_statistics_agree():
    assert names(Limits) == attributes(_core.Limits)
    modelled = {"nanoseconds"}  # for tests alone; users see `work`
    assert {*SearchPoint._fields} == attributes(_core.TracePoint) - modelled
    counted = attributes(_core.Statistics) - modelled | {"instruction_set"}
    assert names(ostrya.results.Statistics) == counted


def test_a_wrong_kind_of_option_is_refused():
    with pytest.raises(TypeError):
        _core.Options({"max_depth": 2})
    with pytest.raises(TypeError):
        _core.Limits(max_depth="2")
