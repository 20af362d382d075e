"""Guesses from a reference model, which make long searches shorter."""

from ostrya._guesses.depth import depth_guess
from ostrya._guesses.guess import Guess
from ostrya._guesses.report import GuessReport
from ostrya._guesses.threshold_guess import ThresholdGuess

__all__ = ["Guess", "GuessReport", "ThresholdGuess", "depth_guess"]


def __dir__() -> list[str]:
    return __all__
