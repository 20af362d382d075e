"""Ctrl-C in every phase of a call: it ends a search, and costs no result."""

import json
import subprocess
import sys

import pytest

PATIENCE = 120.0

# Each scenario presses Ctrl-C in one phase, by a patch of the function that it is in.
PRESSED = """
import json, signal, sys, time, warnings
import ostrya, ostrya._solver as solver, ostrya._solve.engine as engine
import ostrya.estimators._search as fitting
from generated import hard

def press():
    signal.raise_signal(signal.SIGINT)

def pressed(function, before=0, after=0):
    def patched(*arguments, **options):
        for _ in range(before):
            press()
        result = function(*arguments, **options)
        for _ in range(after):
            press()
        return result
    return patched

class Core:
    def __getattr__(self, name):
        return getattr(core, name)

core, phase, times = engine._core, sys.argv[1], int(sys.argv[2])
engine._core = Core()
engine._core.solve = core.solve
if phase == "preparation":
    solver.to_grid = pressed(solver.to_grid, before=times)
elif phase == "begin":
    engine._core.solve = pressed(core.solve, before=times)
elif phase == "end":  # after the last look of the search
    engine._core.solve = pressed(core.solve, after=times)
elif phase == "recount":
    solver.recount = pressed(solver.recount, before=times)
elif phase == "words":
    fitting.in_words = pressed(fitting.in_words, before=times)

warnings.simplefilter("ignore")
X, y = hard() if phase == "begin" else ([[1], [2], [3], [4]], [0, 1, 1, 0])
found = later = None
try:
    if phase == "words":
        clf = ostrya.OptimalTreeClassifier(leaf_penalty=0.05).fit(X, y)
        found = [clf.status_, clf.n_leaves_]
    else:
        outcome = ostrya.solve(X, y, leaf_penalty=0.05, time_limit=60)
        found = [outcome.status, outcome.n_leaves]
    try:
        time.sleep(0.5 if phase == "begin" else 60)
        later = "nothing"
    except KeyboardInterrupt:
        later = "interrupt"
except KeyboardInterrupt:
    found = "interrupt"
handler = signal.getsignal(signal.SIGINT)
print(json.dumps([found, later, handler is signal.default_int_handler]))
"""


def press(request, phase, times=1):
    """Return what a call gave, what came after it, and whether it left no handler."""
    done = subprocess.run(
        [sys.executable, "-c", PRESSED, phase, str(times)],
        cwd=request.config.rootpath / "tests",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return json.loads(done.stdout)


def test_in_the_preparation_there_is_nothing_to_keep(request):
    assert press(request, "preparation") == ["interrupt", None, True]


def test_a_search_that_begins_ends_at_once(request):
    (status, _), later, is_restored = press(request, "begin")
    assert (status, later, is_restored) == ("interrupted", "nothing", True)


@pytest.mark.parametrize("phase", ["end", "recount", "words"])
def test_too_late_for_the_search_it_costs_no_result(request, phase):
    assert press(request, phase) == [["optimal", 3], "interrupt", True]


def test_pressed_twice_it_ends_the_call(request):
    assert press(request, "recount", times=2) == ["interrupt", None, True]
