"""The child process of `benchmarks.frontier`: pystreed, one fit for each size.

Called as `python -m benchmarks.frontier_worker TASK LEAVES` in its own environment;
prints one JSON line for each number of leaves, starting at two.
"""

from __future__ import annotations

import json
import sys
import time

from benchmarks.contenders.pystreed import LARGEST_DEPTH, PyStreed
from benchmarks.data import load
from benchmarks.task import Task


def main() -> None:
    """Fit every size."""
    task, most = Task.from_json(sys.argv[1]), int(sys.argv[2])
    contender = PyStreed()
    X, y = load(task.problem)
    X = contender.matrix(X)
    depth = task.problem.depth
    for leaves in range(2, most + 1):
        n_splits = leaves - 1
        model = contender.classifier(
            "accuracy",
            # A tree of so many splits is no deeper.
            max_depth=min(n_splits, LARGEST_DEPTH if depth is None else depth),
            max_num_nodes=n_splits,
            time_limit=task.time_limit,
        )
        start = time.process_time()
        model.fit(X, y)
        seconds = time.process_time() - start
        result = model.fit_result
        line = {
            "seconds": seconds,
            "error": 1.0 - result.score(),
            "proved": bool(result.is_optimal()),
        }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
