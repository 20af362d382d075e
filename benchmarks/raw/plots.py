"""The figures of the raw suite, drawn by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.raw.report import TITLES
from benchmarks.raw.runs import Runs, gap
from benchmarks.table import OURS, Results

UNPRICED = "ostrya-unpriced"
#: Both are told by their bounds over time; others by their end alone.
COLOURS = {OURS: "#1f6f54", UNPRICED: "#c26a1b"}
LABELS = {OURS: "with row prices", UNPRICED: "without"}
OTHERS = "#555555"
#: First moment drawn, in seconds, and moments up to the time limit.
BEGIN, MOMENTS = 0.01, 60


def figure(width: float, height: float) -> Any:
    """Return an empty figure whose text stays text, which keeps files small."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["svg.hashsalt"] = "ostrya"
    return Figure(figsize=(width, height), layout="constrained")


def save(drawn: Any, path: Path) -> None:
    """Write a figure without the date, so that the same results give the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn.savefig(path, metadata={"Date": None})


def gaps_over_time(runs: Runs, path: Path) -> None:
    """Draw the gap over time, a panel per tag: each problem thin, their mean thick."""
    parts = runs.tagged()
    drawn = figure(4.2 * len(parts), 3.4)
    axes = drawn.subplots(1, len(parts), squeeze=False, sharey=True)[0]
    for axis, (tag, part) in zip(axes, parts.items(), strict=True):
        limit = max(r.last["time_limit"] for row in part.values() for r in row.values())
        moments = np.geomspace(BEGIN, limit, MOMENTS)
        for name in (UNPRICED, OURS):
            draw_lines(axis, runs, part, name, moments)
        for name in runs.contenders:
            if name not in COLOURS:
                draw_end(axis, part, name, limit)
        axis.set(title=f"{TITLES[tag]} ({len(part)})", xlabel="seconds", xscale="log")
        axis.set_ylim(-2, 102)
        axis.legend(fontsize=7, loc="lower left")
    axes[0].set_ylabel("gap, % of the objective")
    save(drawn, path)


def draw_lines(
    axis: Any, runs: Runs, part: Results, name: str, moments: np.ndarray
) -> None:
    """Draw the gaps of ours, with prices or without."""
    results = [row[name] for row in part.values() if name in row]
    if not results:
        return
    lines = [[100 * runs.gap_after(r, t) for t in moments] for r in results]
    if name == OURS:
        for line in lines:
            draw_steps(axis, moments, line, color=COLOURS[name], lw=0.5, alpha=0.35)
    label = f"{LABELS[name]}, mean of {len(results)}"
    mean = list(np.mean(lines, axis=0))
    draw_steps(axis, moments, mean, color=COLOURS[name], lw=2, label=label)


def draw_steps(axis: Any, moments: np.ndarray, line: list[float], **style: Any) -> None:
    """Draw a line that stays until it moves, with no points between."""
    ends = (0, len(line) - 1)
    kept = [i for i in range(len(line)) if i in ends or line[i] != line[i - 1]]
    axis.plot(moments[kept], [line[i] for i in kept], drawstyle="steps-post", **style)


def draw_end(axis: Any, part: Results, name: str, limit: float) -> None:
    """Draw the mean gap that another contender has at its end, if it tells any."""
    results = [row[name] for row in part.values() if name in row]
    told = [r for r in results if r.proved or r.last.get("lower") is not None]
    if told:
        mean = 100 * float(np.mean([gap(result) for result in told]))
        label = f"{name} at its end, {len(told)}"
        axis.plot([limit], [mean], "D", color=OTHERS, ms=5, label=label)


def before_and_after(runs: Runs, tag: str, path: Path) -> None:
    """Draw the gap at the end with prices and without, a line per problem of a tag."""
    part = {
        problem: row
        for problem, row in runs.tagged().get(tag, {}).items()
        if OURS in row and UNPRICED in row
    }
    if not part:
        return
    drawn = figure(6.4, 0.8 + 0.24 * len(part))
    axis = drawn.subplots()
    places = np.arange(len(part))[::-1]
    ends = {name: [100 * gap(row[name]) for row in part.values()] for name in COLOURS}
    axis.hlines(places, ends[OURS], ends[UNPRICED], color="#bbbbbb", lw=1.5, zorder=1)
    for name, marker in ((UNPRICED, "o"), (OURS, "D")):
        proved = sum(row[name].proved for row in part.values())
        label = f"{LABELS[name]}: {proved} of {len(part)} proved"
        axis.scatter(
            ends[name], places, color=COLOURS[name], marker=marker, s=22, label=label
        )
    names = [problem.replace(", any depth", "") for problem in part]
    axis.set_yticks(places, names, fontsize=7)
    axis.set_xlabel("gap at the time limit, % of the objective")
    axis.set_xlim(-2, max(10.0, 1.1 * max(map(max, ends.values()))))
    axis.legend(fontsize=7)
    save(drawn, path)
