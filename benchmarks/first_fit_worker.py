"""Fit another package on yes/no columns, in its own environment, for `first_fit`."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import numpy as np

from benchmarks.contenders import CONTENDERS
from benchmarks.problem import Group, Problem
from benchmarks.task import Task
from benchmarks.worker import warm_up

#: Processor seconds after which a peer that knows no limit is ended.
MOST_SECONDS = 30.0
#: Seconds that others are told; many, since on a busy machine these are of the clock.
TIME_LIMIT = 60.0


def main() -> None:
    """Write predictions, leaves and processor seconds as one line of JSON."""
    # Packages print. Their output goes to stderr, and stdout carries the result.
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    name, penalty, file = sys.argv[1:]
    contender = CONTENDERS[name]()
    problem = Problem("split", Group.ANY_DEPTH, float(penalty), None)
    task = Task(problem, name, TIME_LIMIT)
    warm_up(contender, task)
    with np.load(file) as stored:
        train, y, test = stored["train"], stored["y"], stored["test"]
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    began = time.process_time()
    result = contender.solve(train, y, task)
    seconds = time.process_time() - began
    old, new = (contender.answer(result, X, task) for X in (train, test))
    found = {
        "train": [int(label) for label in old.predictions],
        "test": [int(label) for label in new.predictions],
        "leaves": int(new.leaves),
        "seconds": seconds,
        "claims_optimal": bool(new.claims_optimal),
    }
    channel.write(json.dumps(found) + "\n")
    channel.close()


if __name__ == "__main__":
    main()
