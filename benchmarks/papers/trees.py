"""The trees that the papers of OSDT and GOSDT print, found again.

A printed accuracy above the proved optimum of all rows can only come from fewer rows.
Two ranges show whether that explains it: over the ten training folds of OSDT, and over
five training sets of four fifths of the rows, as GOSDT has them. Its own are not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.curves.cases import ALL_ROWS, Part, folds_of, parts
from benchmarks.data import read_rows
from benchmarks.papers.kept import origin, place, write_table
from benchmarks.sources.catalog import absent, how_to_get


class Figure(NamedTuple):
    """A printed tree: where, of what data and size, and its printed accuracy."""

    paper: str
    figure: str
    method: str
    data: str
    leaves: int
    printed: float | None
    note: str = ""


FIGURES = (
    Figure("OSDT", "4", "optimal", "compas_binary12", 5, 0.6690, "penalty 0.005"),
    Figure("OSDT", "5", "optimal", "tic-tac-toe_binary18", 8, None),
    Figure("OSDT", "6, 7", "optimal", "monk1_binary11", 8, 1.0),
    Figure("OSDT", "9", "CART", "compas_binary12", 5, None),
    Figure("OSDT", "9", "CART", "tic-tac-toe_binary18", 8, None),
    Figure("OSDT", "9", "CART", "monk1_binary11", 8, None),
    Figure("GOSDT", "18", "optimal", "monk1_binary11", 8, 1.0),
    Figure("GOSDT", "19", "optimal", "monk2_binary11", 7, 0.793),
    Figure("GOSDT", "20", "optimal", "tic-tac-toe_binary18", 16, 0.909),
)
N_FIFTHS = 5
#: Limit of a frontier.
SECONDS = 120.0
COLUMNS = (
    *("paper", "figure", "method", "data", "leaves", "printed", "ours"),
    *("is_proved", "folds_least", "folds_most", "fold_of_most"),
    *("fifths_least", "fifths_most"),
)


class Found(NamedTuple):
    """A tree on some rows: its training accuracy, whether proved, and itself."""

    accuracy: float
    is_proved: bool
    tree: Any


def find(part: Part, method: str, leaves: int) -> Found:
    """Return the tree of a method with at most so many leaves."""
    if method == "CART":
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0)
        tree.fit(part.X, part.y)
        return Found(float(tree.score(part.X, part.y)), False, tree)
    import ostrya

    points = ostrya.frontier(
        part.X, part.y, max_leaf_nodes=leaves, max_depth=None, time_limit=SECONDS
    ).points
    best = points[-1]
    right = float(np.mean(best.tree.predict(part.X) == part.y))
    return Found(right, bool(best.is_optimal), best.tree)


def text_of(found: Found, method: str, names: list[str]) -> tuple[str, str]:
    """Return a tree as text and, if it is ours, as SVG."""
    if method == "CART":
        from sklearn.tree import export_text

        return export_text(found.tree, feature_names=names), ""
    from ostrya.export import export_svg
    from ostrya.export import export_text as own_text

    return own_text(found.tree, names), export_svg(found.tree, names)


def fifths(part: Part, n: int) -> Iterator[Part]:
    """Yield training sets of four fifths of the rows, by chance of one seed."""
    order = np.random.default_rng(0).permutation(len(part.y))
    for number in range(n):
        kept = np.delete(order, np.s_[number::N_FIFTHS])
        yield Part(part.X[kept], part.y[kept], part.X[:0], part.y[:0])


def report(n_folds: int, n_fifths: int) -> str:
    """Find, write and return the trees with their accuracies."""
    needed = dict.fromkeys(f.data for f in FIGURES)
    missing = absent([*needed, *map(folds_of, needed)])
    if missing:
        raise SystemExit(how_to_get(missing))
    command = f"trees --folds {n_folds} --fifths {n_fifths}"
    rows, texts = [], []
    for each in FIGURES:
        by_fold = parts(each.data)
        found = find(by_fold[ALL_ROWS], each.method, each.leaves)
        folds = [
            find(by_fold[k], each.method, each.leaves).accuracy
            for k in range(1, n_folds + 1)
        ]
        parts_of_rows = [
            find(part, each.method, each.leaves).accuracy
            for part in fifths(by_fold[ALL_ROWS], n_fifths)
            if each.paper == "GOSDT"
        ]
        rows.append(
            each._asdict()
            | {"fifths_least": min(parts_of_rows, default=None)}
            | {"fifths_most": max(parts_of_rows, default=None)}
            | {"ours": found.accuracy, "is_proved": found.is_proved}
            | {"folds_least": min(folds, default=None)}
            | {"folds_most": max(folds, default=None)}
            | {"fold_of_most": int(np.argmax(folds)) + 1 if folds else None}
        )
        names = read_rows(each.data)[0][:-1]
        text, svg = text_of(found, each.method, names)
        title = (
            f"{each.paper} Figure {each.figure}: {each.method}, {each.data}, "
            f"{each.leaves} leaves, {found.accuracy:.2%} of all rows"
        )
        texts.append(f"{title}\n{text}")
        if svg:
            number = each.figure.replace(", ", "-")
            path = place("trees", f"{each.paper.lower()}-figure{number}.svg")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(svg.rstrip() + "\n", encoding="utf-8")
    write_table(place("trees", "accuracies.csv"), COLUMNS, rows, command)
    whole = "\n\n".join(each.rstrip() for each in texts) + "\n"
    place("trees", "trees.txt").write_text(
        f"{origin(command)}\n\n{whole}", encoding="utf-8"
    )
    lines = [
        "| figure | method | leaves | printed | ours, all rows | ten folds | fifths |",
        "|---|---|---:|---:|---:|---|---|",
    ]
    for row in rows:
        printed = "-" if row["printed"] is None else f"{row['printed']:.1%}"
        spread = " | ".join(
            f"{row[f'{kind}_least']:.1%} to {row[f'{kind}_most']:.1%}"
            if row[f"{kind}_most"] is not None
            else "-"
            for kind in ("folds", "fifths")
        )
        lines.append(
            f"| {row['paper']} {row['figure']} | {row['method']} {row['data']} | "
            f"{row['leaves']} | {printed} | {row['ours']:.2%} | {spread} |"
        )
    return "\n".join([*lines, "", whole, f"written: {place('trees')}"])
