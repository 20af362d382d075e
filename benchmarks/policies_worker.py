"""Fit one policy tree with one package, and print its time and its mean reward.

This file runs in the environment of the package, so it imports nothing of ours at the
top. The problem is a JSON object on the command line, and the answer one on stdout.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np


def fit_ostrya(data: Any, task: dict[str, Any]) -> Any:
    """Fit `ostrya.OptimalPolicyTree`."""
    import ostrya

    model = ostrya.OptimalPolicyTree(
        max_depth=task["depth"], leaf_penalty=task.get("penalty", 0.0)
    )
    return model.fit(data["X"], data["rewards"])


def fit_pystreed(data: Any, task: dict[str, Any]) -> Any:
    """Fit `STreeDPrescriptivePolicyGenerator`, which computes the same rewards."""
    from pystreed import STreeDPrescriptivePolicyGenerator

    model = STreeDPrescriptivePolicyGenerator(
        max_depth=task["depth"], teacher_method=task["method"]
    )
    return model.fit(data["X"].astype(int), data["y"])


def main() -> None:
    """Answer one problem."""
    task = json.loads(sys.argv[1])
    data = dict(np.load(task["file"]))
    fit = fit_ostrya if task["package"] == "ostrya" else fit_pystreed
    seconds = []
    fit(data, {**task, "depth": 1})  # imports take a while
    for _ in range(task["repeats"]):
        start = time.process_time()
        model = fit(data, task)
        seconds.append(time.process_time() - start)
    actions = np.asarray(model.predict(data["X"])).astype(int)
    chosen = data["rewards"][np.arange(len(actions)), actions]
    print(json.dumps({"seconds": min(seconds), "reward": float(chosen.mean())}))


if __name__ == "__main__":
    main()
