"""The child process: solve one case with one contender, print one JSON line.

Called as `python -m benchmarks.guesses.worker run TASK`, in the environment of the
contender. The rows have already been prepared.
"""

from __future__ import annotations

import sys
import time
from math import ceil
from typing import Any

import numpy as np

from benchmarks.contenders.gosdt import count_leaves
from benchmarks.guesses.cases import DEPTH, CaseTask
from benchmarks.guesses.folds import path_of
from benchmarks.worker import GRACE, deadline, serve


def ostrya(rows: dict[str, np.ndarray], task: CaseTask) -> dict[str, Any]:
    """Return what ours finds, and the labels it gives all rows."""
    import ostrya

    X, y, train = rows["X"], rows["y"], ~rows["test"]
    guided = task.problem.method in ("th+lb", "published")
    start = time.perf_counter()
    outcome = ostrya.solve(
        X[train],
        y[train],
        leaf_penalty=task.problem.penalty,
        max_depth=DEPTH,
        time_limit=task.time_limit,
        reference_labels=rows["reference"][train] if guided else None,
        polish=task.problem.method != "published",
    )
    return {
        "seconds": time.perf_counter() - start,
        "labels": outcome.tree.predict(X),
        "leaves": outcome.n_leaves,
        "status": outcome.status,
        "lower": outcome.lower_bound,
    }


def gosdt(rows: dict[str, np.ndarray], task: CaseTask) -> dict[str, Any]:
    """Return what GOSDT finds; its time limit is in whole seconds."""
    from gosdt import GOSDTClassifier

    X, y, train = rows["answers"].astype(bool), rows["y"], ~rows["test"]
    guided = task.problem.method == "th+lb"
    model = GOSDTClassifier(
        regularization=task.problem.penalty,
        allow_small_reg=True,
        depth_budget=DEPTH,
        time_limit=ceil(task.time_limit),
        worker_limit=1,
    )
    start = time.perf_counter()
    model.fit(X[train], y[train], y_ref=rows["reference"][train] if guided else None)
    seconds = time.perf_counter() - start
    found = model.get_result()
    return {
        "seconds": seconds,
        "labels": model.predict(X),
        "leaves": count_leaves(model.trees_[0].tree),
        "status": str(found["status"]).rpartition(".")[2].lower(),
        "lower": found["lower_bound"],
    }


def dl85(rows: dict[str, np.ndarray], task: CaseTask) -> dict[str, Any]:
    """Return what DL8.5 finds; it has no penalty, and claims no lower bound."""
    from pydl85 import DL85Classifier

    from benchmarks.contenders.pydl85 import count_leaves as leaves_below

    X, y, train = rows["answers"].astype(np.int64), rows["y"], ~rows["test"]
    model = DL85Classifier(max_depth=DEPTH, time_limit=task.time_limit)
    start = time.perf_counter()
    model.fit(X[train], y[train])
    return {
        "seconds": time.perf_counter() - start,
        "labels": np.asarray(model.predict(X)),
        "leaves": leaves_below(model.tree_),
        "status": "time_limit" if model.timeout_ else "optimal",
        "lower": None,
    }


def warm_up_rows() -> dict[str, np.ndarray]:
    """Return eight rows: what a package does on its first call is not timed."""
    X = np.array([[i & 1, i & 2] for i in range(8)], dtype=np.float64).clip(max=1.0)
    y = X[:, 0].astype(np.int64)
    nothing = np.zeros(8, dtype=bool)
    return {"X": X, "answers": X, "y": y, "reference": y, "test": nothing}


SOLVERS = {"ostrya": ostrya, "gosdt": gosdt, "pydl8.5": dl85}


def run(line: str) -> dict[str, Any]:
    """Return what one run found, recounted from the labels it gives."""
    task = CaseTask.from_json(line)
    SOLVERS[task.contender](warm_up_rows(), task)
    with np.load(path_of(task.problem)) as stored:
        rows = {name: stored[name] for name in stored.files}
    with deadline(task.time_limit + GRACE):
        found = SOLVERS[task.contender](rows, task)
    is_right = found.pop("labels") == rows["y"]
    train = float(is_right[~rows["test"]].mean())
    return {
        **found,
        "train": train,
        "test": float(is_right[rows["test"]].mean()),
        "objective": 1.0 - train + task.problem.penalty * found["leaves"],
    }


if __name__ == "__main__":
    serve(sys.argv[1:], run)
