"""Fit one raw table with default settings and check the result: one line of JSON.

Run as ``python -m benchmarks.unseen.fit NAME PATH``, in a process of its own.
"""

from __future__ import annotations

import json
import resource
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.unseen.tables import RawTable, read
from ostrya import OptimalTreeClassifier


def fit(table: RawTable) -> dict[str, Any]:
    """Return time, size, status and objective of a default fit, after checking them."""
    began, clock = time.process_time(), time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = OptimalTreeClassifier().fit(table.X, table.y)
    seconds = time.process_time() - began
    training = float(np.mean(model.predict(table.X) == np.asarray(table.y)))
    recounted = 1 - training + model.leaf_penalty_ * model.n_leaves_
    assert abs(recounted - model.objective_) < 1e-9, (recounted, model.objective_)
    assert model.lower_bound_ <= model.objective_
    assert str(model)
    return {
        "rows": len(table.X),
        "columns": table.X.shape[1],
        "classes": len(model.classes_),
        "seconds": seconds,
        "wall_clock": time.perf_counter() - clock,
        "status": model.status_,
        "objective": model.objective_,
        "lower_bound": model.lower_bound_,
        "leaves": model.n_leaves_,
        "warnings": [str(warning.category.__name__) for warning in caught],
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> None:
    """Read, fit and print."""
    name, path = sys.argv[1:]
    table = read(name, Path(path))
    print(json.dumps(None if table is None else fit(table)))


if __name__ == "__main__":
    main()
