"""Ctrl-C where many fits follow each other: once for a fit, twice for all of them."""

import json
import subprocess
import sys

import pytest

PATIENCE = 300.0

# Callbacks press Ctrl-C, and every search would take hours if nobody did, so the speed
# of the machine does not matter. Both "within two seconds" and the pause between two
# calls of a callback are set, not waited for. One process runs all the scenarios: most
# of its time goes into imports.
PRESSED = """
import json, math, signal, warnings
from sklearn.model_selection import cross_val_score
import ostrya._ctrl_c as ctrl_c
import ostrya._solve.fit_monitor as fit_monitor
from ostrya import OptimalTreeClassifier, TopKTreeClassifier
from generated import hard

warnings.simplefilter("ignore")
X, y = hard()
LONG = dict(leaf_penalty=0.0001, max_depth=None, time_limit=None)
fit_monitor.PAUSE = 0.0  # so that every phase is reported, however short

def press():
    pressed.append(len(statuses))
    signal.raise_signal(signal.SIGINT)

def once_per_fit(progress):
    if progress.phase == "searching" and len(statuses) not in pressed:
        press()

def while_guessing(progress):
    if progress.phase == "guessing" and not pressed:
        press()

def twice(progress):
    if progress.phase == "searching" and not pressed:
        press()
        press()

def score(clf, X, y):
    statuses.append(clf.status_)
    return 1.0

def score_and_press(clf, X, y):
    press()
    return score(clf, X, y)

def validate(scoring=score, on_progress=None, **options):
    clf, params = OptimalTreeClassifier(**options), {"on_progress": on_progress}
    cross_val_score(clf, X, y, cv=3, scoring=scoring, params=params)

def guess():
    clf = OptimalTreeClassifier(guess="auto", **LONG)
    score(clf.fit(X, y, on_progress=while_guessing), X, y)

def twice_in_a_choice():
    # With two choices per node and no depth limit, k=2 already takes hours.
    TopKTreeClassifier(k="auto", **LONG).fit(X, y, on_progress=twice)

def run(scenario, insistence):
    statuses.clear()
    pressed.clear()
    ctrl_c.INSISTENCE, ctrl_c.CtrlC._last_kept = insistence, -math.inf
    end = "done"
    try:
        scenario()
    except KeyboardInterrupt:
        end = "interrupt"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return [end, *statuses]

statuses, pressed = [], []
many = lambda: validate(on_progress=once_per_fit, **LONG)
print(json.dumps({
    "soon": run(many, 1e9),
    "far apart": run(many, 0),
    "in a scorer": run(lambda: validate(score_and_press, max_depth=1), 1e9),
    "twice": run(lambda: validate(on_progress=twice, **LONG), 1e9),
    "twice in a choice": run(twice_in_a_choice, 1e9),
    "guess": run(guess, 1e9),
}))
"""


@pytest.fixture(scope="module")
def ends(request):
    """Return how each scenario ended, and the statuses of the fits it got."""
    done = subprocess.run(
        [sys.executable, "-c", PRESSED],
        cwd=request.config.rootpath / "tests",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_second_press_within_two_seconds_ends_all_fits(ends):
    assert ends["soon"] == ["interrupt", "interrupted"]


def test_presses_far_apart_end_one_fit_each(ends):
    assert ends["far apart"] == ["done", *["interrupted"] * 3]


def test_between_two_searches_it_is_raised_at_once(ends):
    assert ends["in a scorer"] == ["interrupt"]


@pytest.mark.parametrize("scenario", ["twice", "twice in a choice"])
def test_pressed_twice_in_one_fit_it_is_raised(ends, scenario):
    assert ends[scenario] == ["interrupt"]


def test_guesses_end_and_there_is_a_tree_all_the_same(ends):
    assert ends["guess"] == ["done", "interrupted"]
