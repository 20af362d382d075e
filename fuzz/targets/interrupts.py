"""Ctrl-C at any moment, and callbacks that stop the search or raise."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from typing import Any

import ostrya
from fuzz import problems
from fuzz.soundness import assert_sound, close
from fuzz.target import Case

# A search that is not stopped by then stops by itself.
SECONDS = 20.0


class RaisedByCallbackError(Exception):
    """The error that callbacks raise in this target."""


def draw(rng: random.Random) -> Case:
    """Return a hard table, and when and how to interrupt its search."""
    table = problems.table(rng, most_rows=800, most_columns=12)
    engine = rng.choice(["columns", "columns", "leaf_sets", "top_k", "f1"])
    if engine == "f1":
        table = problems.two_class(rng, table)
    return {
        "table": table,
        "engine": engine,
        "how": rng.choice(["signal", "signals", "handler", "stop", "raise", "loss"]),
        "after": 10 ** rng.uniform(-4, -0.7),
        "calls": rng.choice([1, 1, 2, 3]),
        "limits": {
            "leaf_penalty": rng.choice([0.0, 1e-4, 0.01]),
            "max_depth": rng.choice([None, 3, 6]),
            "time_limit": SECONDS,
        },
    }


def check(case: Case, counts: Counter[str]) -> None:
    """Assert that a result or the raised error is returned, and that a rerun works."""
    given = problems.arguments(case["table"]) | case["limits"]
    if case["engine"] == "leaf_sets":
        given["engine"] = "leaf_sets"
    elif case["engine"] == "top_k":
        given["top_k"] = ostrya.top_k.TopKSplits(k=8)
    elif case["engine"] == "f1":
        given["objective"] = "f1"
    how = case["how"]
    if how == "loss" and case["engine"] != "f1":
        how = "raise"
    ending = INTERRUPTIONS[how](given, case)
    counts[f"{how}: {ending}"] += 1
    again = ostrya.solve([[1.0], [2.0], [3.0]], [0, 1, 0], leaf_penalty=0.1)
    assert (again.status, again.n_leaves) == ("optimal", 3)


def _signals(given: dict[str, Any], case: Case, n_signals: int = 1) -> str:
    """Ctrl-C during the search ends only the search; Python handles any other."""
    heard: list[int] = []
    over: list[bool] = []
    begun = threading.Event()

    def hear(*_: Any) -> None:
        heard.append(1)
        if not over:
            raise KeyboardInterrupt

    def send() -> None:
        begun.wait()
        for sent in range(n_signals):
            time.sleep(case["after"])
            os.kill(os.getpid(), signal.SIGINT)
            while len(heard) <= sent:  # or two of them may be heard as one
                time.sleep(0.001)

    before = signal.signal(signal.SIGINT, hear)
    thread = threading.Thread(target=send)
    thread.start()
    outcome, ending = None, ""
    try:
        while not over:
            try:
                if not ending:
                    ending = "raised"
                    begun.set()
                    outcome = ostrya.solve(**given)
                over.append(True)
            except KeyboardInterrupt:
                pass
    finally:
        over.append(True)
        while thread.is_alive():  # joining it, no signal that it gets would be heard
            time.sleep(0.001)
        signal.signal(signal.SIGINT, before)
    if outcome is not None:
        assert_sound(outcome, given)
        ending = outcome.status
    return ending


def _handler(given: dict[str, Any], case: Case) -> str:
    """An error raised by another signal handler reaches the caller."""
    heard: list[int] = []
    over: list[bool] = []

    def hear(*_: Any) -> None:
        heard.append(1)
        if not over:
            raise RaisedByCallbackError

    before = signal.signal(signal.SIGUSR1, hear)
    timer = threading.Timer(case["after"], os.kill, [os.getpid(), signal.SIGUSR1])
    ending = "raised"
    try:
        timer.start()
        ending = ostrya.solve(**given).status
        over.append(True)
    except RaisedByCallbackError:
        over.append(True)
    timer.join()
    while not heard:
        time.sleep(0.001)
    signal.signal(signal.SIGUSR1, before)
    assert ending != "interrupted"
    return ending


def _stop(given: dict[str, Any], case: Case) -> str:
    """A callback that returns True."""
    seen: list[ostrya.results.Progress] = []

    def stop(progress: ostrya.results.Progress) -> bool:
        seen.append(progress)
        return len(seen) == case["calls"]

    outcome = ostrya.solve(**given, on_progress=stop)
    assert_sound(outcome, given)
    assert len(seen) <= case["calls"]
    if outcome.status == "interrupted":
        assert len(seen) == case["calls"]
    for progress in seen:
        assert progress.lower_bound <= progress.objective
        if given.get("objective") is None and progress.n_leaves > 0:
            assert_no_worse(outcome, progress)
    return outcome.status


def assert_no_worse(
    outcome: ostrya.results.Outcome,
    told: ostrya.results.Progress | ostrya.results.TracePoint,
) -> None:
    """Assert that the result is no worse than any reported progress.

    Progress and trace are computed on the integer grid of the search, to which weights
    with many digits are rounded, so the two are compared exactly. The objective of the
    outcome is computed from the original weights.
    """
    last = outcome.trace[-1]
    assert last.objective <= told.objective
    assert last.lower_bound >= told.lower_bound
    assert close(last.objective, outcome.objective)
    assert close(last.lower_bound, outcome.lower_bound)


def _raise(given: dict[str, Any], case: Case) -> str:
    """A callback raises: the caller receives exactly that error."""
    raised: list[Exception] = []
    n_calls = 0

    def fail(progress: ostrya.results.Progress) -> None:
        nonlocal n_calls
        n_calls += 1
        if n_calls == case["calls"]:
            raised.append(RaisedByCallbackError())
            raise raised[0]

    caught: list[Exception] = []
    try:
        outcome = ostrya.solve(**given, on_progress=fail)
    except RaisedByCallbackError as error:
        caught.append(error)
    assert caught == raised
    if raised:
        return "raised"
    assert_sound(outcome, given)
    return outcome.status


def _loss(given: dict[str, Any], case: Case) -> str:
    """A callable objective raises during a search."""
    n_calls, last = 0, int(10 ** (4 + 4 * case["after"]))

    def loss(fp: float, fn: float) -> float:
        nonlocal n_calls
        n_calls += 1
        if n_calls == last:
            raise RaisedByCallbackError
        return float(fp + fn)

    try:
        ostrya.solve(**given | {"objective": loss, "time_limit": 1.0})
    except RaisedByCallbackError:
        return "raised"
    assert n_calls < last
    return "ended"


INTERRUPTIONS = {
    "signal": _signals,
    "signals": lambda given, case: _signals(given, case, 3),
    "handler": _handler,
    "stop": _stop,
    "raise": _raise,
    "loss": _loss,
}
