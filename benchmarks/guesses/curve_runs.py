"""The runs behind the figures of the guesses paper, fold by fold.

Each run fits one model to the training rows of a fold: ours with all guesses, with
lower bounds as published, and without guesses; CART; DL8.5 with guesses (Algorithm 1 of
the paper, in Python); and gradient boosting, the black line of the paper's figures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from benchmarks.guesses.dl85_reference import Dl85
from benchmarks.guesses.folds import is_test, read
from benchmarks.guesses.paper import DATA_SETS

#: The reference that the paper uses for each data set, as in its section 5.
REFERENCES = {
    "compas": (20, 3),
    "spiral": (20, 3),
    "broward_general_2y": (40, 1),
    "fico": (40, 1),
    "coupon_carryout": (50, 2),
    "coupon_restaurant": (50, 2),
    "netherlands_11000": (30, 2),
}
#: All penalties of Table 3, and the one of the other tables.
PENALTIES = {d.file: d.table3 for d in DATA_SETS} | {"spiral": (0.1, 0.05, 0.02, 0.01)}
USUAL_PENALTY = {d.file: d.penalty for d in DATA_SETS} | {"spiral": 0.01}
#: Figure 21 shows what a reference does that is not accurate enough.
POOR_REFERENCE = (40, 1)
BLACK_BOX = (100, 3)
GUESSED, PUBLISHED, PLAIN = "guesses", "guesses as published", "no guess"
CART, DL85, BOOSTING = "CART", "DL8.5 guesses", "boosting"
METHODS = (GUESSED, PUBLISHED, PLAIN, CART, DL85)
#: Methods for which a depth limit is optional.
WITHOUT_DEPTH = (GUESSED, PUBLISHED, PLAIN)


@dataclass(frozen=True)
class Run:
    """One model to fit; None stands for no depth limit, or for no reference."""

    data: str
    fold: int
    method: str
    reference: tuple[int, int] | None
    depth: int | None
    penalty: float

    @property
    def key(self) -> str:
        """The words that identify the run."""
        model = "-" if self.reference is None else "{}x{}".format(*self.reference)
        return (
            f"{self.data} {self.method} {model} depth {self.depth} "
            f"{self.penalty:g} fold {self.fold}"
        )


class Fold(NamedTuple):
    """The rows of a fold, and whether each is left out of training."""

    X: np.ndarray
    y: np.ndarray
    test: np.ndarray


class Guessed(NamedTuple):
    """The columns and labels that a reference provides."""

    codes: np.ndarray
    answers: np.ndarray
    labels: np.ndarray
    seconds: float


def runs_of(
    data: str, folds: int, depths: tuple[int | None, ...], penalties: tuple[float, ...]
) -> Iterator[Run]:
    """Yield the runs of a data set, fold by fold."""
    folds = 1 if data == "spiral" else folds  # all rows, as in the paper
    for fold in range(folds):
        yield Run(data, fold, BOOSTING, BLACK_BOX, BLACK_BOX[1], 0.0)
        for penalty in penalties:
            for depth in depths:
                for method in METHODS:
                    if depth is None and method not in WITHOUT_DEPTH:
                        continue
                    is_free = method in (PLAIN, CART)
                    reference = None if is_free else REFERENCES[data]
                    yield Run(data, fold, method, reference, depth, penalty)
                if data == "spiral":
                    for method in (PUBLISHED, DL85):
                        if depth is not None or method in WITHOUT_DEPTH:
                            poor = POOR_REFERENCE
                            yield Run(data, fold, method, poor, depth, penalty)


class Laboratory:
    """Fits models, and keeps the rows and guesses of the last fold."""

    def __init__(self, time_limit: float) -> None:
        self.time_limit = time_limit
        self._folds: dict[tuple[str, int], Fold] = {}
        self._guesses: dict[tuple[str, int, tuple[int, int]], Guessed] = {}

    def record(self, run: Run) -> dict[str, Any]:
        """Fit a model, and return what is kept of it."""
        rows = self.rows(run)
        guess = None
        if run.reference is not None and run.method != BOOSTING:
            guess = self.guess(run)
        start = time.perf_counter()
        found = METHODS_BY_NAME[run.method](run, rows, guess, self.time_limit)
        seconds = time.perf_counter() - start
        is_right = found["labels"] == rows.y
        return {
            "run": run.key,
            "data": run.data,
            "fold": run.fold,
            "method": run.method,
            "reference": "" if guess is None else "{}x{}".format(*run.reference or ()),
            "depth": run.depth,
            "penalty": run.penalty,
            "guess_seconds": None if guess is None else guess.seconds,
            "seconds": seconds,
            "train": float(is_right[~rows.test].mean()),
            "test": float(is_right[rows.test].mean()) if rows.test.any() else None,
            "leaves": found["leaves"],
            "status": found["status"],
        }

    def rows(self, run: Run) -> Fold:
        """Return the rows of a run."""
        key = run.data, run.fold
        if key not in self._folds:
            X, y = read(run.data)
            test = is_test(len(y), run.fold)
            if run.data == "spiral":
                test[:] = False
            self._folds = {key: Fold(X, y, test)}
        return self._folds[key]

    def guess(self, run: Run) -> Guessed:
        """Return the thresholds and labels of the reference of a run."""
        from ostrya.guesses import ThresholdGuess

        assert run.reference is not None
        key = run.data, run.fold, run.reference
        if key not in self._guesses:
            rows = self.rows(run)
            start = time.perf_counter()
            guess = ThresholdGuess(boosting(*run.reference))
            guess.fit(rows.X[~rows.test], rows.y[~rows.test])
            labels = guess.reference_.predict(rows.X).astype(np.int64)
            seconds = time.perf_counter() - start
            self._guesses[key] = Guessed(
                guess.encode(rows.X), guess.transform(rows.X), labels, seconds
            )
        return self._guesses[key]


def boosting(n_estimators: int, max_depth: int) -> Any:
    """Return gradient boosting with the settings of the paper."""
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(
        n_estimators=n_estimators, max_depth=max_depth, random_state=0
    )


def _ours(
    run: Run, rows: Fold, guess: Guessed | None, time_limit: float
) -> dict[str, Any]:
    import ostrya

    X, train = rows.X if guess is None else guess.codes, ~rows.test
    options: dict[str, Any] = {}
    if guess is not None:
        options["reference_labels"] = guess.labels[train]
        options["polish"] = run.method != PUBLISHED
    found = ostrya.solve(
        X[train],
        rows.y[train],
        leaf_penalty=run.penalty,
        max_depth=run.depth,
        time_limit=time_limit,
        memory_limit=2 << 30,
        **options,
    )
    return {
        "labels": found.tree.predict(X),
        "leaves": found.n_leaves,
        "status": found.status,
    }


def _cart(
    run: Run, rows: Fold, guess: Guessed | None, time_limit: float
) -> dict[str, Any]:
    from sklearn.tree import DecisionTreeClassifier

    train = ~rows.test
    model = DecisionTreeClassifier(
        max_depth=run.depth, min_samples_leaf=support(run, rows), random_state=0
    ).fit(rows.X[train], rows.y[train])
    return {
        "labels": model.predict(rows.X),
        "leaves": int(model.get_n_leaves()),
        "status": "greedy",
    }


def _dl85(
    run: Run, rows: Fold, guess: Guessed | None, time_limit: float
) -> dict[str, Any]:
    assert guess is not None
    assert run.depth is not None
    train = ~rows.test
    search = Dl85(
        guess.answers[train],
        rows.y[train],
        run.depth,
        support(run, rows),
        guess.labels[train],
        time_limit,
    )
    found = search.solve()
    return {
        "labels": found.tree.predict(guess.answers.astype(bool)),
        "leaves": found.tree.n_leaves,
        "status": "guessed" if found.is_complete else "time_limit",
    }


def _boosting(
    run: Run, rows: Fold, guess: Guessed | None, time_limit: float
) -> dict[str, Any]:
    assert run.reference is not None
    train = ~rows.test
    model = boosting(*run.reference).fit(rows.X[train], rows.y[train])
    leaves = sum(int(tree[0].get_n_leaves()) for tree in model.estimators_)
    return {"labels": model.predict(rows.X), "leaves": leaves, "status": "greedy"}


def support(run: Run, rows: Fold) -> int:
    """Return the fewest rows of a leaf that stand for a penalty, as in the paper."""
    return max(1, ceil(run.penalty * int((~rows.test).sum())))


Method = Callable[[Run, Fold, Guessed | None, float], dict[str, Any]]
METHODS_BY_NAME: dict[str, Method] = {
    GUESSED: _ours,
    PUBLISHED: _ours,
    PLAIN: _ours,
    CART: _cart,
    DL85: _dl85,
    BOOSTING: _boosting,
}
