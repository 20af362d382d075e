"""Test Ostrya with random problems, limits, failures and files.

This is a separate program: see `python -m fuzz --help`. It uses the oracle and the
problem generators of the tests.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "tests") not in sys.path:
    sys.path.insert(0, str(ROOT / "tests"))
