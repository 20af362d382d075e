"""Read the splits of tree ensembles: which thresholds a reference model asks about.

Each reader takes one kind of fitted model and returns `Splits`; `read_splits` finds the
reader.
"""

from ostrya.preprocessing.references.readers import is_readable, read_splits
from ostrya.preprocessing.references.splits import Splits

__all__ = ["Splits", "is_readable", "read_splits"]
