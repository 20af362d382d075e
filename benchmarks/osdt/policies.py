"""Section G.2 and appendix I: search policies against each other.

The paper reports that curiosity halves the time of the policy "objective" and needs a
quarter of its memory, and that lower bound and entropy are much slower.
"""

from __future__ import annotations

from typing import Any

from benchmarks.osdt.runs import compas, run
from benchmarks.papers.kept import place, write_table

POLICIES = (
    *("curiosity", "objective", "lower_bound", "entropy"),
    *("breadth_first", "depth_first"),
)
COLUMNS = (
    *("policy", "bounds", "status", "seconds", "seconds_to_optimum"),
    *("trees", "trees_to_optimum", "memory"),
)
#: All bounds, and without the look-ahead, where more trees wait in the queue.
VARIANTS: dict[str, tuple[str, ...]] = {
    "all": (),
    "no support bounds": ("node_support", "leaf_accuracy"),
    "no look-ahead": ("look_ahead",),
}


def report(time_limit: float, memory_limit: float, fresh: bool) -> str:
    """Run every policy, write the table, and return it."""
    X, y, _ = compas()
    rows: list[dict[str, Any]] = []
    for bounds, off in VARIANTS.items():
        for policy in POLICIES:
            record = run(
                {"experiment": "policies", "bounds": bounds},
                X,
                y,
                off=off,
                policy=policy,
                time_limit=time_limit,
                memory_limit=memory_limit,
                fresh=fresh,
            )
            rows.append({**record, "bounds": bounds})
    command = f"osdt policies --time-limit {time_limit:g}"
    path = write_table(place("osdt", "policies.csv"), COLUMNS, rows, command)
    lines = [
        "| bounds | policy | status | seconds | to optimum | trees | to optimum | MB |",
        "|---|---|---|" + "---:|" * 5,
    ]
    lines += [
        f"| {r['bounds']} | {r['policy']} | {r['status']} | {r['seconds']:.3g} | "
        f"{r['seconds_to_optimum']:.3g} | {r['trees']:,} | {r['trees_to_optimum']:,} | "
        f"{r['memory'] / 1e6:.3g} |"
        for r in rows
    ]
    return "\n".join([*lines, f"written: {path}"])
