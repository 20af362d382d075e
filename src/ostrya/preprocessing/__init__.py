"""Tables of any kind to matrices of questions; knows no solver."""

from ostrya.preprocessing.binarizer import ThresholdBinarizer
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.features import Feature
from ostrya.preprocessing.threshold_guess import ThresholdGuess

__all__ = ["Feature", "TableEncoder", "ThresholdBinarizer", "ThresholdGuess"]
