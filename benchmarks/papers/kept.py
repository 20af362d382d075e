"""Write tables and figures that are kept, each with its command and commit."""

from __future__ import annotations

import csv
import io
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.data import ROOT
from benchmarks.folders import PAPERS
from benchmarks.machine import cpu

#: What decides a result; changes elsewhere do not make a commit another one.
CODE = ("src", "cpp", "benchmarks", ":!benchmarks/results")


DIGITS = re.compile(r"(?<=[\s\"(])(-?\d+\.\d\d)\d+(?=[\s\",)])")


@cache
def commit() -> str:
    """Return the commit of the code, with a mark if files differ from it."""

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    name = git("rev-parse", "--short=10", "HEAD")
    if not name:
        return "unknown"
    return f"{name} with changes" if git("status", "--short", "--", *CODE) else name


def origin(command: str) -> str:
    """Return what a reader needs to repeat a result."""
    return f"python -m benchmarks {command}; commit {commit()}; {cpu()}"


def write_table(
    path: Path,
    columns: Sequence[str],
    rows: Iterable[Mapping[str, Any]],
    command: str,
    *notes: str,
) -> Path:
    """Write a CSV whose first lines, marked by `#`, tell where it comes from."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        for line in (origin(command), *notes):
            file.write(f"# {line}\n")
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: short(row[name]) for name in columns} for row in rows)
    return path


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a kept CSV as text."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return list(
        csv.DictReader(io.StringIO("".join(s for s in lines if s[0] != "#"))),
    )


def short(value: Any) -> Any:
    """Return numbers with five digits, and nothing for None."""
    if isinstance(value, float):
        return f"{value:.5g}"
    return "" if value is None else value


def save_figure(figure: Any, path: Path, command: str) -> Path:
    """Write a figure as SVG with its origin below, the same bytes for the same data."""
    import matplotlib

    path.parent.mkdir(parents=True, exist_ok=True)
    figure.text(0.005, 0.002, origin(command), fontsize=5, color="gray", va="bottom")
    with matplotlib.rc_context({"svg.hashsalt": path.stem, "svg.fonttype": "none"}):
        figure.savefig(path, format="svg", metadata={"Date": None})
    # Matplotlib leaves blanks at line ends, which checks of the repository reject, and
    # six digits, of which two suffice.
    text = DIGITS.sub(r"\1", path.read_text(encoding="utf-8"))
    lines = (line.strip() for line in text.splitlines())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def place(*parts: str) -> Path:
    """Return a path below the folder of kept results."""
    return PAPERS.joinpath(*parts)
