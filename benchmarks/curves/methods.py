"""Run each method for increasing sizes of trees on one selection of rows.

A method yields one point after another. A point that does not finish within the limit
is the last of its series, because larger trees would take even longer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from benchmarks.contenders import CONTENDERS
from benchmarks.curves.cases import DEPTHS, PENALTIES, Part, problem
from benchmarks.task import Task

#: Leaves up to which every size is searched without a limit on depth.
SIZES = 16


class Point(NamedTuple):
    """One tree: by what it was made, its leaves, and the rows it has right."""

    config: str
    leaves: int
    train: float
    test: float | None
    seconds: float
    is_proved: bool


def points_of(method: str, name: str, part: Part, limit: float) -> Iterator[Point]:
    """Yield the points of a method on a part of a data set."""
    if method == "cart":
        yield from cart(part)
    elif method == "ostrya":
        yield from ours(part, limit)
    else:
        yield from peer(method, name, part, limit)


def cart(part: Part) -> Iterator[Point]:
    """Yield CART's trees: depths 1 to 6 and 2 to 64 leaves, as the paper has them."""
    from sklearn.tree import DecisionTreeClassifier

    for depth in DEPTHS:
        start = time.process_time()
        model = DecisionTreeClassifier(
            max_depth=depth, max_leaf_nodes=2**depth, random_state=0
        ).fit(part.X, part.y)
        seconds = time.process_time() - start
        leaves = int(model.get_n_leaves())
        yield scored(f"depth {depth}", leaves, model.predict, part, seconds, False)


def ours(part: Part, limit: float) -> Iterator[Point]:
    """Yield the best tree of every size, and the best for each of the penalties."""
    import ostrya

    for depth, most in ((None, SIZES), (DEPTHS[-1], 2 ** DEPTHS[-1])):
        start = time.process_time()
        frontier = ostrya.frontier(
            part.X, part.y, max_leaf_nodes=most, max_depth=depth, time_limit=limit
        )
        seconds = time.process_time() - start
        words = "any depth" if depth is None else f"depth {depth}"
        for each in frontier.points:
            config = f"{each.max_leaf_nodes} leaves, {words}"
            tree, proved = each.tree, each.is_optimal
            yield scored(config, tree.n_leaves, tree.predict, part, seconds, proved)
    for penalty in PENALTIES:
        start = time.process_time()
        found = ostrya.solve(part.X, part.y, leaf_penalty=penalty, time_limit=limit)
        seconds = time.process_time() - start
        tree = found.tree
        yield scored(
            f"penalty {penalty:g}",
            *(tree.n_leaves, tree.predict, part, seconds, found.is_optimal),
        )
        if not found.is_optimal:
            return


def peer(method: str, name: str, part: Part, limit: float) -> Iterator[Point]:
    """Yield the trees of gosdt for each penalty, or those of pydl8.5 for each depth."""
    contender = CONTENDERS[method]()
    has_penalty = method == "gosdt"
    base = problem(name)
    settings = PENALTIES if has_penalty else DEPTHS
    # Encoded together: a column may have one value among the rows tested.
    both = contender.matrix(np.concatenate([part.X, part.X_test]))
    matrix, test = both[: len(part.y)], both[len(part.y) :]
    for setting in settings:
        changed = {"penalty": setting} if has_penalty else {"depth": setting}
        task = Task(replace(base, **changed), method, limit)
        start = time.process_time()
        result = contender.solve(matrix, part.y, task)
        seconds = time.process_time() - start
        answer = contender.answer(result, matrix, task)
        if not answer.claims_optimal:
            return
        word = "penalty" if has_penalty else "depth"
        yield scored(
            f"{word} {setting:g}",
            *(answer.leaves, result.predict, part, seconds, True),
            rows=(matrix, test),
        )


def scored(
    config: str,
    leaves: int,
    predict: Callable[[Any], Any],
    part: Part,
    seconds: float,
    is_proved: bool,
    rows: tuple[Any, Any] | None = None,
) -> Point:
    """Return a point with its accuracies, counted here."""
    train_rows, test_rows = (part.X, part.X_test) if rows is None else rows
    train = float(np.mean(np.asarray(predict(train_rows)) == part.y))
    test = None
    if len(part.y_test):
        test = float(np.mean(np.asarray(predict(test_rows)) == part.y_test))
    return Point(config, int(leaves), train, test, seconds, is_proved)
