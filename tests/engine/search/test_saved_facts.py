"""What a search has proved, as bytes: another one goes on from there, or refuses."""

from __future__ import annotations

import itertools
import random
import struct

import numpy as np
import pytest

from oracle import optimum
from ostrya import _core
from strategies import deep_problems, random_problems, shallow_problems

#: Threads are started at once, however small the problem is.
AT_ONCE = {"n_threads": 2, "threads_after": 0}
NEVER = 1e9
DIGEST = 64  # bytes at the start of facts
ROOT_LOWER, ROOT_UPPER, ROOT_DEPTH = DIGEST, DIGEST + 8, DIGEST + 16


def tree_of(found):
    parts = (found.feature, found.threshold, found.yes, found.no)
    return [np.asarray(part).tobytes() for part in parts]


def run(case, facts=None, *, seconds=NEVER, threads_after=0, **options):
    """Return a result, and what the search kept, each time.

    By default every search counts as a long one, which goes on from what was kept.
    """
    kept = []
    checkpoint = _core.Checkpoint(facts, lambda view: kept.append(bytes(view)), seconds)
    options |= {"threads_after": threads_after, "checkpoint": checkpoint}
    found = _core.solve(*case.core_arguments(**options))
    return found, kept


def run_alone(case, threads_after=0, **options):
    """Return the result of a search without a checkpoint, by one thread."""
    options |= {"threads_after": threads_after, "n_threads": 1}
    return _core.solve(*case.core_arguments(**options))


def long_case():
    """A problem with a search that keeps something to go on from."""
    return max(deep_problems(9800, 8), key=lambda case: run(case)[0].statistics.work)


