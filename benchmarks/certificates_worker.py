"""The child process: solve a problem, write its certificate, and print what both took.

Called as `python -m benchmarks.certificates_worker TASK`.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.data import load
from benchmarks.problem import Group, Problem
from ostrya import solve
from ostrya._solve.certificate import CertifiedProblem, TooLargeError, prove
from ostrya._solve.grid import to_grid
from ostrya._solve.limits import Limits
from ostrya._solve.validation import check_data


def run(task: dict[str, Any]) -> dict[str, Any]:
    """Return seconds and sizes; the files are written to the folder of the task."""
    problem = Problem(**{**task["problem"], "group": Group(task["problem"]["group"])})
    X, y = load(problem)
    solve(X[:8], y[:8], leaf_penalty=0.1, certify=True)  # imports are not timed
    began = time.process_time()
    outcome = solve(
        X,
        y,
        leaf_penalty=problem.penalty,
        max_depth=problem.depth,
        time_limit=task["seconds"],
        n_jobs=1,
    )
    solved = time.process_time()
    found = {"solve s": solved - began, "is_proved": outcome.status == "optimal"}
    if not found["is_proved"]:
        return {**found, "notes": f"not proved: {outcome.status}"}
    data = check_data(X, y, None, None, None, problem.penalty)
    limits = Limits(max_depth=problem.depth)
    remaining = Limits(max_depth=problem.depth, time_limit=20 * task["seconds"])
    certified = CertifiedProblem(data, to_grid(data), limits, remaining)
    lower = certified.cost(outcome.tree)
    work = outcome.trace[-1].work
    try:
        proof = prove(certified, outcome.tree, lower, price_work=work)
    except TooLargeError as error:
        return {**found, "notes": str(error)}
    found["write s"] = time.process_time() - solved
    if proof is None:
        return {**found, "notes": "not written within the time limit"}
    folder = Path(task["folder"])
    (folder / "problem.bin").write_bytes(certified.file)
    (folder / "proof.ostrya").write_bytes(proof)
    return {**found, "bytes": len(proof)}


if __name__ == "__main__":
    print(json.dumps(run(json.loads(sys.argv[1]))))
