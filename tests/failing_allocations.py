"""Searches in which one allocation fails: an error, or bounds that are still true."""

from __future__ import annotations

from ostrya import _core


def assert_survived(kind, last, step, cost, search):
    """Fail every `step`-th allocation up to `last`, one in each search.

    `search` takes options of the engine, among them three threads; the best tree costs
    `cost`. Returns how often memory ran out.
    """
    n_failed = 0
    for nth in range(1, last, step):
        trouble = _core.AllocationTrouble(**{kind: nth})
        try:
            found = search(n_threads=3, trouble=trouble)
        except MemoryError:
            n_failed += 1
            continue
        assert found.lower <= cost <= found.upper
        n_failed += found.status == "memory_limit"
    return n_failed
