"""The data sets of the benchmarks: size, licence, digest, public source."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.data import find, folder

CATALOG = Path(__file__).with_name("catalog.json")


@dataclass(frozen=True)
class DataSet:
    """One data set.

    Parameters
    ----------
    name : str
        The name that `benchmarks.data.find` accepts.
    file : str
        Path in the folder of data sets; `.gz` if it is stored compressed.
    rows, columns : int
        Size of the table; the last column is the label.
    what, papers : str
        What the table contains, and which paper uses it.
    licence : str
        Terms of use.
    digest : str
        SHA-256 of the uncompressed CSV.
    sources : tuple of str
        Paths of the public files: repository, commit, path.
    preparation : dict
        How the file is made from its sources, for `benchmarks.sources.prepare`.
    values : str
        "binary", "categorical" or "numeric".
    classes : tuple of str or None
        The labels; None for tables without classes.
    header : tuple of str or None
        Names of the columns, where a command needs them.
    """

    name: str
    file: str
    rows: int
    columns: int
    what: str
    papers: str
    licence: str
    digest: str
    sources: tuple[str, ...]
    preparation: dict[str, Any]
    values: str
    classes: tuple[str, ...] | None
    header: tuple[str, ...] | None = None

    def state(self) -> str:
        """Return "present", "absent", or "differs" if the digest is another one."""
        try:
            path = find(self.name)
        except FileNotFoundError:
            return "absent"
        text = path.read_bytes()
        if path.suffix == ".gz":
            text = gzip.decompress(text)
        return "present" if sha256(text).hexdigest() == self.digest else "differs"


@cache
def catalog() -> dict[str, DataSet]:
    """Return all data sets by name."""
    found = {}
    for entry in json.loads(CATALOG.read_text(encoding="utf-8")):
        for key in ("sources", "classes", "header"):
            if entry.get(key) is not None:
                entry[key] = tuple(entry[key])
        found[entry["name"]] = DataSet(**entry)
    return found


def absent(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the data sets that are not in the folder of data."""

    def is_absent(name: str) -> bool:
        try:
            find(name)
        except FileNotFoundError:
            return True
        return False

    return tuple(filter(is_absent, dict.fromkeys(names)))


def how_to_get(names: Iterable[str]) -> str:
    """Return a message that names what is missing, and how to get it."""
    wanted = " ".join(names)
    return (
        f"These data sets are not in {folder()}: {wanted}. To download them, run "
        f"`python -m benchmarks data {wanted} --fetch`. If you have them elsewhere, "
        "set the environment variable OSTRYA_DATA to their folder."
    )


def require(names: Iterable[str]) -> None:
    """End the command with a message if any of the data sets is missing."""
    missing = absent(names)
    if missing:
        raise SystemExit(how_to_get(missing))
