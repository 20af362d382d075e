"""Table 2: the effect of each bound, compared with the paper's."""

from __future__ import annotations

from typing import Any

from benchmarks.osdt.paper import TABLE_2
from benchmarks.osdt.runs import compas, run
from benchmarks.papers.kept import place, write_table

#: Each bound left out in turn; the paper has the first six.
VARIANTS = (
    "all bounds",
    "node_support",
    "incremental_accuracy",
    "leaf_accuracy",
    "look_ahead",
    "equivalent_points",
    "similar_support",
    "permutation",
    "leaf_count",
)
MEASURED = ("seconds", "seconds_to_optimum", "trees", "trees_to_optimum", "memory")
COLUMNS = ("without", "status", *MEASURED, *(f"printed_{name}" for name in MEASURED))
HEAD = (
    "| bound left out | seconds | (paper) | to optimum | (paper) | trees | (paper) "
    "| to optimum | (paper) | MB | (paper) |\n|---|" + "---:|" * 10
)


def report(time_limit: float, memory_limit: float, fresh: bool) -> str:
    """Run the variants and return the table as Markdown."""
    X, y, _ = compas()
    lines, rows = [HEAD], []
    for name in VARIANTS:
        off = () if name == "all bounds" else (name,)
        record = run(
            {"experiment": "table2", "variant": name},
            X,
            y,
            off=off,
            time_limit=time_limit,
            memory_limit=memory_limit,
            fresh=fresh,
        )
        lines.append(line(name, record))
        paper = TABLE_2.get(name)
        known = paper._asdict() if paper else {}
        printed = {f"printed_{key}": value for key, value in known.items()}
        rows.append(dict.fromkeys(COLUMNS) | record | printed | {"without": name})
    command = f"osdt table2 --time-limit {time_limit:g}"
    path = write_table(place("osdt", "table2.csv"), COLUMNS, rows, command)
    return "\n".join([*lines, f"written: {path}"])


def line(name: str, record: dict[str, Any]) -> str:
    paper = TABLE_2.get(name)
    over = "" if record["status"] == "optimal" else ">"
    theirs_over = "" if paper is None or paper.finished else ">"

    def theirs(value: float | None, mark: str = "") -> str:
        return "" if value is None else f"{mark}{round(value, 2):,}"

    status = "" if record["status"] == "optimal" else f" ({record['status']})"
    cells = [
        f"{name}{status}",
        f"{over}{record['seconds']:.3g}",
        theirs(paper and paper.seconds, theirs_over),
        f"{record['seconds_to_optimum']:.3g}" if not over else "",
        theirs(paper and paper.seconds_to_optimum),
        f"{over}{record['trees']:,}",
        theirs(paper and paper.trees, theirs_over),
        f"{record['trees_to_optimum']:,}" if not over else "",
        theirs(paper and paper.trees_to_optimum),
        f"{over}{record['memory'] / 1e6:.3g}",
        theirs(paper and paper.memory and paper.memory * 1000, theirs_over),
    ]
    return "| " + " | ".join(cells) + " |"
