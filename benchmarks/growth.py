"""Measure how the time of a search grows with rows, columns, depth and penalty.

The data are generated from a rule, so that one size can change at a time: two of three
yes/no columns decide the label, three more change it one time in five, and one label in
ten is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

REPEATS = 3
TIME_LIMIT = 60.0

Data = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Axis:
    """One size that grows, and the problem at each of its values."""

    name: str
    sizes: tuple[float, ...]
    problem: Callable[[float], tuple[Data, dict[str, float | int | None]]]
    by_level: bool = False  # one more multiplies the time, rather than twice as much


def draw(n_rows: int, n_columns: int, n_values: int = 2, seed: int = 0) -> Data:
    """Return rows of independent columns, and labels by the rule."""
    chance = np.random.default_rng(seed)
    X = chance.integers(0, n_values, (n_rows, n_columns)).astype(float)
    high = n_values <= 2 * X
    label = high[:, :3].sum(axis=1) >= 2
    label ^= (high[:, 3:6].sum(axis=1) == 3) & (chance.random(n_rows) < 0.2)
    label ^= chance.random(n_rows) < 0.1
    return X, label.astype(np.int64)


def repeated(times: float) -> tuple[Data, dict[str, float | int | None]]:
    """Return the same 1,000 rows again and again."""
    X, y = draw(1000, 16)
    rows = np.tile(np.arange(1000), int(times))
    return (X[rows], y[rows]), {"leaf_penalty": 0.002, "max_depth": 5}


AXES = (
    Axis("rows, repeated (x 1,000)", (1, 2, 4, 8, 16, 32, 64), repeated),
    Axis(
        "rows, fresh, of 4,096 kinds (x 1,000)",
        (1, 2, 4, 8, 16, 32, 64, 128, 256),
        lambda n: (
            draw(1000 * int(n), 12),
            {"leaf_penalty": 0.0002, "max_depth": 6},
        ),
    ),
    Axis(
        "rows, all different (x 1,000)",
        (1, 2, 4, 8, 16, 32, 64),
        lambda n: (draw(1000 * int(n), 40), {"leaf_penalty": 0.005, "max_depth": 3}),
    ),
    Axis(
        "yes/no columns",
        (20, 40, 80, 160, 320),
        lambda p: (draw(2000, int(p)), {"leaf_penalty": 0.005, "max_depth": 3}),
    ),
    Axis(
        "thresholds a column, 8 columns",
        (4, 8, 16, 32, 64, 128, 256, 512),
        lambda t: (
            draw(4000, 8, int(t) + 1),
            {"leaf_penalty": 0.005, "max_depth": 3},
        ),
    ),
    Axis(
        "depth",
        (1, 2, 3, 4, 5),
        lambda d: (draw(2000, 30), {"leaf_penalty": 0.001, "max_depth": int(d)}),
        by_level=True,
    ),
    Axis(
        "1 / penalty, any depth",
        (25, 50, 100, 200, 400),
        lambda r: (draw(2000, 14), {"leaf_penalty": 1 / r, "max_depth": None}),
    ),
)


@dataclass(frozen=True)
class Curve:
    """The seconds at each size, all included, and how many kinds of rows there were."""

    axis: Axis
    seconds: tuple[float, ...]
    kinds: tuple[int, ...]

    @property
    def law(self) -> str:
        """The growth fitted to the larger half of the sizes, in words."""
        start = len(self.seconds) // 2
        sizes = np.array(self.axis.sizes[start:])
        x = sizes if self.axis.by_level else np.log(sizes)
        slope = float(np.polyfit(x, np.log(self.seconds[start:]), 1)[0])
        if self.axis.by_level:
            return f"x {np.exp(slope):.1f} a level"
        return f"size^{slope:.2f}"


def measure(axis: Axis) -> Curve:
    """Run one axis."""
    import ostrya

    seconds, kinds = [], []
    for size in axis.sizes:
        (X, y), options = axis.problem(size)
        runs = []
        for _ in range(REPEATS):
            outcome = ostrya.solve(X, y, time_limit=TIME_LIMIT, **options)
            runs.append(outcome.statistics.seconds)
            if runs[0] > 2.0 or not outcome.is_optimal:
                break
        seconds.append(median(runs))
        kinds.append(outcome.statistics.n_groups)
    return Curve(axis, tuple(seconds), tuple(kinds))


def lines(curve: Curve) -> Iterator[str]:
    """Yield the rows of the table for one axis."""
    for size, seconds, kinds in zip(
        curve.axis.sizes, curve.seconds, curve.kinds, strict=True
    ):
        yield f"| {curve.axis.name} | {size:g} | {kinds} | {1e3 * seconds:.3g} |"


def draw_curves(curves: list[Curve], drawing: Path) -> None:
    """Draw every axis on logarithmic scales."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 6), layout="constrained")
    for place, curve in enumerate(curves, start=1):
        panel = figure.add_subplot(2, (len(curves) + 1) // 2, place)
        panel.loglog(curve.axis.sizes, curve.seconds, "o-")
        panel.set_title(f"{curve.axis.name}\n{curve.law}", fontsize=9)
        panel.set_ylabel("seconds", fontsize=8)
        panel.grid(visible=True, alpha=0.3)
    drawing.parent.mkdir(exist_ok=True)
    figure.savefig(drawing)


def report(drawing: Path) -> str:
    """Measure every axis, draw the curves, and return a Markdown table."""
    rows = ["| grows | size | kinds of rows | engine ms |", "|---|---:|---:|---:|"]
    curves = []
    for axis in AXES:
        curves.append(measure(axis))
        rows += lines(curves[-1])
        print(f"{axis.name}: {curves[-1].law}", flush=True)
    draw_curves(curves, drawing)
    ends = [f"- {c.axis.name}: {c.law} over the larger half" for c in curves]
    return "\n".join([*rows, "", *ends, f"\ndrawn: {drawing}"])
