"""The time that folds share."""

from __future__ import annotations

from ostrya.estimators.fold_scores import FoldClock


def test_searches_leave_time_for_the_scores_that_follow_them():
    class Monitor:
        def left(self):
            return 60.0

    clock = FoldClock(Monitor())
    assert clock.share(2) == 30
    clock.note(5.0)
    clock.note(4.0)
    assert (clock.share(2), clock.share(1)) == (25, 55)
    clock.note(100.0)
    assert 0 < clock.share(1) < 1
