"""Compress tables that do not fit in memory to groups of equal rows with counts."""

from ostrya.preprocessing.compression.compress import compress, is_lazy
from ostrya.preprocessing.compression.compressed_table import (
    CompressedTable,
    CompressionSummary,
)

__all__ = ["CompressedTable", "CompressionSummary", "compress", "is_lazy"]
