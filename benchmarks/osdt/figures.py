"""Figures 2 and 3: two policies over time, and scaling in rows and columns."""

from __future__ import annotations

import numpy as np

from benchmarks.osdt.runs import compas, run
from benchmarks.papers.kept import place, save_figure, write_table

SIZES = ("rows", "columns", "seconds", "seconds_to_optimum", "trees", "status")
POLICIES = ("curiosity", "lower_bound")
#: Times the data are repeated, as the paper repeats them.
COPIES = (1, 2, 5, 10, 20, 50)


def figure2(time_limit: float, memory_limit: float, fresh: bool) -> str:
    """Draw objective and lower bound over time for two policies."""
    from matplotlib.figure import Figure

    X, y, _ = compas()
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    rows = []
    told = [
        "| policy | seconds | to optimum | trees | to optimum |",
        "|---|" + "---:|" * 4,
    ]
    for policy, colour in zip(POLICIES, ("tab:blue", "tab:orange"), strict=True):
        record = run(
            {"experiment": "figure2"},
            X,
            y,
            policy=policy,
            time_limit=time_limit,
            memory_limit=memory_limit,
            fresh=fresh,
        )
        seconds, lower, upper = np.array(record["trace"]).T[:3]
        axes.step(seconds, upper, where="post", color=colour, label=policy)
        axes.step(seconds, lower, where="post", color=colour, linestyle="--")
        axes.plot(record["seconds_to_optimum"], upper[-1], "*", color=colour, ms=12)
        rows += [
            {"policy": policy, "seconds": t, "lower_bound": low, "objective": up}
            for t, low, up in zip(seconds, lower, upper, strict=True)
        ]
        told.append(
            f"| {policy} | {record['seconds']:.3g} | "
            f"{record['seconds_to_optimum']:.3g} | {record['trees']:,} | "
            f"{record['trees_to_optimum']:,} |"
        )
    axes.set_xlabel("seconds")
    axes.set_ylabel("objective, and lower bound (dashed)")
    axes.set_xscale("log")
    axes.legend()
    command = f"osdt figure2 --time-limit {time_limit:g}"
    path = save_figure(figure, place("osdt", "figure2.svg"), command)
    columns = ("policy", "seconds", "lower_bound", "objective")
    write_table(place("osdt", "figure2.csv"), columns, rows, command)
    return "\n".join([*told, f"drawn: {path}"])


def figure3(time_limit: float, memory_limit: float, fresh: bool) -> str:
    """Draw seconds against rows (data repeated) and against columns."""
    from matplotlib.figure import Figure

    X, y, names = compas()
    limits = {"time_limit": time_limit, "memory_limit": memory_limit, "fresh": fresh}
    best = run({"experiment": "figure3", "part": "tree"}, X, y, **limits)["features"]
    order = best + [k for k in range(X.shape[1]) if k not in best]
    told = ["| rows | columns | seconds | to optimum | trees |", "|---:|" + "---:|" * 4]

    rows = []

    def timed(copies: int, n_columns: int) -> tuple[float, float]:
        record = run(
            {"experiment": "figure3", "copies": copies, "columns": n_columns},
            np.tile(X[:, order[:n_columns]], (copies, 1)),
            np.tile(y, copies),
            **limits,
        )
        rows.append(
            {name: record[name] for name in SIZES[2:]}
            | {"rows": copies * len(y), "columns": n_columns}
        )
        told.append(
            f"| {copies * len(y):,} | {n_columns} | {record['seconds']:.3g} | "
            f"{record['seconds_to_optimum']:.3g} | {record['trees']:,} |"
        )
        return record["seconds"], record["seconds_to_optimum"]

    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    by_rows = np.array([timed(copies, X.shape[1]) for copies in COPIES])
    widths = range(len(best), X.shape[1] + 1)
    by_columns = np.array([timed(1, width) for width in widths])
    for axes, x, seconds, name in (
        (left, [c * len(y) for c in COPIES], by_rows, "rows"),
        (right, list(widths), by_columns, "columns"),
    ):
        axes.plot(x, seconds[:, 0], marker="o", label="proof")
        axes.plot(x, seconds[:, 1], marker="*", label="optimum found")
        axes.set_xlabel(name)
        axes.set_ylabel("seconds")
        axes.legend()
    command = f"osdt figure3 --time-limit {time_limit:g}"
    path = save_figure(figure, place("osdt", "figure3.svg"), command)
    write_table(place("osdt", "figure3.csv"), SIZES, rows, command)
    used = ", ".join(names[k] for k in best)
    return "\n".join([*told, f"columns of the tree: {used}", f"drawn: {path}"])
