"""Download data sets from public sources, prepare them, and check their digests."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

from benchmarks.data import folder, read_rows
from benchmarks.sources.catalog import DataSet, absent, catalog
from benchmarks.sources.prepare import Rows, prepare, written

#: Serves any file of a public repository at a given commit.
SERVER = "https://raw.githubusercontent.com"
SECONDS = 60.0


class FetchError(Exception):
    """A data set could not be fetched; the message says why."""


def fetch(names: Iterable[str], server: str = SERVER) -> Iterator[str]:
    """Fetch the data sets that are absent, and yield one line for each.

    A data set whose download or digest fails leaves no file behind.
    """
    for name in ordered(names):
        if not absent([name]):
            yield f"{name}: already there"
            continue
        data_set = catalog()[name]
        try:
            path = fetch_one(data_set, server)
        except FetchError as reason:
            yield f"{name}: not fetched. {reason}"
        else:
            yield f"{name}: {path} (terms of use: {data_set.licence})"


def ordered(names: Iterable[str]) -> list[str]:
    """Return the names with the tables that folds divide before their folds."""
    wanted: dict[str, None] = {}
    for name in names:
        whole = catalog()[name].preparation.get("of")
        if whole is not None:
            wanted[whole] = None
        wanted[name] = None
    return list(wanted)


def fetch_one(data_set: DataSet, server: str) -> Path:
    """Download and prepare one data set, and return its file."""
    if data_set.preparation["kind"] == "none":
        raise FetchError(
            f"Its preparation is not automated; the source is {data_set.sources[0]}."
        )
    files = [download(f"{server}/{quote(path)}") for path in data_set.sources]
    whole: Rows = []
    if "of" in data_set.preparation:
        whole = read_rows(data_set.preparation["of"])
    try:
        text = written(prepare(data_set.preparation, files, whole)).encode()
    except (IndexError, KeyError, StopIteration, ValueError) as error:
        raise FetchError(
            f"The source does not have the expected format ({error!r})."
        ) from None
    found = sha256(text).hexdigest()
    if found != data_set.digest:
        raise FetchError(
            f"The prepared table has digest {found[:12]}, expected "
            f"{data_set.digest[:12]}: the source has changed."
        )
    return store(folder() / data_set.file, text)


def download(url: str) -> str:
    """Return the text at an address."""
    try:
        with urlopen(url, timeout=SECONDS) as answer:
            return str(answer.read().decode("utf-8-sig"))
    except (URLError, TimeoutError, UnicodeDecodeError) as error:
        raise FetchError(f"{url} could not be read: {error}.") from None


def store(path: Path, text: bytes) -> Path:
    """Write a file at once, compressed if its name says so."""
    if path.suffix == ".gz":
        text = gzip.compress(text, mtime=0)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(text)
        part.rename(path)
    except OSError as error:
        raise FetchError(
            f"{path} could not be written ({error.strerror}). Set OSTRYA_DATA to a "
            "folder that you can write to."
        ) from None
    return path
