"""Count the good trees of one problem with one package, and print time and count.

This file runs in the environment of the package, so it imports nothing of ours at the
top. The problem is a JSON object on the command line, and the answer one on stdout.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np


def count_with_ostrya(X: np.ndarray, y: np.ndarray, task: dict[str, Any]) -> int:
    """Fit `ostrya.RashomonSet`."""
    import ostrya

    trees = ostrya.RashomonSet(
        leaf_penalty=task["penalty"],
        max_depth=task["depth"],
        epsilon=task["epsilon"],
        time_limit=task["time_limit"],
    )
    return int(trees.fit(X, y).n_trees_)


def count_with_arborenum(X: np.ndarray, y: np.ndarray, task: dict[str, Any]) -> int:
    """Fit `arborenum.ArborEnum` in its exact mode."""
    from arborenum import ArborEnum

    trees = ArborEnum()
    trees.fit(
        X,
        y,
        proxy_mode="continuous",
        lookahead_k=task["depth"] - 1,
        lambda_reg=task["penalty"],
        depth_budget=task["depth"],
        rashomon_mult=task["epsilon"],
    )
    return int(trees.count_trees())


def count_with_praxis(X: np.ndarray, y: np.ndarray, task: dict[str, Any]) -> int:
    """Fit `praxis.PRAXIS` with a look-ahead as deep as the trees."""
    from praxis import PRAXIS

    trees = PRAXIS()
    trees.fit(
        X.astype(np.int32),
        y.astype(np.int32),
        lambda_reg=task["penalty"],
        depth_budget=task["depth"],
        rashomon_mult=task["epsilon"],
        lookahead_k=task["depth"] - 1,
    )
    return int(trees.count_trees())


def count_with_treefarms(X: np.ndarray, y: np.ndarray, task: dict[str, Any]) -> int:
    """Fit `treefarms.TREEFARMS`; its depths count leaves too."""
    import pandas as pd
    from treefarms import TREEFARMS

    names = [f"x{column}" for column in range(X.shape[1])]
    trees = TREEFARMS(
        {
            "regularization": task["penalty"],
            "rashomon_bound_multiplier": task["epsilon"],
            "depth_budget": task["depth"] + 1,
            "time_limit": task["time_limit"],
            "rashomon_ignore_trivial_extensions": False,
            "verbose": False,
        }
    )
    trees.fit(pd.DataFrame(X.astype(int), columns=names), pd.Series(y, name="y"))
    return int(trees.get_tree_count())


COUNTS: dict[str, Callable[[np.ndarray, np.ndarray, dict[str, Any]], int]] = {
    "ostrya": count_with_ostrya,
    "arborenum": count_with_arborenum,
    "praxis": count_with_praxis,
    "treefarms": count_with_treefarms,
}


def main() -> None:
    """Answer one problem."""
    task = json.loads(sys.argv[1])
    data = np.load(task["file"])
    X, y = data["X"], data["y"]
    count = COUNTS[task["package"]]
    warm_up = {**task, "depth": 1}
    # The packages print while they search.
    answer = os.dup(1)
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        os.dup2(nowhere.fileno(), 1)
        count(X[:200], y[:200], {**warm_up, "penalty": 0.05})  # imports take a while
        seconds = []
        for _ in range(task["repeats"]):
            start = time.process_time()
            n_trees = count(X, y, task)
            seconds.append(time.process_time() - start)
    result = {"seconds": min(seconds), "trees": n_trees}
    os.write(answer, json.dumps(result).encode())


if __name__ == "__main__":
    main()
