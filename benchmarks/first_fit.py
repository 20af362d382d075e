"""The first fit on raw tables: compare possible default settings on held-out rows.

Every table is read by pandas, as a user would, and split at random several times. The
defaults are compared with CART with the same number of leaves, with gradient boosting,
and with two packages for small trees, which get yes/no columns. Seconds are processor
seconds. Fits are kept in a file, so a command that was stopped can be resumed.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from benchmarks import ledger
from benchmarks.contenders import CONTENDERS
from benchmarks.data import ROOT, find
from benchmarks.environments import interpreter
from benchmarks.process import environment
from ostrya import OptimalTreeClassifier
from ostrya._solve import settings
from ostrya.preprocessing import ThresholdBinarizer
from ostrya.results import Progress

TABLES = (
    "coupon",
    "compas_text7",
    "broward_general_2y",
    "netherlands_11000",
    "fico",
    "topk/spambase",
    "contree/magic",
    "topk/dry-bean",
    "topk/credit-card",
    "topk/nursery",
)


@dataclass(frozen=True)
class Candidate:
    """One of our candidates for the default.

    Parameters
    ----------
    max_depth : int, "auto" or None
    seconds : float or None, default None
        Of the processor, after which the search is stopped.
    efforts : float, default 1
        The counted work of "auto", in what it is now.
    """

    max_depth: Any
    seconds: float | None = None
    efforts: float = 1


CANDIDATES = {
    "auto": Candidate("auto"),
    "auto, half the work": Candidate("auto", efforts=0.5),
    "auto, twice the work": Candidate("auto", efforts=2),
    "depth 3": Candidate(3, 10),
    "depth 4": Candidate(4, 10),
    "no limit, 10 s": Candidate(None, 10),
}
PEERS = ("licketysplit", "imodels")
#: Most thresholds per column of numbers, for peers that take yes/no columns.
PEER_THRESHOLDS = 8
LEAF_PENALTY = 0.01
HEADER = ("table", "method", "held-out", "training", "leaves", "seconds", "proved")


@dataclass
class Split:
    """A table, parted."""

    train: Any
    test: Any
    y: Any
    y_test: Any


@dataclass
class Score:
    """One fit: accuracy on rows held out and in training, leaves, time and proof."""

    accuracy: float
    training: float | None
    leaves: int | None
    seconds: float
    proof: str


def ours(split: Split, candidate: Candidate) -> Score:
    """Fit our classifier and score it."""
    began = time.process_time()

    def is_over(progress: Progress) -> bool:
        limit = candidate.seconds
        return limit is not None and time.process_time() - began >= limit

    effort = int(candidate.efforts * settings.AUTO_EFFORT)
    with (
        warnings.catch_warnings(),
        patch.object(settings, "AUTO_EFFORT", effort),
    ):
        warnings.simplefilter("ignore")
        model = OptimalTreeClassifier(
            leaf_penalty=LEAF_PENALTY,
            max_depth=candidate.max_depth,
            time_limit=None,
        ).fit(split.train, split.y, on_progress=is_over)
    seconds = time.process_time() - began
    depth = "any" if model.proved_depth_ is None else str(model.proved_depth_)
    return Score(
        float(model.score(split.test, split.y_test)),
        float(model.score(split.train, split.y)),
        model.n_leaves_,
        seconds,
        depth,
    )


def of_sklearn(split: Split, model: Any) -> Score:
    """Fit a model of scikit-learn on yes/no levels and score it."""
    both = pd.get_dummies(pd.concat([split.train, split.test]), dummy_na=True)
    numbers = both.to_numpy(dtype=np.float64, na_value=np.nan)
    old, new = numbers[: len(split.train)], numbers[len(split.train) :]
    with threadpool_limits(1):  # others wait in a loop, which counts as processor time
        began = time.process_time()
        model.fit(old, split.y)
        seconds = time.process_time() - began
    count = int(model.get_n_leaves()) if hasattr(model, "get_n_leaves") else None
    accuracy = float(model.score(new, split.y_test))
    return Score(accuracy, float(model.score(old, split.y)), count, seconds, "")


def of_peer(split: Split, name: str) -> Score:
    """Fit a peer in its own environment, on yes/no columns, and score it."""
    labels, codes = np.unique(split.y, return_inverse=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        questions = ThresholdBinarizer(n_thresholds=PEER_THRESHOLDS)
        old = np.asarray(questions.fit_transform(split.train), dtype=np.uint8)
        new = np.asarray(questions.transform(split.test), dtype=np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "split.npz"
        np.savez_compressed(file, train=old, y=codes, test=new)
        python = interpreter(CONTENDERS[name])
        told = (name, str(LEAF_PENALTY), str(file))
        done = subprocess.run(
            [python, "-m", "benchmarks.first_fit_worker", *told],
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        return Score(np.nan, None, None, np.nan, "none within its time, or refused")
    found = json.loads(done.stdout.splitlines()[-1])
    accuracy = float(np.mean(labels[found["test"]] == np.asarray(split.y_test)))
    training = float(np.mean(labels[found["train"]] == np.asarray(split.y)))
    proof = "reported" if found["claims_optimal"] else ""
    return Score(accuracy, training, found["leaves"], found["seconds"], proof)


def fit(split: Split, method: str, leaves: int) -> Score:
    """Fit one of the methods."""
    if method in CANDIDATES:
        return ours(split, CANDIDATES[method])
    if method in PEERS:
        return of_peer(split, method)
    if method == "gradient boosting":
        return of_sklearn(split, HistGradientBoostingClassifier(random_state=0))
    cart = DecisionTreeClassifier(max_leaf_nodes=max(leaves, 2), random_state=0)
    return of_sklearn(split, cart)


METHODS = (*CANDIDATES, "CART, same leaves", *PEERS, "gradient boosting")


def read(name: str) -> tuple[Any, Any]:
    """Return the columns of a table as pandas reads them, and its labels as texts."""
    frame = pd.read_csv(find(name), na_values=["?"])
    return frame.iloc[:, :-1], frame.iloc[:, -1].astype(str)


def chosen_methods(beginnings: Sequence[str]) -> tuple[str, ...]:
    """Return the methods whose names begin so, and the default; all where none is said.

    The default says how many leaves CART gets.
    """
    wanted = tuple(beginnings) or ("",)
    return tuple(m for m in METHODS if m == "auto" or m.startswith(wanted))


def scores(
    name: str, n_splits: int, output: Path, methods: Sequence[str] = METHODS
) -> dict[str, list[Score]]:
    """Return the scores of each method on a table, from the file or fitted now."""
    known = {
        (r["table"], r["method"], r["seed"]): Score(**r["score"])
        for r in ledger.read(output)
    }
    X, y = read(name)
    out: dict[str, list[Score]] = {method: [] for method in methods}
    for seed in range(n_splits):
        parts = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)
        leaves = 2  # until the default has said how many
        for method in methods:
            score = known.get((name, method, seed))
            if score is None:
                score = fit(Split(*parts), method, leaves)
                record = {"table": name, "method": method, "seed": seed}
                ledger.append(output, {**record, "score": asdict(score)})
            out[method].append(score)
            leaves = out["auto"][-1].leaves or 2
    return out


def mean(values: list[Any], digits: int) -> str:
    """Return the mean of what is known, in words."""
    known = [value for value in values if value is not None and np.isfinite(value)]
    return f"{np.mean(known):.{digits}f}" if known else ""


def report(
    n_splits: int,
    output: Path,
    tables: Sequence[str] = TABLES,
    methods: Sequence[str] = METHODS,
) -> Iterator[str]:
    """Yield the lines of a Markdown table: means over the splits."""
    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    for name in tables:
        for method, found in scores(name, n_splits, output, methods).items():
            cells = (
                name.rpartition("/")[2],
                method,
                mean([score.accuracy for score in found], 4),
                mean([score.training for score in found], 4),
                mean([score.leaves for score in found], 1),
                mean([score.seconds for score in found], 1),
                ", ".join(dict.fromkeys(s.proof for s in found if s.proof)),
            )
            yield f"| {' | '.join(cells)} |"
