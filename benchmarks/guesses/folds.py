"""The rows of a fold at guessed thresholds, computed once and stored in a file.

All contenders read the same file: Ostrya the interval codes, GOSDT the yes/no columns.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from benchmarks.data import load, thresholds
from benchmarks.folders import RESULTS
from benchmarks.guesses.cases import DEPTH, FOLDS, Case
from benchmarks.problem import Group, Problem

CACHE = RESULTS / "guesses"


def read(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns and the label codes of a data set."""
    return load(Problem(name, Group.THRESHOLDS, penalty=0.0, depth=DEPTH))


def is_test(n_rows: int, fold: int) -> np.ndarray:
    """Return which rows a fold leaves out of training.

    From fold 5 on the rows are shuffled anew: cross-validation repeated.
    """
    repeat, part = divmod(fold, FOLDS)
    order = np.random.default_rng(repeat).permutation(n_rows)
    out = np.zeros(n_rows, dtype=bool)
    out[order[part::FOLDS]] = True
    return out


def path_of(case: Case) -> Path:
    """Return the file of the rows of a case."""
    model = "all" if case.reference is None else "{}x{}".format(*case.reference)
    return CACHE / f"{case.data}-{model}-{case.fold}.npz"


def seconds_of_guess(path: Path) -> float | None:
    """Return what fitting the reference and guessing took; None without a guess."""
    with np.load(path) as rows:
        return float(rows["guess_seconds"]) if "guess_seconds" in rows else None


def prepare(case: Case) -> Path:
    """Write the rows of a case, unless they are there; return their file."""
    path = path_of(case)
    if path.exists():
        return path
    X, y = read(case.data)
    test = is_test(len(y), case.fold)
    columns, answers, facts = X, None, {}
    if case.reference is not None:
        from sklearn.ensemble import GradientBoostingClassifier

        from ostrya.guesses import ThresholdGuess

        n_estimators, max_depth = case.reference
        start = time.perf_counter()
        guess = ThresholdGuess(
            GradientBoostingClassifier(
                n_estimators=n_estimators, max_depth=max_depth, random_state=0
            )
        ).fit(X[~test], y[~test])
        facts = {
            "guess_seconds": time.perf_counter() - start,
            "n_before": guess.n_thresholds_before_,
            "n_after": guess.n_thresholds_after_,
            "score_before": guess.reference_score_before_,
            "score_after": guess.reference_score_after_,
            "reference": guess.reference_.predict(X),
        }
        columns, answers = guess.encode(X), guess.transform(X)
    if answers is None:
        answers = thresholds(X)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, X=columns, answers=answers, y=y, test=test, **facts)
    part.rename(path)
    return path
