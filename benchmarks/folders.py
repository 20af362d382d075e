"""Where benchmarks read data and write results."""

from __future__ import annotations

import os
from pathlib import Path

#: Results, kept or ignored by git; tests write elsewhere.
RESULTS = Path(
    os.environ.get("OSTRYA_BENCHMARK_RESULTS")
    or Path(__file__).resolve().parent / "results"
)
#: Tables and figures of the papers, which `docs/papers.md` links.
PAPERS = RESULTS / "papers"
