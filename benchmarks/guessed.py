"""Columns restricted to guessed thresholds, which are computed once and stored."""

from __future__ import annotations

import numpy as np

from benchmarks.folders import RESULTS

ENCODING = "guessed"
CACHE = RESULTS / "guessed"


def columns(name: str, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the interval codes of a data set under `ThresholdGuess()`.

    Contenders cannot guess in environments of their own: the first to ask must have
    ostrya, and the others read its file. To guess anew, remove it.
    """
    path = CACHE / f"{name}.npz"
    if not path.exists():
        from ostrya.guesses import ThresholdGuess

        codes = ThresholdGuess().fit(X, y).encode(X)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part.npz")
        np.savez_compressed(part, X=codes)
        part.rename(path)
    with np.load(path) as stored:
        return stored["X"].astype(np.float64)
