"""Guess: what to guess from a reference ensemble, each part by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ostrya._arguments import check_number

PARTS = ("thresholds", "depth", "bounds")
ALLOWED = (
    'guess must be None, "auto", some of "thresholds", "depth" and "bounds" joined by '
    '"+", a Guess, or a classifier'
)


class Guess(BaseEstimator):  # type: ignore[misc]
    """The parts of a search that a reference ensemble may guess [1]_.

    Give it as ``OptimalTreeClassifier(guess=Guess(...))``.

    Parameters
    ----------
    reference : classifier, default=None
        The ensemble to guess from, as for `ThresholdGuess`; for `bounds` alone any
        classifier will do. None: gradient boosting in one of the four sizes of the
        paper, the one with the fewest thresholds that is good enough on held-out rows.
    thresholds : bool, default=True
        Search only the thresholds that the reference needs: see `ThresholdGuess`.
    depth : bool, default=True
        Search no deeper than it takes to match the reference: see `depth_guess`.
        A smaller ``max_depth`` holds.
    bounds : bool, default=True
        Take what the reference loses on rows for what any tree must lose on them.
        The search is much faster; the tree found need not be optimal.
    max_drop : float, default=0.0
        As for `ThresholdGuess`.
    check : bool, default=True
        Warn when the reference is poor: when on held-out rows it is clearly behind
        plain gradient boosting, or not clearly better than the one label that loses
        least. A reference that was given fitted is scored on the training rows.

    References
    ----------
    .. [1] H. McTavish, C. Zhong et al., "Fast sparse decision tree optimization via
       reference ensembles", AAAI 2022.

    Examples
    --------
    >>> from ostrya import Guess, OptimalTreeClassifier
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = OptimalTreeClassifier(leaf_penalty=0.01, guess=Guess(depth=False))
    >>> clf.fit(X, y).status_
    'guessed'
    >>> clf.gap_ == clf.guess_.guarantee
    True
    """

    def __init__(
        self,
        reference: Any = None,
        *,
        thresholds: bool = True,
        depth: bool = True,
        bounds: bool = True,
        max_drop: float = 0.0,
        check: bool = True,
    ) -> None:
        self.reference = reference
        self.thresholds = thresholds
        self.depth = depth
        self.bounds = bounds
        self.max_drop = max_drop
        self.check = check


def _check_parts(guess: Guess) -> None:
    """Raise where a part of a guess is not what it must be."""
    for name in (*PARTS, "check"):
        value = getattr(guess, name)
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} of Guess must be True or False; got {value!r}")
    check_max_drop("max_drop of Guess", guess.max_drop)


def check_max_drop(name: str, value: Any) -> float:
    """Return the share of the training weight that a reference may lose, or raise."""
    return check_number(
        name, value, "a number >= 0 and < 1", lambda number: 0 <= number < 1
    )


def read_guess(guess: Any) -> Guess | None:
    """Return the guesses that an estimator's ``guess`` stands for, or raise.

    Parameters
    ----------
    guess : None, str, Guess or classifier
        None: nothing. "auto": all parts. Names of parts joined by "+": these. A
        classifier: all parts, from this reference.
    """
    if guess is None:
        return None
    if isinstance(guess, Guess):
        _check_parts(guess)
        return guess
    if isinstance(guess, str):
        wanted = PARTS if guess == "auto" else guess.split("+")
        if set(wanted) <= set(PARTS):
            return Guess(**{part: part in wanted for part in PARTS})
        raise ValueError(f"{ALLOWED}; got {guess!r}")
    if hasattr(guess, "predict") and not isinstance(guess, type):
        return Guess(reference=guess)
    raise TypeError(f"{ALLOWED}; got {guess!r}")
