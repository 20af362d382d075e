"""Table 2: the sizes of the data sets, counted here and as printed."""

from __future__ import annotations

import numpy as np

from benchmarks.data import MISSING, read
from benchmarks.papers.kept import place, write_table
from benchmarks.sources.catalog import absent, how_to_get

#: Name in the paper, our data set, printed samples, features and encoded columns.
TABLE_2 = (
    ("monk 1", "monk1_binary11", 124, 11, 11),
    ("monk 2", "monk2_binary11", 169, 11, 11),
    ("monk 3", "monk3_binary11", 122, 11, 11),
    ("car evaluation", "car_evaluation_binary15", 1729, 15, 15),
    ("balance scale", "balance_scale_binary16", 625, 16, 16),
    ("tic-tac-toe", "tic-tac-toe_binary18", 958, 18, 18),
    ("iris", "iris", 151, 4, 123),
    ("iris-setosa", "iris_setosa", 151, 4, 123),
    ("iris-versicolor", "iris_versicolor", 151, 4, 123),
    ("iris-virginica", "iris_virginica", 151, 4, 123),
    ("coupon", "coupon", 12684, 26, 129),
    ("bar-7", "bar7", 1913, 5, 14),
    ("Four Class", "fourclass", 862, 2, 345),
    ("COMPAS", "compas_22", 12382, 22, 647),
    ("COMPAS-2016", "compas_2016", 5020, 6, 85),
    ("COMPAS-binary", "compas_binary12", 6907, 12, 12),
    ("FICO", "fico_1000", 1000, 23, 1407),
    ("FICO-binary", "fico_binary17", 10459, 17, 17),
)


def encoded_columns(cells: np.ndarray) -> int:
    """Return how many yes/no columns Table 2 counts.

    Tables of yes/no columns are counted as they are; in others, every value of every
    column counts, even both values of a yes/no column.
    """
    values = [set(column) - set(MISSING) for column in cells.T]
    if all(each <= {"0", "1"} for each in values):
        return len(values)
    return sum(map(len, values))


def report() -> str:
    """Count rows and columns of the data sets, and compare with Table 2."""
    missing = absent(name for _, name, *_ in TABLE_2)
    if len(missing) == len(TABLE_2):
        raise SystemExit(how_to_get(missing))
    rows = []
    for paper, name, samples, features, binary in TABLE_2:
        if name in missing:
            continue
        cells = read(name)
        ours = (len(cells), cells.shape[1] - 1, encoded_columns(cells[:, :-1]))
        printed = (samples, features, binary)
        for what, theirs, own in zip(
            ("samples", "features", "encoded columns"), printed, ours, strict=True
        ):
            rows.append(
                {"data": paper, "file": name, "what": what}
                | {"printed": theirs, "ours": own, "differs": theirs != own}
            )
    columns = ("data", "file", "what", "printed", "ours", "differs")
    path = write_table(place("gosdt", "table2.csv"), columns, rows, "gosdt table2")
    lines = ["| data set | what | printed | ours |", "|---|---|---:|---:|"]
    lines += [
        f"| {r['data']} | {r['what']} | {r['printed']:,} | {r['ours']:,} |"
        for r in rows
        if r["differs"]
    ]
    same = sum(not r["differs"] for r in rows)
    lines.append(f"\n{same} of {len(rows)} numbers agree; the others are above.")
    if missing:
        lines.append(how_to_get(missing))
    return "\n".join([*lines, f"written: {path}"])
