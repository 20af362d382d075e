"""What each bound of the main engine is worth: time and subproblems without it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks import ledger
from benchmarks.data import load
from benchmarks.folders import RESULTS
from benchmarks.papers.kept import commit, place, write_table
from benchmarks.problem import Problem
from benchmarks.summary import geometric_mean

#: Bound and its switch. B9 holds only with guesses, which `guesses` measures.
SWITCHES = {
    "B1 leaf count": "leaf_count",
    "B2 leaf optimal": "leaf_optimal",
    "B3 support": "support",
    "B4 superset": "superset",
    "B5 similar support": "similar_support",
    "B6 look-ahead": "look_ahead",
    "B7 closed by pairs": "pairs_close",
    "B8 depth transfer": "depth_transfer",
    "B10 dual prices": "dual_prices",
}
ALL, NONE = "all bounds", "no bounds"
COLUMNS = (
    *("problem", "without", "status", "processor_seconds", "subproblems", "objective"),
    "lower_bound",
)
#: Two sums of doubles differ by less than this.
ROUNDING = 1e-9
#: Times below this are noise, and count as this.
LEAST_SECONDS = 1e-3


def variants() -> dict[str, tuple[str, ...]]:
    """Return the switches that each variant turns off."""
    single = {name: (switch,) for name, switch in SWITCHES.items()}
    return {ALL: (), **single, NONE: tuple(SWITCHES.values())}


def run(problem: Problem, without: str, time_limit: float) -> dict[str, Any]:
    """Solve a problem with one variant."""
    import ostrya

    X, y = load(problem)
    off = dict.fromkeys(variants()[without], False)
    start = time.process_time()
    found = ostrya.solve(
        X,
        y,
        leaf_penalty=problem.penalty,
        max_depth=problem.depth,
        time_limit=time_limit,
        memory_limit=3 << 30,
        bounds=ostrya.bounds.Bounds(**off),
    )
    return {
        "problem": problem.name,
        "without": without,
        "status": found.status,
        "processor_seconds": time.process_time() - start,
        "subproblems": found.statistics.subproblems,
        "objective": found.objective,
        "lower_bound": found.lower_bound,
    }


def report(
    suite: str, problems: Sequence[Problem], time_limit: float, command: str
) -> str:
    """Run all variants on all problems, write every run, and return the summary.

    Parts of a suite that earlier calls ran with the same code and limit are in the
    table, too, and are not run again.
    """
    if not problems:
        raise SystemExit("There are no problems with data to run.")
    file = RESULTS / (
        f"ablation-{suite}-{commit().replace(' ', '-')}-{time_limit:g}s.jsonl"
    )
    known = {(r["problem"], r["without"]): r for r in ledger.read(file)}
    for number, problem in enumerate(problems, start=1):
        for without in variants():
            if (problem.name, without) not in known:
                found = run(problem, without, time_limit)
                ledger.append(file, found)
                known[problem.name, without] = found
        print(f"[{number}/{len(problems)}] {problem.name}", file=sys.stderr, flush=True)
    # An interrupted call can have left a problem without some of its variants.
    complete = {n for n, _ in known if all((n, v) in known for v in variants())}
    rows = [row for row in known.values() if row["problem"] in complete]
    path = write_table(
        place("ablation", f"{suite}.csv"),
        COLUMNS,
        rows,
        command,
        f"at most {time_limit:g} seconds a run",
    )
    return "\n".join([*summary(rows), *faults(rows), f"written: {path}"])


def summary(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return one line per variant: proofs lost, and factors over what both prove."""
    by_variant: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        by_variant.setdefault(row["without"], {})[row["problem"]] = row
    base = by_variant[ALL]
    lines = [
        "| left out | proved | both prove | time | subproblems | largest factor of "
        "time, on |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for without, own in by_variant.items():
        both = [
            (base[name], own[name])
            for name in own
            if is_proved(base[name]) and is_proved(own[name])
        ]
        times = {b["problem"]: seconds(b) / seconds(a) for a, b in both}
        work = [max(b["subproblems"], 1) / max(a["subproblems"], 1) for a, b in both]
        worst = max(times, key=lambda name: times[name], default="-")
        proved = sum(map(is_proved, own.values()))
        lines.append(
            f"| {without} | {proved}/{len(own)} | {len(both)} | "
            f"{factor(list(times.values()))} | {factor(work)} | "
            f"{times.get(worst, 1.0):.2f}, {worst} |"
        )
    return lines


def is_proved(row: dict[str, Any]) -> bool:
    """Tell whether a search ended with a proof."""
    return bool(row["status"] == "optimal")


def seconds(row: dict[str, Any]) -> float:
    """Return the seconds of a run, at least what can be measured."""
    return max(float(row["processor_seconds"]), LEAST_SECONDS)


def factor(values: Iterable[float]) -> str:
    """Return a geometric mean in words."""
    found = list(values)
    return f"{geometric_mean(found):.2f}" if found else "-"


def faults(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return every run that contradicts another: a bound must not change the answer."""
    found = []
    for row in rows:
        for other in rows:
            if row["problem"] == other["problem"] and is_proved(row):
                excess = row["objective"] - other["objective"]
                if excess > ROUNDING:
                    found.append(
                        f"WRONG: {row['problem']} without {row['without']} is not "
                        f"optimal, {other['without']} is better by {excess:.2g}"
                    )
    return found
