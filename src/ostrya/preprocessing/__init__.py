"""Tables of any kind to matrices of questions; knows no solver."""

from typing import TYPE_CHECKING, Any

from ostrya.preprocessing.binarizer import ThresholdBinarizer
from ostrya.preprocessing.compression import CompressedTable, compress
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.features import Feature
from ostrya.preprocessing.table_transformer import TableTransformer

if TYPE_CHECKING:
    from ostrya._guesses.threshold_guess import ThresholdGuess

__all__ = [
    "CompressedTable",
    "Feature",
    "TableEncoder",
    "TableTransformer",
    "ThresholdBinarizer",
    "ThresholdGuess",
    "compress",
]


def __getattr__(name: str) -> Any:
    # Guesses are made from encoded tables, so they cannot be imported before these.
    if name != "ThresholdGuess":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ostrya._guesses.threshold_guess import ThresholdGuess

    return ThresholdGuess


def __dir__() -> list[str]:
    return __all__
