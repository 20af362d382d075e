"""What the points of a trace claim, compared with a search for each depth alone."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

from ostrya import _core

# Deeper searches take too long to be run for every point.
MOST_DEPTH = 4


def least_costs(case):
    """Return a function from a depth to the least cost of a tree within it.

    It gives None where the search is not over in time.
    """

    @cache
    def least_cost(depth):
        limit = case.problem.max_depth
        depth = depth if limit is None else min(depth, limit)
        shallow = replace(case, problem=replace(case.problem, max_depth=depth))
        found = _core.solve(*shallow.core_arguments())
        return found.upper if found.status == "optimal" else None

    return least_cost


def assert_trace_holds(found, case, least_cost=None, upper=None):
    """Check every point of the trace of a search, and that none takes anything back.

    `upper` is the cost below which trees were wanted, if any.
    """
    least_cost = least_cost or least_costs(case)
    ceiling = float("inf") if upper is None else upper
    for point in found.trace:
        assert point.lower <= point.upper
        if found.status == "optimal":
            assert point.lower <= found.upper <= point.upper
        _assert_depths_hold(point, case, least_cost, ceiling)
    for one, other in pairwise(found.trace):
        assert one.lower <= other.lower
        assert other.upper <= one.upper
        assert one.proved_depth <= other.proved_depth
        if one.proved_depth == other.proved_depth:
            assert min(one.next_depth_lower, other.upper) <= other.next_depth_lower
    last = found.trace[-1]
    assert last.lower <= found.lower <= found.upper <= last.upper
    assert last.proved_depth <= found.proved_depth


def _assert_depths_hold(point, case, least_cost, ceiling):
    depth, limit = point.proved_depth, case.problem.max_depth
    assert point.lower <= point.next_depth_lower <= point.upper
    if depth <= MOST_DEPTH and (cost := least_cost(depth)) is not None:
        assert min(point.upper, ceiling) <= cost
    is_deeper = depth < MOST_DEPTH and (limit is None or depth < limit)
    if is_deeper and (cost := least_cost(depth + 1)) is not None:
        assert point.next_depth_lower <= cost
