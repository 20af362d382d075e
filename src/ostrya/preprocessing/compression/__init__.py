"""Tables that do not fit in memory, as groups of equal rows and their counts."""

from ostrya.preprocessing.compression.compress import compress, is_lazy
from ostrya.preprocessing.compression.compressed_table import CompressedTable, Cuts

__all__ = ["CompressedTable", "Cuts", "compress", "is_lazy"]
