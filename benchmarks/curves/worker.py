"""The child process: run one method on folds of one data set, one JSON line per fold.

Called as `python -m benchmarks.curves.worker METHOD SET FOLDS LIMIT`, with FOLDS such
as `0,1,2`, in the environment of the method.
"""

from __future__ import annotations

import json
import os
import sys

from benchmarks.curves.cases import parts
from benchmarks.curves.methods import points_of


def main() -> None:
    """Print the points of each part; what packages print goes to stderr."""
    method, name, folds, limit = sys.argv[1:]
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    by_fold = parts(name)
    for fold in map(int, folds.split(",")):
        found = points_of(method, name, by_fold[fold], float(limit))
        points = [point._asdict() for point in found]
        channel.write(json.dumps({"fold": fold, "points": points}) + "\n")
        channel.flush()
    channel.close()


if __name__ == "__main__":
    main()
