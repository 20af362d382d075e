"""Turn public files into the tables of the benchmarks.

Every preparation returns the lines of a CSV file, header first and label last. Cells
are copied as text: only outer blanks and quotes are removed. The digest in the catalog
decides whether the result is right.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

Rows = list[list[str]]
DELIMITERS = (";", ",", "\t")


def prepare(preparation: dict[str, Any], files: Sequence[str], whole: Rows) -> Rows:
    """Return the rows of a data set, header first.

    `files` are the texts of its sources; `whole` is the table that folds divide, and
    empty for other data sets.
    """
    kinds = {
        "table": table,
        "monk": monk,
        "libsvm": libsvm,
        "label_first": label_first,
    }
    if preparation["kind"] == "folds":
        return folds(whole, [split(text) for text in files])
    return kinds[preparation["kind"]](preparation, files)


def split(text: str) -> Rows:
    """Return the cells of a file with whichever delimiter its first line has."""
    first = text.partition("\n")[0]
    used = [each for each in DELIMITERS if each in first]
    if used:
        lines = csv.reader(io.StringIO(text), delimiter=used[0], skipinitialspace=True)
        return [[cell.strip().strip("\"'") for cell in line] for line in lines if line]
    return [line.split() for line in text.splitlines() if line.strip()]


def table(preparation: dict[str, Any], files: Sequence[str]) -> Rows:
    """Return a table with a header, after the changes that the preparation names."""
    (text,) = files
    head, *rows = split(text)
    if "filled" in preparation:
        at = head.index(preparation["filled"])
        rows = [row for row in rows if row[at]]
    dropped = preparation.get("dropped", ())
    kept = preparation.get("columns") if "columns" in preparation else None
    if kept is None:
        kept = [name for name in head if name not in dropped]
        places = [at for at, name in enumerate(head) if name not in dropped]
    else:
        places = [head.index(name) for name in kept]
    rows = [[row[at] for at in places] for row in rows]
    head = list(kept)
    if "one_hot_label" in preparation:
        classes = preparation["one_hot_label"]
        at = len(head) - len(classes)
        head = [*head[:at], preparation["label"]]
        rows = [[*row[:at], classes[_one(row[at:])]] for row in rows]
    if "numbered" in preparation:
        numbered = (f"{preparation['numbered']}{i}" for i in range(len(head) - 1))
        head = [*numbered, "class"]
    head = list(preparation.get("header", head))
    labels = preparation.get("labels", {})
    rows = [[*row[:-1], labels.get(row[-1], row[-1])] for row in rows]
    return [head, *rows]


def _one(cells: Sequence[str]) -> int:
    """Return the place of the cell that is one."""
    return [float(cell) for cell in cells].index(1.0)


def monk(preparation: dict[str, Any], files: Sequence[str]) -> Rows:
    """Return a table of MONK: the source puts the class first and a6 one too low."""
    (text,) = files
    head, *rows = split(text)
    return [head, *([*row[1:6], str(int(row[6]) + 1), row[0]] for row in rows)]


def libsvm(preparation: dict[str, Any], files: Sequence[str]) -> Rows:
    """Return the rows of LIBSVM files, one file after the other."""
    rows = []
    for line in "\n".join(files).splitlines():
        if line.strip():
            label, *cells = line.split()
            values = (float(cell.partition(":")[2]) for cell in cells)
            numbers = (str(int(v)) if v.is_integer() else str(v) for v in values)
            rows.append([*numbers, preparation["labels"][label]])
    return [list(preparation["header"]), *rows]


def label_first(preparation: dict[str, Any], files: Sequence[str]) -> Rows:
    """Return a table without header whose label was in the first column."""
    (text,) = files
    rows = [[*row[1:], row[0]] for row in split(text)]
    numbered = (f"{preparation['prefix']}{i}" for i in range(len(rows[0]) - 1))
    return [[*numbered, "label"], *rows]


def folds(whole: Rows, tests: Sequence[Rows]) -> Rows:
    """Return the fold in which each row of a table is tested.

    Equal rows are interchangeable: earlier rows get earlier folds.
    """
    waiting = defaultdict(list)
    for number, test in enumerate(tests, start=1):
        for row in test[1:]:
            waiting[tuple(row)].append(str(number))
    taken = {row: iter(numbers) for row, numbers in waiting.items()}
    numbers = [next(taken[tuple(row)]) for row in whole[1:]]
    return [["row", "test_fold"], *([str(i), n] for i, n in enumerate(numbers))]


def written(rows: Rows) -> str:
    """Return the rows as CSV with newlines."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
