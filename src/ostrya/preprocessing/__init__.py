"""Encode tables of any kind as matrices for the search; independent of the solver."""

from ostrya.preprocessing.binarizer import ThresholdBinarizer
from ostrya.preprocessing.compression import (
    CompressedTable,
    CompressionSummary,
    compress,
)
from ostrya.preprocessing.encoder import TableEncoder
from ostrya.preprocessing.features import Feature
from ostrya.preprocessing.table_transformer import TableTransformer

__all__ = [
    "CompressedTable",
    "CompressionSummary",
    "Feature",
    "TableEncoder",
    "TableTransformer",
    "ThresholdBinarizer",
    "compress",
]


def __dir__() -> list[str]:
    return __all__
