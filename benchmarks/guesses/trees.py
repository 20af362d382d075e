"""`python -m benchmarks guesses-trees`: the trees and rules that the paper prints.

Figures 6, 7 and 13 to 20, and Table 8 of the guesses paper: the spiral, COMPAS and
FICO, each with gradient boosting of the size that the paper names. The folds of the
paper are not published, so ours, of the same number, have other rows.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.tree import DecisionTreeClassifier, export_text

from benchmarks.data import read_rows
from benchmarks.guesses.born_again import born_again
from benchmarks.guesses.curve_runs import boosting
from benchmarks.guesses.dl85_reference import Dl85
from benchmarks.guesses.folds import is_test, read
from benchmarks.papers.kept import origin, place, write_table
from benchmarks.sources.catalog import absent, how_to_get
from ostrya import OptimalTreeClassifier
from ostrya.export import export_rules, export_svg
from ostrya.guesses import Guess, ThresholdGuess

#: For DL8.5, which has no other limit.
TIME_LIMIT = 60.0
WORDS = "guesses-trees"
COLUMNS = (
    *("figure", "data", "method", "depth", "penalty", "fold", "printed_train"),
    *("printed_test", "printed_leaves", "train", "test", "leaves", "seconds", "status"),
)


class Figure(NamedTuple):
    """A figure: what it is of, and the numbers printed below its two trees."""

    name: str
    data: str
    depth: int | None
    penalty: float
    fold: int | None
    gosdt: tuple[float | None, float | None, int | None]
    dl85: tuple[float | None, float | None, int | None]


NOT_PRINTED = (None, None, None)
SAME = (0.683, 0.695, 8)
STUMPS = (0.714, 0.709, 7)
FIGURES = (
    Figure("6", "spiral", None, 0.01, None, NOT_PRINTED, NOT_PRINTED),
    Figure("7a, 13", "compas", 3, 0.001, 1, (0.683, 0.689, 7), SAME),
    Figure("7b, 14", "compas", 5, 0.001, 1, (0.685, 0.696, 9), (0.686, 0.693, 18)),
    Figure("15", "compas", 3, 0.005, 1, (0.678, 0.687, 5), SAME),
    Figure("16", "compas", 5, 0.005, 1, (0.678, 0.687, 5), (0.686, 0.694, 21)),
    Figure("17", "fico", 3, 0.0005, 4, (0.714, 0.710, 7), STUMPS),
    Figure("18", "fico", 5, 0.0005, 4, (0.720, 0.717, 10), (0.716, 0.709, 15)),
    Figure("19", "fico", 3, 0.001, 4, (0.713, 0.711, 6), STUMPS),
    Figure("20", "fico", 5, 0.001, 4, (0.717, 0.719, 7), (0.716, 0.709, 15)),
)
#: Table 8: who made the rules, and the printed accuracies on training and test rows.
RULES = {
    "CGrules-default": (0.701, 0.709),
    "CGrules-cp": (0.704, 0.704),
    "depth 2": (0.708, 0.707),
    "depth 5": (0.717, 0.719),
}
REFERENCES = {"spiral": (20, 3), "compas": (20, 3), "fico": (40, 1)}


def report() -> str:
    """Fit, write and return every tree whose data set is there."""
    missing = absent(REFERENCES)
    if len(missing) == len(REFERENCES):
        raise SystemExit(how_to_get(missing))
    rows, texts = [], []
    for figure in FIGURES:
        if figure.data in missing:
            continue
        found, text = trees_of(figure)
        rows += found
        texts.append(text)
    written = [write_table(place("guesses", "trees.csv"), COLUMNS, rows, WORDS)]
    if "fico" not in missing:
        table, text = table_8()
        columns = ("rules", "printed_train", "printed_test", "train", "test", "text")
        written.append(
            write_table(place("guesses", "table8.csv"), columns, table, WORDS)
        )
        texts.append(text)
    path = place("guesses", "trees.txt")
    path.write_text(f"{origin(WORDS)}\n\n" + "\n".join(texts), encoding="utf-8")
    shown = "\n".join(texts)
    lack = f"\nSome sets are skipped. {how_to_get(missing)}" if missing else ""
    return f"{shown}\nwritten: {', '.join(map(str, [*written, path]))}{lack}"


def trees_of(figure: Figure) -> tuple[list[dict[str, Any]], str]:
    """Return a row and a drawing of each tree of a figure."""
    X, y = read(figure.data)
    names = header(figure.data)
    test = np.zeros(len(y), dtype=bool)
    if figure.fold is not None:
        test = is_test(len(y), figure.fold)
    train = ~test
    size = REFERENCES[figure.data]
    rows, texts = [], []

    def add(
        method: str,
        labels: np.ndarray,
        leaves: int,
        seconds: float,
        status: str,
        printed: Sequence[float | int | None],
        text: str,
    ) -> None:
        is_right = labels == y
        numbers = {
            "train": float(is_right[train].mean()),
            "test": float(is_right[test].mean()) if test.any() else None,
        }
        rows.append(
            {"figure": figure.name, "data": figure.data, "method": method}
            | {"depth": "none" if figure.depth is None else figure.depth}
            | {"penalty": figure.penalty, "fold": figure.fold}
            | dict(
                zip(
                    ("printed_train", "printed_test", "printed_leaves"),
                    printed,
                    strict=True,
                )
            )
            | numbers
            | {"leaves": leaves, "seconds": seconds, "status": status}
        )
        tested = "" if numbers["test"] is None else f", test {numbers['test']:.3f}"
        texts.append(
            f"Figure {figure.name}, {method}: training accuracy "
            f"{numbers['train']:.3f}{tested}, {leaves} leaves\n{text}\n"
        )

    for method, polish in (("guesses", True), ("guesses as published", False)):
        guess = Guess(boosting(*size), depth=False, check=False, polish=polish)
        clf = OptimalTreeClassifier(
            leaf_penalty=figure.penalty,
            max_depth=figure.depth,
            time_limit=None,  # so that the guess does not depend on the clock
            guess=guess,
        )
        table = named(X, names)
        start = time.perf_counter()
        clf.fit(table[train], y[train])
        seconds = time.perf_counter() - start
        facts = (clf.predict(table), clf.n_leaves_, seconds, clf.status_)
        add(method, *facts, figure.gosdt, str(clf.tree_))
        if polish:
            file = f"figure{figure.name.partition(',')[0]}.svg"
            path = place("guesses", "trees", file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(export_svg(clf.tree_) + "\n", encoding="utf-8")

    guess = ThresholdGuess(boosting(*size)).fit(X[train], y[train])
    answers, depth = guess.transform(X).astype(bool), figure.depth or 5
    support = max(1, int(np.ceil(figure.penalty * train.sum())))
    labels = guess.reference_.predict(X[train]).astype(np.int64)
    search = Dl85(answers[train], y[train], depth, support, labels, TIME_LIMIT)
    found = search.solve()
    status = "guessed" if found.is_complete else "time_limit"
    leaves = found.tree.n_leaves
    facts = (found.tree.predict(answers), leaves, found.seconds, status)
    add("DL8.5 guesses", *facts, figure.dl85, "")

    if figure.data == "spiral":
        start = time.perf_counter()
        cart = DecisionTreeClassifier(max_depth=5, random_state=0).fit(
            X[train], y[train]
        )
        seconds = time.perf_counter() - start
        leaves = int(cart.get_n_leaves())
        text = export_text(cart, feature_names=names)
        add("CART", cart.predict(X), leaves, seconds, "greedy", NOT_PRINTED, text)
        start = time.perf_counter()
        again = born_again(X, y)
        seconds = time.perf_counter() - start
        facts = (again.labels, again.leaves, seconds, "faithful to its forest")
        add("born again", *facts, NOT_PRINTED, "")
    return rows, "\n".join(texts)


def table_8() -> tuple[list[dict[str, Any]], str]:
    """Return Table 8: rules for FICO on the fifth fold, beside the printed numbers."""
    X, y = read("fico")
    table = named(X, header("fico"))
    labels = np.where(y == 1, "bad", "good")
    test = is_test(len(y), 4)
    rows, texts = [], []
    for name, (train_score, test_score) in RULES.items():
        row: dict[str, Any] = {"rules": name, "printed_train": train_score}
        row |= {"printed_test": test_score, "train": None, "test": None, "text": None}
        if name.startswith("depth"):
            clf = OptimalTreeClassifier(
                leaf_penalty=0.001,
                max_depth=int(name.rpartition(" ")[2]),
                time_limit=None,
                guess=Guess(boosting(*REFERENCES["fico"]), depth=False, check=False),
            )
            clf.fit(table[~test], labels[~test])
            is_right = clf.predict(table) == labels
            row["train"] = float(is_right[~test].mean())
            row["test"] = float(is_right[test].mean())
            row["text"] = short_rules(clf.tree_, "good", "bad").replace("\n", " ")
            texts.append(
                f"Table 8, {name}: training accuracy {row['train']:.3f}, test "
                f"{row['test']:.3f}\n{short_rules(clf.tree_, 'good', 'bad')}\n"
            )
        rows.append(row)
    return rows, "\n".join(texts)


def short_rules(tree: Any, label: str, other: str) -> str:
    """Return the rules of one of two labels, and the other for the rest: Table 8."""
    rules = [line.partition("   ")[0] for line in export_rules(tree).splitlines()]
    if len(rules) == 1:
        return rules[0]
    end = f" then {label}"
    wanted = [rule.removesuffix(end) for rule in rules if rule.endswith(end)]
    return "\nor ".join(wanted) + f"{end} else {other}" if wanted else f"always {other}"


def header(data: str) -> list[str]:
    """Return the names of the columns of a data set, without the label."""
    return read_rows(data)[0][:-1]


def named(X: np.ndarray, names: Sequence[str]) -> Any:
    """Return a table with named columns, where pandas is installed."""
    try:
        import pandas as pd
    except ImportError:
        return X
    return pd.DataFrame(X, columns=list(names))
