"""Figures 5 and 13 to 16: time and slow-down against columns and rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import ledger
from benchmarks.campaign import Campaign
from benchmarks.papers.kept import place, save_figure, write_table
from benchmarks.problem import Group, Problem
from benchmarks.sources.catalog import absent, how_to_get
from benchmarks.topk.plots import panels

#: Section G.7; the captions say 0.3125, the text 1/32.
PENALTY, DEPTH = 1 / 32, 5
#: Name, columns and rows of the series, the last of each being all.
SETS = {
    "bar7": ((2, 4, 6, 8, 10, 12, 14), (50, 100, 200, 400, 800, 1913)),
    "compas_2016": ((5, 10, 20, 40, 60, 85), (50, 100, 250, 500, 1000, 2500, 5020)),
    "compas_22": (
        (5, 10, 20, 50, 100, 200, 400, 647),
        (50, 100, 250, 500, 1000, 10747),
    ),
    "fico_1000": (
        (5, 10, 20, 50, 100, 200, 500, 1000, 1407),
        (50, 100, 250, 500, 1000),
    ),
}
CONTENDERS = ("ostrya", "ostrya-leaf-sets", "gosdt", "pydl8.5", "cart")
#: They are given the depth of 32 leaves instead of a penalty.
WITHOUT_PENALTY = ("pydl8.5", "cart")
ENCODING = "at-most-complete"
#: Tables of yes/no columns are taken as they are: encoded, half would never change.
ENCODED = ("bar7",)
COLUMNS = (
    *("data", "axis", "size", "contender", "status", "processor_seconds"),
    *("slow_down", "seconds", "leaves", "objective"),
)


@dataclass(frozen=True)
class Scaling:
    """Which sets and contenders to run, and where records go."""

    sets: tuple[str, ...]
    contenders: tuple[str, ...]
    time_limit: float
    output: Path

    def problems(self, contender: str) -> Iterator[Problem]:
        """Yield the problems of a contender, sizes growing within a series."""
        for name in self.sets:
            columns, rows = SETS[name]
            encoding = "numeric" if name in ENCODED else ENCODING
            if contender in WITHOUT_PENALTY:
                base = Problem(name, Group.BINARY, 0.0, DEPTH, encoding)
            else:
                base = Problem(name, Group.BINARY, PENALTY, None, encoding)
            for size in columns:
                yield replace(base, columns=size)
            for size in rows:
                yield replace(base, rows=size)

    def run(self) -> list[dict[str, Any]]:
        """Make the runs that are missing, and return one row per run."""
        problems = {name: tuple(self.problems(name)) for name in self.contenders}
        for name, own in problems.items():
            Campaign(
                problems=own,
                contenders=(name,),
                output=self.output,
                time_limit=self.time_limit,
                repeats=1,
                series=lambda problem: (problem.data, problem.rows is None),
            ).run()
        last = {
            (record["contender"], record["problem"]): record
            for record in ledger.read(self.output)
            if record["time_limit"] == self.time_limit
        }
        found = [
            row(last[name, problem.name])
            for name, own in problems.items()
            for problem in own
            if (name, problem.name) in last
        ]
        return [*with_slow_down(found)]


def row(record: dict[str, Any]) -> dict[str, Any]:
    """Return what is kept of a run."""
    axis = "rows" if record["rows"] is not None else "columns"
    names = ("contender", "status", "processor_seconds", "seconds", "leaves")
    return {name: record.get(name) for name in (*names, "objective", "data")} | {
        "axis": axis,
        "size": record[axis],
        "ended": ledger.ended(record),
    }


def with_slow_down(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows with their time over the least of their series."""
    for each in rows:
        series = [
            other["processor_seconds"]
            for other in rows
            if all(other[k] == each[k] for k in ("data", "axis", "contender"))
            and other["ended"]
        ]
        slow_down = None
        if each["ended"]:
            slow_down = each["processor_seconds"] / min(series)
        yield each | {"slow_down": slow_down}


def draw(rows: list[dict[str, Any]], axis: str, value: str) -> Any:
    """Return a figure with one panel per data set."""
    sets = list(dict.fromkeys(r["data"] for r in rows))
    figure, axes = panels(len(sets), 2)
    for panel, name in zip(axes, sets, strict=False):
        own = [r for r in rows if r["data"] == name and r["axis"] == axis]
        for contender in dict.fromkeys(r["contender"] for r in own):
            line = [r for r in own if r["contender"] == contender and r["ended"]]
            panel.plot(
                [r["size"] for r in line],
                [r[value] for r in line],
                marker=".",
                label=contender,
            )
        panel.set(title=name, xlabel=axis, ylabel=value.replace("_", " "))
        panel.set(xscale="log", yscale="log")
    axes[0].legend(fontsize=7)
    figure.tight_layout()
    return figure


#: Figure of the paper, axis, value.
FIGURES = (
    (13, "columns", "processor_seconds"),
    (14, "rows", "processor_seconds"),
    (15, "columns", "slow_down"),
    (16, "rows", "slow_down"),
)


def report(
    time_limit: float, contenders: tuple[str, ...], sets: tuple[str, ...], output: Path
) -> str:
    """Run what is missing, write the table and the figures, and return the largest."""
    missing = absent(sets)
    if missing:
        raise SystemExit(how_to_get(missing))
    rows = Scaling(sets, contenders, time_limit, output).run()
    command = (
        f"gosdt scaling --time-limit {time_limit:g} --sets {','.join(sets)} "
        f"--contenders {','.join(contenders)}"
    )
    write_table(
        place("gosdt", "scaling.csv"),
        COLUMNS,
        rows,
        command,
        f"a series ends with the first run that takes over {time_limit:g} seconds",
    )
    for number, axis, value in FIGURES:
        figure = draw(rows, axis, value)
        save_figure(figure, place("gosdt", f"figure{number}.svg"), command)
    lines = [
        "| data | largest solved: columns | rows |",
        "|---|---|---|",
        *(
            f"| {name} | {reached(rows, name, 'columns')} | "
            f"{reached(rows, name, 'rows')} |"
            for name in sets
        ),
    ]
    return "\n".join([*lines, f"written: {place('gosdt')}"])


def reached(rows: list[dict[str, Any]], name: str, axis: str) -> str:
    """Return the largest size that each contender completed, with its seconds."""
    best: dict[str, dict[str, Any]] = {}
    for each in rows:
        if each["data"] == name and each["axis"] == axis and each["ended"]:
            best[each["contender"]] = each
    return ", ".join(
        f"{contender} {r['size']} ({r['processor_seconds']:.2g} s)"
        for contender, r in best.items()
    )
