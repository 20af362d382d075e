"""The figures, drawn by matplotlib from records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any

import numpy as np

from benchmarks import ledger
from benchmarks.topk.accuracy import is_complete

COLUMNS = ("train", "test", "seconds")
Records = Sequence[dict[str, Any]]


def panels(n: int, columns: int = 3) -> tuple[Any, Any]:
    """Return a figure with `n` axes in rows of `columns`."""
    from matplotlib.figure import Figure

    columns = min(n, columns)
    figure = Figure(figsize=(4.2 * columns, 3.4 * ceil(n / columns)))
    axes = figure.subplots(ceil(n / columns), columns, squeeze=False).ravel()
    for spare in axes[n:]:
        spare.set_visible(False)
    return figure, axes


def against_depth(records: Records, value: str) -> Any:
    """Return a figure of a value against depth: a line per k, a panel per set.

    Bars are two standard deviations over the splits; points with a fit that did not
    end are left out.
    """
    sets = list(dict.fromkeys(record["set"] for record in records))
    figure, axes = panels(len(sets))
    for axis, name in zip(axes, sets, strict=False):
        own = [record for record in records if record["set"] == name]
        for k in dict.fromkeys(record["k"] for record in own):
            line = [r for r in own if r["k"] == k]
            label = f"k={k}" if isinstance(k, int) or k == "all" else k
            _draw(axis, line, "depth", value, label)
        axis.set(title=name, xlabel="depth", ylabel=value)
        axis.xaxis.get_major_locator().set_params(integer=True)
        if value == "seconds":
            axis.set_yscale("log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


def against_k(records: Records) -> Any:
    """Return a figure of training and test accuracy against k, a panel per set."""
    sets = list(dict.fromkeys(record["set"] for record in records))
    figure, axes = panels(len(sets))
    for axis, name in zip(axes, sets, strict=False):
        # "all" is drawn at the number of columns.
        own = [
            {**r, "k": r["columns"] if r["k"] == "all" else r["k"]}
            for r in records
            if r["set"] == name
        ]
        for value in ("train", "test"):
            _draw(axis, own, "k", value, value)
        axis.set(title=name, xlabel="k", ylabel="accuracy", xscale="log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


def against_size(records: Records) -> Any:
    """Return a figure of seconds against features and rows, a row of panels each."""
    depths = sorted({record["depth"] for record in records})
    figure, axes = panels(2 * len(depths), len(depths))
    for row, size in enumerate(("columns", "rows")):
        for place, depth in enumerate(depths):
            axis = axes[row * len(depths) + place]
            own = [r for r in records if r["depth"] == depth and r.get(size)]
            for name in dict.fromkeys(r["contender"] for r in own):
                line = [r for r in own if r["contender"] == name and ledger.ended(r)]
                line.sort(key=lambda r: r[size])
                seconds = [r["seconds"] for r in line]
                axis.plot([r[size] for r in line], seconds, marker=".", label=name)
            axis.set(title=f"depth {depth}", xlabel=size, ylabel="seconds")
            axis.set_yscale("log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


def _draw(axis: Any, records: Records, x: str, y: str, label: str) -> None:
    places, means, bars = [], [], []
    for place in sorted({record[x] for record in records}):
        here = [record for record in records if record[x] == place]
        if not all(map(is_complete, here)):
            continue
        values = [record[y] for record in here]
        places.append(place)
        means.append(np.mean(values))
        bars.append(2 * np.std(values))
    axis.errorbar(places, means, bars, marker=".", capsize=2, label=label)


MEANS = (
    *("set", "depth", "k", "splits", "ended", "train", "test", "test_deviation"),
    "seconds",
)


def means(records: Records) -> list[dict[str, Any]]:
    """Return means over the splits, a row for each set, depth and k."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in records:
        key = (record["set"], record["depth"], record["k"])
        groups.setdefault(key, []).append(record)
    return [
        {"set": name, "depth": depth, "k": k, "splits": len(own)}
        | {"ended": sum(map(is_complete, own))}
        | {each: float(np.mean([r[each] for r in own])) for each in COLUMNS}
        | {"test_deviation": float(np.std([r["test"] for r in own]))}
        for (name, depth, k), own in groups.items()
    ]


def table(records: Records, columns: Iterable[str]) -> str:
    """Return means over the splits as text, a line for each set, depth and k."""
    rows: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in records:
        rows.setdefault((record["set"], record["depth"], record["k"]), []).append(
            record
        )
    lines = []
    for (name, depth, k), own in rows.items():
        told = "  ".join(f"{c} {np.mean([r[c] for r in own]):.4g}" for c in columns)
        cut = "" if all(map(is_complete, own)) else "  (not all ended)"
        lines.append(f"{name}  depth {depth}  k={k}:  {told}{cut}")
    return "\n".join(lines)
