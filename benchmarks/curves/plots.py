"""The figures: training and test accuracy against leaves, a panel per data set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from benchmarks.curves.cases import ALL_ROWS
from benchmarks.topk.plots import panels

#: Colour and marker of each method.
STYLES = {
    "cart": ("tab:gray", "s"),
    "pydl8.5": ("tab:orange", "^"),
    "gosdt": ("tab:green", "v"),
    "ostrya": ("tab:blue", "o"),
}
#: Leaves beyond which every curve is flat, or noise.
MOST_LEAVES = 64
TICKS = (1, 2, 4, 8, 16, 32, 64)
Records = Sequence[dict[str, Any]]


def draw_training(records: Records) -> Any:
    """Return a figure of the trees of all rows: ours a curve (OSDT Figure 1)."""
    whole = [record for record in records if record["fold"] == ALL_ROWS]

    def drawn(axis: Any, method: str, points: Records) -> None:
        colour, marker = STYLES[method]
        shown = [p for p in points if p["leaves"] <= MOST_LEAVES]
        if method == "ostrya":
            axis.step(*curve(shown), where="post", color=colour, label=method)
        else:
            leaves = [p["leaves"] for p in shown]
            right = [p["train"] for p in shown]
            axis.plot(leaves, right, marker, color=colour, ms=4, label=method)

    return _panels(whole, "training accuracy, all rows", drawn)


def draw_folds(records: Records, rows: str) -> Any:
    """Return a figure of medians and quartiles of folds (GOSDT Figures 4, 11, 12)."""
    folds = [record for record in records if record["fold"] != ALL_ROWS]

    def drawn(axis: Any, method: str, points: Records) -> None:
        colour, marker = STYLES[method]
        by_config = defaultdict(list)
        for point in points:
            by_config[point["config"]].append((point["leaves"], point[rows]))
        middles = []
        for found in by_config.values():
            leaves, right = np.median(found, axis=0)
            if leaves <= MOST_LEAVES:
                low, high = np.percentile([r for _, r in found], (25, 75))
                middles.append((leaves, right, right - low, high - right))
        x, y, *spread = np.array(sorted(middles)).T
        axis.errorbar(
            *(x, y, spread),
            fmt=marker,
            color=colour,
            ms=4,
            lw=0.7,
            zorder=3 if method == "ostrya" else 2,
            label=method,
        )

    kind = "training" if rows == "train" else "test"
    return _panels(folds, f"{kind} accuracy, median of folds", drawn)


def draw_each_fold(records: Records, name: str, n_folds: int) -> Any:
    """Return a figure of one data set, two panels per fold (OSDT Figures 10 to 16).

    The horizontal line is the training accuracy of our best tree.
    """
    figure, axes = panels(2 * n_folds, 4)
    for fold in range(1, n_folds + 1):
        own = [r for r in records if r["set"] == name and r["fold"] == fold]
        for place, rows in enumerate(("train", "test")):
            axis = axes[2 * (fold - 1) + place]
            for record in own:
                colour, marker = STYLES[record["method"]]
                shown = [p for p in record["points"] if p["leaves"] <= MOST_LEAVES]
                # Several settings give the same tree, which is drawn once.
                places = dict.fromkeys((p["leaves"], p[rows]) for p in shown)
                axis.plot(
                    [leaves for leaves, _ in places],
                    [right for _, right in places],
                    marker,
                    color=colour,
                    ms=3,
                    label=record["method"],
                )
                if record["method"] == "ostrya" and rows == "train" and shown:
                    best = max(p["train"] for p in shown)
                    axis.axhline(best, color=colour, lw=0.7)
            kind = "training" if rows == "train" else "test"
            axis.set(title=f"{name}, fold {fold}", ylabel=f"{kind} accuracy")
            _leaves_on(axis)
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


def _leaves_on(axis: Any) -> None:
    axis.set(xlabel="leaves", xscale="log")
    axis.set_xticks(TICKS, [str(each) for each in TICKS])


def curve(points: Iterable[dict[str, Any]]) -> tuple[list[int], list[float]]:
    """Return the highest accuracy of trees of at most so many leaves."""
    sizes, right = [], []
    for point in sorted(points, key=lambda p: (p["leaves"], -p["train"])):
        if not right or point["train"] > right[-1]:
            sizes.append(point["leaves"])
            right.append(point["train"])
    return [*sizes, MOST_LEAVES], [*right, right[-1]]


def _panels(records: Records, label: str, drawn: Any) -> Any:
    sets = list(dict.fromkeys(record["set"] for record in records))
    figure, axes = panels(len(sets))
    for axis, name in zip(axes, sets, strict=False):
        for method in STYLES:
            own = [r for r in records if r["set"] == name and r["method"] == method]
            points = [point for record in own for point in record["points"]]
            if points:
                drawn(axis, method, points)
        axis.set(title=name, ylabel=label)
        _leaves_on(axis)
        axis.legend(fontsize=7)
    figure.tight_layout()
    return figure
