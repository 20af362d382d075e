"""The table of the raw suite in Markdown, one section per tag."""

from __future__ import annotations

from statistics import fmean

from benchmarks.raw.runs import Runs, gap
from benchmarks.summary import Result, best_objective
from benchmarks.table import (
    OURS,
    Results,
    heading,
    means,
    megabytes,
    objective,
    ratio,
    seconds,
)

TITLES = {
    "narrow": "Narrow tables",
    "guessed": "Thresholds guessed by the default reference",
    "wide": "Wide tables",
    "dl85": "Yes/no tables of the usual benchmarks",
}
#: Seconds after which the gap is told beside that at the end.
MOMENTS = (1.0, 10.0)
NOTE = (
    "No depth limit, all thresholds, one thread. Seconds to the proof, `> s` where "
    "there was none after s seconds. Objective: error + penalty * leaves, recounted "
    "from predictions and leaves. Gap: the part of the objective that lies above the "
    "lower bound. Ratio: seconds of the contender over ours. WRONG: claims the "
    "optimum, and another contender has a better tree. `ostrya-unpriced` is ours with "
    "`Bounds(dual_prices=False)`."
)


def render(runs: Runs) -> str:
    """Return the whole report."""
    if not runs.results:
        return "no results yet"
    parts = ["# Raw tables, no depth limit", heading(runs.results, runs.contenders)]
    for tag, part in runs.tagged().items():
        present = [n for n in runs.contenders if any(n in row for row in part.values())]
        parts.append(f"## {TITLES[tag]}")
        parts.append(section(runs, part, present))
        lines = [proofs(part, name) for name in present] + means(part, present)
        parts.append("\n".join(lines))
    return "\n\n".join((*parts, NOTE)) + "\n"


def section(runs: Runs, part: Results, present: list[str]) -> str:
    """Return the table of one tag."""
    header = ["problem"]
    for name in present:
        if name == OURS:
            header += ["s", "objective", "leaves", "gap"]
            header += [f"after {moment:g} s" for moment in MOMENTS] + ["MB"]
        else:
            header += [f"{name} s", "objective", "gap", "ratio"]
    rows = [header, ["---", *("---:" for _ in header[1:])]]
    for problem, row in part.items():
        best, ours = best_objective(row), row.get(OURS)
        cells = [problem]
        for name in present:
            if name == OURS:
                cells += our_cells(runs, ours, best)
            else:
                cells += their_cells(row.get(name), ours, best)
        rows.append(cells)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def our_cells(runs: Runs, ours: Result | None, best: float | None) -> list[str]:
    """Return the cells of ostrya."""
    if ours is None:
        return [""] * (5 + len(MOMENTS))
    return [
        seconds(ours),
        objective(ours, best),
        str(ours.last.get("leaves", "")),
        percent(gap(ours)),
        *(percent(runs.gap_after(ours, moment)) for moment in MOMENTS),
        megabytes(ours),
    ]


def their_cells(
    result: Result | None, ours: Result | None, best: float | None
) -> list[str]:
    """Return the cells of another contender."""
    if result is None:
        return [""] * 4
    told = "" if result.last.get("lower") is None else percent(gap(result))
    return [seconds(result), objective(result, best), told, ratio(result, ours)]


def percent(part: float) -> str:
    """Return a share in per cent; a proof is not rounded to, nor away."""
    if part == 0.0:
        return "0"
    return f"{max(100 * part, 0.1):.1f} %"


def proofs(part: Results, name: str) -> str:
    """Return how many problems a contender proves, and the mean of its gaps."""
    entered = [row[name] for row in part.values() if name in row]
    proved = sum(result.proved for result in entered)
    return (
        f"- {name}: proves {proved} of {len(entered)}; mean gap "
        f"{percent(fmean(gap(result) for result in entered))}"
    )
