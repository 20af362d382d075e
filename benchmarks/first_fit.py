"""The first fit on raw tables: what different defaults would give, on held-out rows.

Every table is read as a person would, by pandas, and parted at random several times.
Beside our candidates are CART with as many leaves as the default found, and gradient
boosting, which nobody reads. Seconds are of the processor.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from benchmarks.data import find
from ostrya import OptimalTreeClassifier

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
#: Our candidates: a name, and what the classifier is given.
CANDIDATES: dict[str, dict[str, Any]] = {
    "auto": {},
    "depth 3": {"max_depth": 3, "time_limit": 10},
    "depth 4": {"max_depth": 4, "time_limit": 10},
    "no limit, 10 s": {"max_depth": None, "time_limit": 10},
}
HEADER = ("table", "method", "held-out", "leaves", "seconds", "proofs")


@dataclass
class Score:
    """One fit: its accuracy on rows held out, its leaves, time and proof."""

    accuracy: float
    leaves: int | None
    seconds: float
    proof: str


def ours(train: Any, y: Any, test: Any, y_test: Any, **given: Any) -> Score:
    """Fit our classifier and score it."""
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = OptimalTreeClassifier(**given).fit(train, y)
        accuracy = float(model.score(test, y_test))
    depth = "any" if model.proved_depth_ is None else str(model.proved_depth_)
    return Score(accuracy, model.n_leaves_, time.process_time() - began, depth)


def others(
    train: Any, y: Any, test: Any, y_test: Any, leaves: int
) -> Iterator[tuple[str, Score]]:
    """Fit CART with as many leaves, and gradient boosting, on yes/no levels."""
    both = pd.get_dummies(pd.concat([train, test]), dummy_na=True)
    numbers = both.to_numpy(dtype=np.float64, na_value=np.nan)
    old, new = numbers[: len(train)], numbers[len(train) :]
    for name, model in (
        (
            "CART, as many leaves",
            DecisionTreeClassifier(max_leaf_nodes=max(leaves, 2), random_state=0),
        ),
        ("gradient boosting", HistGradientBoostingClassifier(random_state=0)),
    ):
        began = time.process_time()
        model.fit(old, y)
        seconds = time.process_time() - began
        count = model.get_n_leaves() if hasattr(model, "get_n_leaves") else None
        yield name, Score(float(model.score(new, y_test)), count, seconds, "")


def read(name: str) -> tuple[Any, Any]:
    """Return the columns of a table as pandas reads them, and its labels as texts."""
    frame = pd.read_csv(find(name), na_values=["?"])
    return frame.iloc[:, :-1], frame.iloc[:, -1].astype(str)


def report(n_splits: int) -> Iterator[str]:
    """Yield the lines of a Markdown table: means over the splits."""
    yield f"| {' | '.join(HEADER)} |"
    yield f"| {' | '.join('---' for _ in HEADER)} |"
    for name in TABLES:
        X, y = read(name)
        scores: dict[str, list[Score]] = {}
        for seed in range(n_splits):
            parts = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)
            split = (parts[0], parts[2], parts[1], parts[3])
            for candidate, given in CANDIDATES.items():
                scores.setdefault(candidate, []).append(ours(*split, **given))
            leaves = scores["auto"][-1].leaves
            for other, score in others(*split, leaves or 2):
                scores.setdefault(other, []).append(score)
        for method, found in scores.items():
            counts = [score.leaves for score in found if score.leaves is not None]
            cells = (
                name,
                method,
                f"{np.mean([score.accuracy for score in found]):.4f}",
                f"{np.mean(counts):.1f}" if counts else "",
                f"{np.mean([score.seconds for score in found]):.1f}",
                ", ".join(score.proof for score in found if score.proof),
            )
            yield f"| {' | '.join(cells)} |"
