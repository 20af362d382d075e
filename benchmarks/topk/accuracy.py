"""Figures 2, 4 and 6: accuracy and time of Top-k on splits of the paper's sets."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import ostrya
from benchmarks import ledger
from benchmarks.contenders.ostrya import Ostrya
from benchmarks.sources.catalog import absent, how_to_get
from benchmarks.topk.sets import Set, Split, files, is_here, split

#: scikit-learn's greedy tree, in place of a k.
GREEDY = "scikit-learn"
#: k of Figure 2; "all" is the optimal tree.
FIGURE_2 = (GREEDY, 1, 2, 3, 4, 8, 12, 16, "all")
#: k of Figure 4, at depth 3.
FIGURE_4 = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, "all")
FIGURE_4_SETS = ("car_evaluation", "hayes-roth", "tic-tac-toe")

#: What must agree for an earlier fit to stand for one now asked for.
KEY = ("set", "split", "depth", "k", "time_limit", "version")


@dataclass(frozen=True)
class Plan:
    """Which fits to make, and where their records go."""

    sets: tuple[Set, ...]
    splits: int
    depths: tuple[int, ...]
    ks: tuple[int | str, ...]
    time_limit: float
    output: Path

    def fits(self) -> Iterable[tuple[Set, int, int, int | str]]:
        """Yield every fit; those of one split after each other."""
        for data_set in self.sets:
            for number in range(1 if data_set.has_own_split else self.splits):
                for depth in self.depths:
                    for k in self.ks:
                        yield data_set, number, depth, k

    def run(self) -> list[dict[str, Any]]:
        """Make the fits that are missing in the output file; return all of the plan."""
        for data_set in self.sets:
            if not is_here(data_set):
                missing = how_to_get(absent(files(data_set)))
                print(f"skipped {data_set.name}. {missing}", file=sys.stderr)
        here = [fit for fit in self.fits() if is_here(fit[0])]
        known = {_key(record): record for record in ledger.read(self.output)}
        version = Ostrya().version()
        chosen, at_hand = [], (None, None)
        stopped: dict[tuple[str, int | str], int] = {}  # least depth that was stopped
        for place, (data_set, number, depth, k) in enumerate(here):
            record = {
                "set": data_set.name,
                "split": number,
                "depth": depth,
                "k": k,
                "time_limit": self.time_limit,
                "version": version,
            }
            if depth > stopped.get((data_set.name, k), depth):
                continue  # deeper trees take longer
            if _key(record) not in known:
                if at_hand[0] != (data_set, number):
                    at_hand = (data_set, number), split(data_set, number)
                record |= fit(at_hand[1], depth, k, self.time_limit)
                ledger.append(self.output, record)
                known[_key(record)] = record
                _tell(place + 1, len(here), record)
            chosen.append(known[_key(record)])
            if not is_complete(chosen[-1]):
                least = min(depth, stopped.get((data_set.name, k), depth))
                stopped[data_set.name, k] = least
        return chosen


def fit(rows: Split, depth: int, k: int | str, time_limit: float) -> dict[str, Any]:
    """Return accuracy on both parts of a split, and the seconds it took."""
    started = time.perf_counter()
    if k == GREEDY:
        return _greedy(rows, depth, started)
    outcome = ostrya.solve(
        rows.X,
        rows.y,
        leaf_penalty=0.0,
        max_depth=depth,
        time_limit=time_limit,
        top_k=ostrya.top_k.TopKSplits(k=k),
    )
    return {
        "seconds": time.perf_counter() - started,
        "status": outcome.status,
        "train": 1 - outcome.loss,
        "test": float(np.mean(outcome.tree.predict(rows.X_test) == rows.y_test)),
        "leaves": outcome.n_leaves,
        "columns": rows.X.shape[1],
    }


def _greedy(rows: Split, depth: int, started: float) -> dict[str, Any]:
    """Return what `fit` does for scikit-learn's tree, the paper's greedy line."""
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier(
        criterion="entropy", max_depth=depth, random_state=0
    ).fit(rows.X, rows.y)
    return {
        "seconds": time.perf_counter() - started,
        "status": "heuristic",
        "train": float(model.score(rows.X, rows.y)),
        "test": float(model.score(rows.X_test, rows.y_test)),
        "leaves": int(model.get_n_leaves()),
        "columns": rows.X.shape[1],
    }


def is_complete(record: dict[str, Any]) -> bool:
    """Tell whether a fit ended by itself; the paper leaves others out."""
    return record["status"] in ("optimal", "optimal_in_top_k", "heuristic")


def _key(record: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(record[name]) for name in KEY)


def _tell(place: int, total: int, record: dict[str, Any]) -> None:
    print(
        f"[{place}/{total}] {record['set']} split {record['split']} "
        f"depth {record['depth']} k={record['k']}: test {record['test']:.4f}, "
        f"{record['seconds']:.3g} s, {record['status']}",
        file=sys.stderr,
        flush=True,
    )
