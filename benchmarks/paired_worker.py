"""Solve the given problems with the installed ostrya, one JSON line each."""

from __future__ import annotations

import hashlib
import json
import sys
import time

import numpy as np

import ostrya
from benchmarks.data import load
from benchmarks.suites import SUITES


def digest(tree: ostrya.Tree) -> str:
    """Return a short digest of the arrays of a tree."""
    total = hashlib.sha256()
    for array in (tree.feature, tree.threshold, tree.yes, tree.no, tree.label):
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:12]


def main() -> None:
    """Answer until there are no more problems."""
    problems = {problem.name: problem for suite in SUITES.values() for problem in suite}
    name, data = None, None
    for line in sys.stdin:
        told = json.loads(line)
        problem = problems[told["name"]]
        if problem.name != name:
            name, data = problem.name, load(problem)
        # Of the processor: other programs take turns on a busy machine.
        start = time.process_time()
        outcome = ostrya.solve(
            *data,
            leaf_penalty=problem.penalty,
            max_depth=problem.depth,
            time_limit=told["time_limit"],
        )
        seconds = time.process_time() - start
        answer = {
            "seconds": seconds,
            "objective": outcome.objective,
            "status": outcome.status,
            "leaves": outcome.tree.n_leaves,
            "tree": digest(outcome.tree),
            "subproblems": outcome.statistics.subproblems,
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
