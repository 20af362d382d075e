"""Read the splits of tree ensembles: which thresholds a reference model asks about.

Each reader takes one kind of fitted model and returns `Splits`; `read_splits` finds the
reader.
"""

from ostrya._guesses.ensembles.readers import is_readable, read_splits
from ostrya._guesses.ensembles.splits import Splits

__all__ = ["Splits", "is_readable", "read_splits"]
