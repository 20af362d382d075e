"""Solve problems while valgrind counts, with one dump and one line for each."""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

import ostrya
import ostrya._core
from benchmarks.data import load
from benchmarks.paired_worker import digest
from benchmarks.suites import SUITES


def main() -> None:
    """Answer the list of names on stdin."""
    switch = ctypes.CDLL(sys.argv[1])
    engine = ostrya._core.solve

    def counted(*arguments: Any) -> Any:
        switch.start()
        try:
            return engine(*arguments)
        finally:
            switch.stop()

    # Both builds call the engine by this name; what Python does around it differs.
    ostrya._core.solve = counted  # type: ignore[assignment]
    problems = {problem.name: problem for suite in SUITES.values() for problem in suite}
    for name in json.load(sys.stdin):
        problem = problems[name]
        outcome = ostrya.solve(
            *load(problem), leaf_penalty=problem.penalty, max_depth=problem.depth
        )
        switch.dump(name.encode())
        answer = {
            "objective": outcome.objective,
            "status": outcome.status,
            "leaves": outcome.tree.n_leaves,
            "tree": digest(outcome.tree),
            "subproblems": outcome.statistics.subproblems,
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
