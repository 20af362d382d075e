"""The figures of the guesses paper, drawn by matplotlib from the runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.guesses.curve_runs import (
    BOOSTING,
    CART,
    DL85,
    GUESSED,
    METHODS,
    PLAIN,
    PUBLISHED,
    USUAL_PENALTY,
)
from benchmarks.topk.plots import panels

Records = Sequence[dict[str, Any]]
COLOURS = {
    GUESSED: "#1f6f54",
    PUBLISHED: "#6bb58f",
    PLAIN: "#3465a4",
    CART: "#888888",
    DL85: "#c26a1b",
}
MARKERS = {GUESSED: "*", PUBLISHED: "^", PLAIN: "o", CART: "x", DL85: "s"}
ACCURACIES = ("train", "test")


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, and how far the quartiles are below and above it."""
    low, middle, high = np.percentile(values, [25, 50, 75])
    return float(middle), float(middle - low), float(high - middle)


def total_seconds(record: dict[str, Any]) -> float:
    """Return the time of a run with that of its guess."""
    return float(record["seconds"] + (record["guess_seconds"] or 0.0))


def groups(records: Records, *names: str) -> dict[tuple[Any, ...], Records]:
    """Return the records by what they agree in."""
    out: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in records:
        out.setdefault(tuple(record[name] for name in names), []).append(record)
    return dict(out)


def accuracy_over_time(records: Records, data: str) -> Any:
    """Return Figure 1 or 10: a column of panels per depth limit."""
    own = [
        r for r in records if r["data"] == data and r["penalty"] == USUAL_PENALTY[data]
    ]
    depths = sorted({r["depth"] for r in own}, key=lambda d: (d is None, d or 0))
    figure, axes = panels(2 * len(depths), len(depths))
    for row, accuracy in enumerate(ACCURACIES):
        for place, depth in enumerate(depths):
            axis = axes[row * len(depths) + place]
            here = [r for r in own if r["depth"] == depth]
            for (method,), runs in groups(here, "method").items():
                _draw(axis, runs, total_seconds, accuracy, method)
            _black_line(axis, records, data, accuracy)
            limit = "no depth limit" if depth is None else f"depth {depth}"
            axis.set(title=f"{data}, {limit}", xlabel="seconds", xscale="log")
            axis.set_ylabel(f"{accuracy} accuracy")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


