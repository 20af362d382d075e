"""Read the splits of tree ensembles, that is, the thresholds of a reference model.

Each reader reads one kind of fitted model and returns `Splits`. `read_splits` chooses
the reader.
"""

from ostrya._guesses.ensembles.readers import is_readable, read_splits
from ostrya._guesses.ensembles.splits import Splits

__all__ = ["Splits", "is_readable", "read_splits"]
