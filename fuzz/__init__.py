"""Problems, limits, failures and files at random, for as long as one likes.

A program of its own: `python -m fuzz --help`. It takes the oracle and the makers of
problems from the tests.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "tests") not in sys.path:
    sys.path.insert(0, str(ROOT / "tests"))