def some_of(kept):
    """The last one, and some of the others."""
    return [*kept[:: max(1, len(kept) // 5)], kept[-1]]


@pytest.mark.parametrize("seed", range(9800, 9803))
@pytest.mark.parametrize(
    "options",
    [
        *({}, {"turns_after": 0}, {"few_cuts": 0}, AT_ONCE),
        *({"threads_after": None}, {"threads_after": 1000}),
    ],
)
def test_a_search_that_goes_on_finds_the_oracles_optimum_and_the_same_tree(
    seed, options
):
    cases = [
        *random_problems(seed, 25),
        *deep_problems(seed, 4),
        *shallow_problems(seed, 4),
    ]
    for case in cases:
        cost = optimum(case.problem).cost
        alone = run_alone(case, **options)
        at_every_chance, kept = run(case, seconds=0, **options)
        assert tree_of(at_every_chance) == tree_of(alone)
        for facts in some_of(kept):
            found, _ = run(case, facts, **options)
            assert (found.lower, found.upper, found.status) == (cost, cost, "optimal")
            assert tree_of(found) == tree_of(alone)


def test_of_a_search_in_stretches_no_bound_is_worse_than_before_and_it_ends():
    case = long_case()
    alone = run_alone(case)
    stretch = alone.statistics.work // 4
    found, kept = run(case, max_work=stretch)
    assert found.status != "optimal"
    for _ in range(40):
        before, facts = found, kept[-1]
        found, kept = run(case, facts, max_work=stretch)
        assert before.lower <= found.lower <= found.upper <= before.upper
        if found.status == "optimal":
            break
    assert found.status == "optimal"
    assert tree_of(found) == tree_of(alone)


def test_a_checkpoint_does_not_change_which_of_equally_good_trees_is_returned():
    """A short search with a checkpoint chose its tree by the rule for long ones."""
    for case in [*random_problems(9840, 60), *deep_problems(9840, 6)]:
        for threads_after in (None, 0, 1000):
            alone = run_alone(case, threads_after)
            whole, _ = run(case, threads_after=threads_after)
            assert tree_of(whole) == tree_of(alone)
            stop = max(1, alone.statistics.work // 2)
            _, kept = run(case, threads_after=threads_after, max_work=stop)
            resumed, _ = run(case, kept[-1], threads_after=threads_after)
            assert tree_of(resumed) == tree_of(alone)


def test_a_short_search_that_is_resumed_begins_again_and_reports_no_less():
    case = long_case()
    alone = run_alone(case, threads_after=None)
    before, kept = run(case, threads_after=None, max_work=alone.statistics.work // 2)
    assert before.status != "optimal"
    found, _ = run(case, kept[-1], threads_after=None)
    assert found.statistics.work == alone.statistics.work
    for point in found.trace:
        assert point.lower >= before.lower
        assert point.upper <= before.upper
        assert point.proved_depth >= before.proved_depth


def test_a_resumed_search_reports_no_less_at_any_time():
    """Proved depths began at 0 again, and a search without time knew nothing."""
    cases = [*random_problems(9850, 40), *deep_problems(9850, 6)]
    n_proved = 0
    for case in cases:
        for threads_after in (None, 0):
            how = {"threads_after": threads_after, "turns_after": 0}
            work = run_alone(case, **how).statistics.work
            before, kept = run(case, max_work=max(1, 3 * work // 4), **how)
            n_proved += before.proved_depth > 1
            for limits in ({}, {"max_work": 1}, {"time_limit": 1e-9}):
                found, _ = run(case, kept[-1], **limits, **how)
                for point in found.trace:
                    assert point.lower >= before.lower
                    assert point.upper <= before.upper
                    assert point.proved_depth >= before.proved_depth
                    assert point.next_depth_lower >= point.lower
                assert found.lower >= before.lower
                assert found.upper <= before.upper
    assert n_proved > 0


def test_a_search_that_goes_on_has_less_to_do():
    case = long_case()
    whole = _core.solve(*case.core_arguments()).statistics.work
    _, kept = run(case, max_work=3 * whole // 4)
    rest, _ = run(case, kept[-1])
    assert rest.statistics.work < whole * 0.7


def test_of_a_search_that_has_ended_nothing_is_left_to_do():
    case = long_case()
    alone, kept = run(case)
    again, _ = run(case, kept[-1])
    assert again.statistics.subproblems == 0
    assert tree_of(again) == tree_of(alone)
    assert (again.lower, again.upper, again.status) == (
        *(alone.lower, alone.upper),
        "optimal",
    )


def test_a_search_that_is_stopped_at_once_knows_no_less_and_keeps_what_there_was():
    case = long_case()
    whole = _core.solve(*case.core_arguments()).statistics.work
    before, kept = run(case, max_work=whole // 2)
    found, none_kept = run(case, kept[-1], max_work=1)
    assert (found.lower, found.upper) == (before.lower, before.upper)
    assert none_kept == []


def test_facts_of_a_search_for_cheaper_trees_hold_for_all():
    for case in [*random_problems(9820, 30), *deep_problems(9820, 4)]:
        cost = optimum(case.problem).cost
        for upper in (cost, cost + 1):
            _, kept = run(case, seconds=0, upper=upper)
            for facts in some_of(kept):
                found, _ = run(case, facts)
                assert (found.lower, found.upper) == (cost, cost)
                found, _ = run(case, facts, upper=cost + 1)
                assert found.upper == cost


def test_facts_of_another_problem_are_refused():
    cases = list(random_problems(9830, 12))
    for case, other in itertools.pairwise(cases):
        _, kept = run(case)
        with pytest.raises(_core.SavedFactsError, match="another problem"):
            run(other, kept[-1])


def test_other_switches_are_another_problem():
    case = long_case()
    _, kept = run(case)
    with pytest.raises(_core.SavedFactsError, match="another problem"):
        run(case, kept[-1], bounds={"look_ahead": False})


def test_no_bytes_crash_a_search():
    case = long_case()
    whole = _core.solve(*case.core_arguments()).statistics.work
    facts = run(case, max_work=whole // 8)[1][-1]
    chance = random.Random(0)
    for at in [chance.randrange(len(facts)) for _ in range(150)]:
        with pytest.raises(_core.SavedFactsError):
            run(case, facts[:at])
        altered = bytearray(facts)
        altered[at] ^= 1 << chance.randrange(8)
        # The engine cannot see that a bound is false; a digest around it can.
        try:
            found, _ = run(case, bytes(altered), max_work=whole)
        except _core.SavedFactsError:
            continue
        assert at >= DIGEST
        assert found.lower <= found.upper
    with pytest.raises(_core.SavedFactsError, match="end"):
        run(case, facts + b"\0")


@pytest.mark.parametrize(
    ("at", "form", "value"),
    [
        (ROOT_LOWER, "<q", -1),
        (ROOT_LOWER, "<q", 2**61),
        (ROOT_UPPER, "<q", 0),
        (ROOT_UPPER, "<q", 2**62),
        (ROOT_DEPTH, "<I", 2**32 - 1),
    ],
)
def test_a_root_that_cannot_be_is_refused(at, form, value):
    case = long_case()
    facts = bytearray(run(case)[1][-1])
    struct.pack_into(form, facts, at, value)
    with pytest.raises(_core.SavedFactsError):
        run(case, bytes(facts))


def test_what_the_caller_raises_while_facts_are_kept_ends_the_search():
    case = long_case()

    def fail(view):
        raise KeyError("full")

    checkpoint = _core.Checkpoint(None, fail, 0.0)
    with pytest.raises(KeyError, match="full"):
        _core.solve(*case.core_arguments(checkpoint=checkpoint))
