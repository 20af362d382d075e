"""The command that writes the results of the raw suite."""

from __future__ import annotations

from pathlib import Path

from benchmarks.raw import plots
from benchmarks.raw.report import render
from benchmarks.raw.runs import Runs


def write(records: Path, report: Path, images: Path) -> str:
    """Write the report and its figures, and return the report."""
    runs = Runs.read(records)
    text = render(runs)
    if runs.results:
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(text)
        plots.gaps_over_time(runs, images / "raw-gaps.svg")
        plots.before_and_after(runs, "dl85", images / "raw-dl85.svg")
    return text
