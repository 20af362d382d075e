"""A real Ctrl-C, from outside, while the folds of a cross-validation are searched."""

import json
import signal
import subprocess
import sys
import threading

import pytest

PATIENCE = 300.0

# The first fold is a table that is over at once; the next ones are not over for hours.
# The child says when it has begun with them, and tells what it was left with.
CHILD = """
import json, signal, sys, warnings
import numpy as np
from generated import hard
from ostrya import OptimalTreeClassifierCV
import ostrya.estimators.fold_scores as folds

warnings.simplefilter("ignore")
X, y = hard()
easy = np.arange(len(y)) < 12
searched = []

class TellingSearch(folds.FrontierSearch):
    def run(self, started, max_work=None, n_passes=3):
        searched.append(started)
        if len(searched) == 3:  # all rows, the easy fold, and now a hard one
            print("searching", flush=True)
        super().run(started)  # no end of work, so that it is not over in time

folds.FrontierSearch = TellingSearch
few = np.flatnonzero(easy)
cv = [(few, few)] + [(np.flatnonzero(np.arange(len(y)) % 3 != i), few) for i in (0, 1)]

# The search of all rows comes first, and gets a moment only.
calls = []

def a_moment_first(clock, n_searches):
    calls.append(n_searches)
    return 0.05 if len(calls) == 1 else None

folds.FoldClock.share = a_moment_first
clf = OptimalTreeClassifierCV(
    max_leaf_nodes=30,
    max_depth=None,
    cv=cv,
    time_limit=None,
    n_jobs=int(sys.argv[1]) or None,
)
clf.fit(X, y)
handler = signal.getsignal(signal.SIGINT)
print(json.dumps([clf.status_, clf.fold_statuses_, len(clf.predict(X)) == len(y),
                  handler is signal.default_int_handler]))
"""


@pytest.mark.parametrize("n_jobs", [0, 2])
def test_folds_that_are_scored_are_kept(request, n_jobs):
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(n_jobs)],
        cwd=request.config.rootpath / "tests",
        stdout=subprocess.PIPE,
        text=True,
    )
    timer = threading.Timer(PATIENCE, child.kill)
    timer.start()
    try:
        assert child.stdout.readline() == "searching\n"
        child.send_signal(signal.SIGINT)
        told = child.communicate()[0]
    finally:
        timer.cancel()
        child.kill()
    status, folds, predicts, is_restored = json.loads(told)
    assert status == "interrupted"
    assert folds[1:] == ["interrupted", "interrupted"]
    # With two at a time the first one may be stopped while it is scored.
    assert folds[0] == "optimal" or n_jobs == 2
    assert predicts
    assert is_restored
