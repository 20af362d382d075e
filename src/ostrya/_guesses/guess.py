"""Guess: choose which parts of a search a reference ensemble restricts."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ostrya._arguments import check_number

PARTS = ("thresholds", "depth", "bounds")
ALLOWED = (
    'guess must be None, "auto", "thresholds", "depth", "bounds" or several of these '
    'joined by "+", a Guess, or a classifier'
)


class Guess(BaseEstimator):  # type: ignore[misc]
    """Settings of a search that is restricted by a reference ensemble [1]_.

    Pass it as ``OptimalTreeClassifier(guess=Guess(...))``.

    Parameters
    ----------
    reference : classifier, default=None
        The reference ensemble, as for `ThresholdGuess`. If only `bounds` is True, any
        classifier is allowed. If None, gradient boosting in one of the four sizes of
        the paper is used: the one with the fewest thresholds that is accurate enough on
        held-out rows.
    thresholds : bool, default=True
        Search only the thresholds that the reference needs; see `ThresholdGuess`.
    depth : bool, default=True
        Limit the depth to one that suffices to match the reference; see `depth_guess`.
        A smaller ``max_depth`` takes precedence.
    bounds : bool, default=True
        Assume that no tree loses less than the reference on any set of rows. The search
        is much faster, but the tree found is not necessarily optimal.
    polish : bool, default=True
        With `bounds`: first search for the optimal tree if that takes about a second,
        and improve a guessed tree by searches of its subtrees. Set it to False only to
        compare with lower bounds as published in [1]_: the tree is never better, and
        often not found sooner.
    max_drop : float, default=0.0
        As for `ThresholdGuess`.
    check : bool, default=True
        Warn if the reference is inaccurate: if on held-out rows it is clearly worse
        than plain gradient boosting, or not clearly better than predicting the best
        single label. A fitted reference is scored on the training rows instead.

    References
    ----------
    .. [1] H. McTavish, C. Zhong et al., "Fast sparse decision tree optimization via
       reference ensembles", AAAI 2022.

    Examples
    --------
    >>> from ostrya import OptimalTreeClassifier
    >>> from ostrya.guesses import Guess
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = OptimalTreeClassifier(leaf_penalty=0.01, guess=Guess(depth=False))
    >>> clf.fit(X, y).status_
    'guessed_bounds'
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
        polish: bool = True,
        max_drop: float = 0.0,
        check: bool = True,
    ) -> None:
        self.reference = reference
        self.thresholds = thresholds
        self.depth = depth
        self.bounds = bounds
        self.polish = polish
        self.max_drop = max_drop
        self.check = check


def _check_parts(guess: Guess) -> None:
    """Raise if a parameter of a guess is invalid."""
    for name in (*PARTS, "polish", "check"):
        value = getattr(guess, name)
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} of Guess must be True or False; got {value!r}")
    check_max_drop("max_drop of Guess", guess.max_drop)


def check_max_drop(name: str, value: Any) -> float:
    """Return the allowed drop in training accuracy, or raise."""
    return check_number(
        name, value, "a number >= 0 and < 1", lambda number: 0 <= number < 1
    )


def read_guess(guess: Any) -> Guess | None:
    """Return the Guess for the parameter ``guess`` of an estimator, or raise.

    Parameters
    ----------
    guess : None, str, Guess or classifier
        None restricts nothing. "auto" means all parts, names joined by "+" mean these
        parts, and a classifier means all parts with this reference.
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
