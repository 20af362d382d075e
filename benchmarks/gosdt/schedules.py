"""Section 4.3: what the paper's schedule is worth, by its reference implementation."""

from __future__ import annotations

import time
from fractions import Fraction

from benchmarks.data import load
from benchmarks.gosdt.reference import SCHEDULES, Gosdt
from benchmarks.papers.kept import place, write_table
from benchmarks.problem import Group, Problem
from benchmarks.sources.catalog import absent, how_to_get

SETS = ("monk1_binary11", "monk2_binary11", "monk3_binary11", "bar7", "compas_binary12")
#: The penalty of section G.7, and a lower one that the reference still solves.
PENALTIES = (Fraction(1, 32), Fraction(1, 50))
MOST_POPS = 60_000
COLUMNS = (
    *("data", "penalty", "schedule", "complete", "objective"),
    *("pops", "problems", "updates", "processor_seconds"),
)


def report() -> str:
    """Run every schedule, compare the optima with ours, and count the work."""
    import ostrya

    missing = absent(SETS)
    if len(missing) == len(SETS):
        raise SystemExit(how_to_get(missing))
    rows = []
    for name in SETS:
        if name in missing:
            continue
        X, y = load(Problem(name, Group.BINARY, 0.0, None))
        for penalty in PENALTIES:
            facts = {"data": name, "penalty": float(penalty)}
            for schedule, make in SCHEDULES.items():
                search = Gosdt(X, y, penalty)
                start = time.process_time()
                complete = search.run(make(), MOST_POPS)
                counts = vars(search.counts)
                rows.append(
                    facts
                    | counts
                    | {"schedule": schedule, "complete": complete}
                    | {"objective": search.objective if complete else None}
                    | {"processor_seconds": time.process_time() - start}
                )
            start = time.process_time()
            ours = ostrya.solve(X, y, leaf_penalty=float(penalty))
            rows.append(
                facts
                | {"schedule": "ostrya", "complete": ours.is_optimal}
                | {"objective": ours.objective, "pops": None, "updates": None}
                | {"problems": ours.statistics.subproblems}
                | {"processor_seconds": time.process_time() - start}
            )
    path = write_table(
        place("gosdt", "schedules.csv"),
        COLUMNS,
        rows,
        "gosdt schedules",
        f"searches end after {MOST_POPS} pops",
    )
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    for row in rows:
        cells = (row[name] for name in COLUMNS)
        shown = (f"{c:.4g}" if isinstance(c, float) else str(c) for c in cells)
        lines.append("| " + " | ".join(shown) + " |")
    return "\n".join([*lines, *disagreements(rows), f"written: {path}"])


def disagreements(rows: list[dict]) -> list[str]:
    """Return the problems on which complete searches differ in objective."""
    found = []
    for row in rows:
        same = [
            r["objective"]
            for r in rows
            if (r["data"], r["penalty"]) == (row["data"], row["penalty"])
            and r["complete"]
        ]
        if row["schedule"] == "ostrya" and max(same) - min(same) > 1e-9:
            found.append(f"DIFFERENT OPTIMA: {row['data']} at {row['penalty']:g}")
    return found
