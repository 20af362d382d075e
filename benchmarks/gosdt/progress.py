"""Figure 17: the best objective over time, on eight data sets at penalty 0.005."""

from __future__ import annotations

from typing import Any

from benchmarks.data import load
from benchmarks.papers.kept import place, save_figure, write_table
from benchmarks.problem import Group, Problem
from benchmarks.sources.catalog import absent, how_to_get
from benchmarks.topk.plots import panels

PENALTY = 0.005
SETS = (
    *("bar7", "tic-tac-toe_binary18", "car_evaluation_binary15", "compas_binary12"),
    *("fico_binary17", "monk1_binary11", "monk2_binary11", "monk3_binary11"),
)
#: The main engine stands where GOSDT stands in the paper, leaf sets where OSDT does.
ENGINES: dict[str, dict[str, Any]] = {
    "main engine": {},
    "leaf sets (OSDT)": {"engine": "leaf_sets", "policy": "curiosity"},
}
MOST_POINTS = 200
COLUMNS = ("data", "engine", "seconds", "objective", "lower_bound", "status")


def traces(time_limit: float) -> list[dict[str, Any]]:
    """Return the points at which a bound moved, for every set and engine."""
    import ostrya

    rows = []
    for name in SETS:
        if absent([name]):
            continue
        X, y = load(Problem(name, Group.BINARY, PENALTY, None))
        for engine, options in ENGINES.items():
            found = ostrya.solve(
                X,
                y,
                leaf_penalty=PENALTY,
                time_limit=time_limit,
                memory_limit=3 << 30,
                **options,
            )
            step = max(1, len(found.trace) // MOST_POINTS)
            points = [*found.trace[::step], found.trace[-1]]
            rows += [
                {"data": name, "engine": engine, "status": found.status}
                | {"seconds": p.seconds, "objective": p.objective}
                | {"lower_bound": p.lower_bound}
                for p in dict.fromkeys(points)
            ]
    return rows


def report(time_limit: float) -> str:
    """Draw the traces, write them, and return when each search found its optimum."""
    missing = absent(SETS)
    if len(missing) == len(SETS):
        raise SystemExit(how_to_get(missing))
    rows = traces(time_limit)
    command = f"gosdt figure17 --time-limit {time_limit:g}"
    write_table(place("gosdt", "figure17.csv"), COLUMNS, rows, command)
    sets = list(dict.fromkeys(row["data"] for row in rows))
    figure, axes = panels(len(sets), 4)
    lines = [
        "| data | engine | status | to best tree (s) | in all (s) | objective |",
        "|---|---|---|---:|---:|---:|",
    ]
    for axis, name in zip(axes, sets, strict=False):
        for engine, colour in zip(ENGINES, ("tab:blue", "tab:orange"), strict=True):
            own = [r for r in rows if (r["data"], r["engine"]) == (name, engine)]
            seconds = [max(r["seconds"], 1e-5) for r in own]
            for value, style in (("objective", "-"), ("lower_bound", "--")):
                axis.step(
                    seconds,
                    [r[value] for r in own],
                    style,
                    where="post",
                    color=colour,
                    label=engine if style == "-" else None,
                )
            best = next(r for r in own if r["objective"] == own[-1]["objective"])
            lines.append(
                f"| {name} | {engine} | {own[-1]['status']} | {best['seconds']:.2g} | "
                f"{own[-1]['seconds']:.2g} | {own[-1]['objective']:.5f} |"
            )
        axis.set(title=name, xlabel="seconds", ylabel="objective", xscale="log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    save_figure(figure, place("gosdt", "figure17.svg"), command)
    return "\n".join([*lines, f"written: {place('gosdt')}"])
