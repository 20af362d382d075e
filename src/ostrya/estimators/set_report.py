"""The report on a Rashomon set: some of its trees, and what holds for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya.estimators.set_words import counted, objective_words, set_headline, set_text
from ostrya.estimators.tree_questions import feature_uses
from ostrya.export.colours import palette
from ostrya.export.report.page import set_page
from ostrya.export.report.set_trees import ListedTrees
from ostrya.export.wording import one_line, percent
from ostrya.preprocessing.checks import check_new_rows
from ostrya.preprocessing.column import Column
from ostrya.preprocessing.digits import in_digits
from ostrya.preprocessing.table import Table, count_rows, take_rows
from ostrya.preprocessing.times import duration_in_words, time_in_words
from ostrya.results.rashomon import ObjectiveCount
from ostrya.tree import Tree

# All trees vote on at most so many rows, and on the first few of them in any case;
# rows after so many seconds are not asked.
MOST_ROWS, FIRST_ROWS, VOTE_SECONDS = 2000, 64, 10.0
# Rows in the table of the page: those without near agreement, but at least a few.
LEAST_SHOWN, MOST_SHOWN, CLOSE = 10, 40, 0.99
ROUNDING = 1e-12  # shares of trees this close to 1 are 1
MOST_COLUMNS = 12  # of this table
N_BINS = 16  # of the histogram of objectives


def set_report(trees: Any, X: Any, y: Any, title: str | None, max_trees: int) -> str:
    """Return the page; the parameters are those of `RashomonSet.report`."""
    counts = trees.objective_counts()
    places = places_to_list(counts, max_trees)
    found = [trees[place] for place in places]
    listed = ListedTrees(
        found,
        places,
        [trees.objective(place) for place in places],
        trees.encoder_.source,
    )
    use = _feature_use(trees)
    rows = _rows(trees, found, X, y, use)
    content = {
        "title": one_line(title) if title else counted(trees.n_trees_, "good tree"),
        "labels": [str(label) for label in trees.classes_.tolist()],
        "colours": palette(len(trees.classes_)),
        "summary": _summary(trees, counts, found[0]),
        "text": set_text(trees, len(places)),
        "features": [one_line(each.name) for each in trees.encoder_.features],
        "use": use,
        "sizes": [
            {"leaves": n_leaves, "trees": f"{n:,}", "share": n / trees.n_trees_}
            for n_leaves, n in trees.leaf_counts().items()
        ],
        "objectives": objective_bins(counts, trees.n_trees_),
        "rows": rows,
        "total": f"{trees.n_trees_:,}",
        "scores": [],
        **listed.content(),
    }
    return set_page(content, set_headline(trees), found[0])


def check_rows_and_labels(X: Any, y: Any) -> None:
    """Raise if there are labels without rows, or not one per row."""
    if y is None:
        return
    if X is None:
        raise ValueError(
            "y must be combined with X, the rows that it labels; got y only"
        )
    n_rows, shape = count_rows(X), np.shape(y)
    if shape != (n_rows,):
        raise ValueError(
            f"y must have one label per row of X: {n_rows:,}; got shape {shape}"
        )


def places_to_list(counts: Sequence[ObjectiveCount], most: int) -> list[int]:
    """Return the places of at most `most` trees: the best ones of each size, in order.

    Of trees that agree in size and objective, and do not all fit, every k-th one is
    taken, because neighbours begin with the same question.

    Examples
    --------
    >>> counts = [ObjectiveCount(0.1, 3, 2), ObjectiveCount(0.2, 4, 100)]
    >>> places_to_list(counts, 6)
    [0, 1, 2, 27, 52, 77]
    """
    starts = [0, *accumulate(count.n_trees for count in counts)]
    totals: dict[int, int] = {}
    for count in counts:
        totals[count.n_leaves] = totals.get(count.n_leaves, 0) + count.n_trees
    best = counts[0].n_leaves  # with a place for the best tree in any case
    totals[best] -= 1
    left, room = most - 1, {}
    for waiting, size in enumerate(sorted(totals, key=lambda size: totals[size])):
        room[size] = min(totals[size], left // (len(totals) - waiting))
        left -= room[size]
    room[best] += 1
    places = []
    for count, start in zip(counts, starts, strict=False):
        n = min(count.n_trees, room[count.n_leaves])
        room[count.n_leaves] -= n
        places += [start + i * count.n_trees // n for i in range(n)]
    return places


def objective_bins(
    counts: Sequence[ObjectiveCount], n_trees: int
) -> list[dict[str, Any]]:
    """Return a histogram of the objectives of all trees."""
    least, most = counts[0].objective, counts[-1].objective
    width = (most - least) / N_BINS
    totals = [0] * N_BINS
    for count in counts:
        place = int((count.objective - least) / width) if width else 0
        totals[min(place, N_BINS - 1)] += count.n_trees
    return [
        {
            "from": least + place * width,
            "to": most if place == N_BINS - 1 else least + (place + 1) * width,
            "trees": f"{total:,}",
            "share": total / n_trees,
        }
        for place, total in enumerate(totals)
        if width or total
    ]


def _summary(
    trees: Any, counts: Sequence[ObjectiveCount], best: Tree
) -> list[list[str]]:
    sizes = [count.n_leaves for count in counts]
    span = (
        f"{min(sizes)}" if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
    )
    return [
        ["Trees", f"{trees.n_trees_:,}"],
        ["Best objective", objective_words(trees.objective_)],
        ["Largest objective", objective_words(counts[-1].objective)],
        ["Leaves", span],
        ["Training rows", f"{int(best.n_samples[0]):,}"],
    ]


def _feature_use(trees: Any) -> list[dict[str, Any]]:
    """Return the features that trees use, most frequent first."""
    told = [
        {
            "feature": place,
            "trees": f"{use.n_trees:,}",
            "share": use.n_trees / trees.n_trees_,
            "told": percent_of(use.n_trees, trees.n_trees_),
            "without": None
            if use.best_without is None
            else objective_words(use.best_without),
        }
        for place, use in enumerate(feature_uses(trees))
        if use.n_trees
    ]
    return sorted(told, key=lambda each: -each["share"])


def percent_of(part: int, whole: int) -> str:
    """Return a share in percent; 0% and 100% appear only if they are exact."""
    return "100%" if part == whole else percent(min(part / whole, 0.9999))


def _rows(
    trees: Any, found: Sequence[Any], X: Any, y: Any, use: Sequence[dict[str, Any]]
) -> dict[str, Any] | None:
    """Return the rows on which trees disagree; None if there are no rows to ask."""
    labels: npt.NDArray[Any] | None
    if X is None:
        X, labels, name = trees._table.raw, trees._training_labels(), "training row"
    else:
        X, name = check_new_rows(trees, X), "given row"
        labels = None if y is None else np.asarray(y)
    total = count_rows(X)
    asked, votes = _votes(trees, X, total)
    X = take_rows(X, asked)
    agreement = votes.max(axis=1)
    agreement[agreement > 1 - ROUNDING] = 1
    order = np.argsort(agreement, kind="stable")
    split = order[agreement[order] < 1]
    columns = [each["feature"] for each in use[:MOST_COLUMNS]]
    cells = _cells(take_rows(X, split), columns) if len(split) else []
    alike: dict[Any, list[int]] = {}  # rows that look the same in the table
    for place, row in enumerate(split):
        label = None if labels is None else str(labels[asked[row]])
        texts = tuple(column[place] for column in cells)
        key = texts, label, votes[row].round(9).tobytes()
        alike.setdefault(key, []).append(int(row))
    n_close = sum(agreement[rows[0]] < CLOSE for rows in alike.values())
    n_shown = min(max(n_close, LEAST_SHOWN), MOST_SHOWN)
    shown = list(alike.items())[:n_shown]
    firsts = np.array([rows[0] for _, rows in shown], dtype=np.intp)
    encoded = trees.encode(take_rows(X, firsts)) if shown else None
    return {
        "name": name,
        "asked": len(asked),
        "total": total,
        "split": len(split),
        "bins": _agreement_bins(agreement),
        "columns": columns,
        "table": [
            {
                "row": int(asked[rows[0]]),
                "alike": len(rows),
                "cells": list(texts),
                "label": label,
                "shares": votes[rows[0]].tolist(),
            }
            for (texts, label, _), rows in shown
        ],
        "predictions": [
            [] if encoded is None else tree.predict(encoded).tolist() for tree in found
        ],
    }


def _votes(
    trees: Any, X: Any, total: int
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
    """Return as many evenly spaced rows as there is time for, and their votes."""
    n_asked = min(total, MOST_ROWS)
    spread = np.linspace(0, total - 1, n_asked).astype(np.intp)
    order = np.random.default_rng(0).permutation(n_asked)
    started, votes, at, size = time.perf_counter(), [], 0, FIRST_ROWS
    while at < n_asked:
        part = order[at : at + size]
        votes.append(trees.vote_shares(take_rows(X, spread[part])))
        at += len(part)
        spent = time.perf_counter() - started
        if spent > VOTE_SECONDS:
            break
        # Large parts are faster per row, because equal rows are asked once.
        size = min(2 * size, max(1, int(at * (VOTE_SECONDS / spent - 1))))
    by_place = np.argsort(order[:at])
    return spread[order[:at][by_place]], np.concatenate(votes)[by_place]


def _agreement_bins(agreement: npt.NDArray[np.float64]) -> list[dict[str, Any]]:
    """Return how many rows have which share of the trees agree on their label."""
    edges = [0.0, 0.6, 0.7, 0.8, 0.9, 0.99]
    names = ["below 60%", "60% to 70%", "70% to 80%", "80% to 90%", "90% to 99%"]
    names += ["99% or more", "all trees"]
    place = np.searchsorted(edges, agreement, side="right") - 1
    place[agreement == 1] = len(names) - 1
    counts = np.bincount(place, minlength=len(names)).tolist()
    return [
        {"name": name, "rows": n, "share": n / len(agreement)}
        for name, n in zip(names, counts, strict=True)
    ]


def _cells(X: Any, columns: Sequence[int]) -> list[list[str]]:
    """Return the cells of some columns as texts."""
    table = Table(X)
    texts = []
    for place in columns:
        column = table.column(place)
        if column.kind == "number":
            say: Any = in_digits
        elif column.kind == "time":
            say = _moments(column)
        elif column.kind == "duration":
            say = duration_in_words
        elif column.kind == "boolean":
            say = _truth
        else:
            say = _text
        cells = zip(column.objects(), column.missing, strict=True)
        texts.append(["missing" if gone else say(value) for value, gone in cells])
    return texts


def _moments(column: Column) -> Callable[[float], str]:
    """Return what writes the times of a column, as dates if all of them are."""
    texts = {
        moment: time_in_words(moment, column.is_zoned)
        for moment in set(column.values[~column.missing].tolist())
    }
    if all(text.endswith(" 00:00") for text in texts.values()):
        texts = {moment: text[:-6] for moment, text in texts.items()}
    return texts.__getitem__


def _truth(value: float) -> str:
    return "true" if value else "false"


def _text(value: Any) -> str:
    return one_line(str(value))
