"""The runs behind the tables and figures, kept as they end; each in its own process."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import data, ledger
from benchmarks.machine import describe
from benchmarks.problem import Problem

RESULTS = Path(__file__).resolve().parents[1] / "results"
PENALTY = 0.005
#: Columns of the tree the paper found (Figure 4), which Figure 3 keeps throughout.
FIRST_COLUMNS = 4