def accuracy_over_leaves(records: Records) -> Any:
    """Return Figures 2 and 11: all depth limits and penalties, a row per data set."""
    sets = list(dict.fromkeys(r["data"] for r in records))
    figure, axes = panels(2 * len(sets), 2)
    for row, data in enumerate(sets):
        for column, accuracy in enumerate(ACCURACIES):
            axis = axes[2 * row + column]
            own = [r for r in records if r["data"] == data and r["method"] in METHODS]
            if all(r[accuracy] is None for r in own):
                axis.set_visible(False)
                continue
            kinds = ("method", "reference", "depth", "penalty")
            for (method, *_), runs in groups(own, *kinds).items():
                _draw(axis, runs, lambda r: r["leaves"], accuracy, method)
            _black_line(axis, records, data, accuracy)
            axis.set(title=data, xlabel="leaves", ylabel=f"{accuracy} accuracy")
            axis.set_xscale("log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


def depth_limits(records: Records, data: str) -> Any:
    """Return Figure 5: what a depth limit changes."""
    own = [
        r
        for r in records
        if r["data"] == data
        and r["penalty"] == USUAL_PENALTY[data]
        and r["method"] in (GUESSED, PUBLISHED, PLAIN)
    ]
    values: dict[str, Callable[[dict[str, Any]], float]] = {
        "train accuracy": lambda r: r["train"],
        "test accuracy": lambda r: r["test"],
        "leaves": lambda r: r["leaves"],
        "seconds": total_seconds,
    }
    figure, axes = panels(len(values), 2)
    for axis, (title, value) in zip(axes, values.items(), strict=True):
        for (method,), runs in groups(own, "method").items():
            depths = sorted(
                {r["depth"] for r in runs}, key=lambda d: (d is None, d or 0)
            )
            middles = [
                quartiles([value(r) for r in runs if r["depth"] == depth])
                for depth in depths
            ]
            ticks = ["no limit" if d is None else str(d) for d in depths]
            axis.errorbar(
                ticks,
                [m[0] for m in middles],
                [[m[1] for m in middles], [m[2] for m in middles]],
                label=method,
                color=COLOURS[method],
                marker=MARKERS[method],
                capsize=2,
            )
        axis.set(title=title, xlabel="depth limit")
    axes[3].set_yscale("log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


def poor_reference(records: Records) -> Any:
    """Return Figure 21: the spiral with a poor reference and a good one."""
    own = [
        r
        for r in records
        if r["data"] == "spiral"
        and r["penalty"] == USUAL_PENALTY["spiral"]
        and r["method"] in (PUBLISHED, DL85, PLAIN)
    ]
    figure, axes = panels(2, 2)
    for axis, (title, value) in zip(
        axes,
        {"leaves": lambda r: r["leaves"], "seconds": total_seconds}.items(),
        strict=True,
    ):
        for (method, reference), runs in groups(own, "method", "reference").items():
            words = f"{method} {reference}".strip()
            axis.scatter(
                [value(r) for r in runs],
                [r["train"] for r in runs],
                label=words,
                marker=MARKERS[method],
                color=COLOURS[method] if reference != "40x1" else "#b03030",
            )
        axis.set(title="spiral", xlabel=title, ylabel="train accuracy", xscale="log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


def black_box(records: Records) -> list[dict[str, Any]]:
    """Return, for every set, the best small tree beside gradient boosting.

    The tree is the one with the best median of test accuracy among those with at most
    16 leaves; which one that is was chosen on the same folds, so its margin flatters.
    """
    rows = []
    for data in dict.fromkeys(r["data"] for r in records):
        own = [r for r in records if r["data"] == data]
        boosted = [r for r in own if r["method"] == BOOSTING]
        accuracy = "test" if boosted[0]["test"] is not None else "train"
        for method in METHODS:
            mine = [r for r in own if r["method"] == method]
            found = []
            kinds = ("reference", "depth", "penalty")
            for (reference, depth, penalty), runs in groups(mine, *kinds).items():
                leaves = float(np.median([r["leaves"] for r in runs]))
                if leaves <= MOST_LEAVES:
                    middle = float(np.median([r[accuracy] for r in runs]))
                    found.append((middle, -leaves, reference, depth, penalty))
            if found:
                best = max(found, key=lambda f: f[:2])
                rows.append(
                    {"data": data, "accuracy_of": accuracy, "method": method}
                    | {"median": best[0], "leaves": -best[1]}
                    | {"depth": "none" if best[3] is None else best[3]}
                    | {"penalty": best[4], "reference": best[2]}
                    | {"boosting": float(np.median([r[accuracy] for r in boosted]))}
                    | {"boosting_leaves": np.median([r["leaves"] for r in boosted])}
                )
    return rows


MOST_LEAVES = 16
BLACK_BOX_COLUMNS = (
    *("data", "accuracy_of", "method", "median", "leaves", "depth", "penalty"),
    *("reference", "boosting", "boosting_leaves"),
)


def _draw(
    axis: Any,
    runs: Records,
    x: Callable[[dict[str, Any]], float],
    accuracy: str,
    method: str,
) -> None:
    if any(r[accuracy] is None for r in runs):
        return
    place, height = (
        quartiles([x(r) for r in runs]),
        quartiles([r[accuracy] for r in runs]),
    )
    known = axis.get_legend_handles_labels()[1]
    axis.errorbar(
        place[0],
        height[0],
        xerr=[[place[1]], [place[2]]],
        yerr=[[height[1]], [height[2]]],
        label=method if method not in known else None,
        color=COLOURS[method],
        marker=MARKERS[method],
        linewidth=0.8,
    )


def _black_line(axis: Any, records: Records, data: str, accuracy: str) -> None:
    boosted = [
        r[accuracy] for r in records if r["data"] == data and r["method"] == BOOSTING
    ]
    if boosted and None not in boosted:
        axis.axhline(
            float(np.median(boosted)), color="black", linewidth=1, label=BOOSTING
        )
