"""The table of a results file in Markdown, one section per group."""

from __future__ import annotations

from math import exp, log
from statistics import fmean

from benchmarks.contenders.base import EARLY
from benchmarks.ledger import Record
from benchmarks.summary import FLOAT32, Result, best_objective, fault, summarise

OURS = "ostrya"
NOTE = (
    "Seconds: median of the runs, one thread; `> s`: not proved within s seconds. "
    "Objective: error + penalty * leaves, recomputed from predictions and leaves. "
    "MB: peak resident memory of the process. Ratio: seconds of the other package "
    "divided by ours. WRONG: reported as optimal, but another contender has a better "
    "tree."
)

Results = dict[str, dict[str, Result]]


def render(records: list[Record]) -> str:
    """Return the whole table: machine and versions, groups, geometric means."""
    if not records:
        return "no results yet"
    results = summarise(records)
    contenders = list(dict.fromkeys(record["contender"] for record in records))
    contenders.sort(key=lambda name: name != OURS)
    groups: dict[str, Results] = {}
    for problem, of_problem in results.items():
        group = next(iter(of_problem.values())).last["group"]
        groups.setdefault(group, {})[problem] = of_problem
    parts = [heading(results, contenders)]
    for group, part in groups.items():
        present = [name for name in contenders if any(name in r for r in part.values())]
        parts.append(f"### {group}\n\n" + section(part, present))
        parts.append("\n".join(means(part, present)))
    return "\n\n".join(part for part in (*parts, NOTE) if part)


def heading(results: Results, contenders: list[str]) -> str:
    """Return one line on the machine, the Python and the versions."""
    newest = {
        name: of_problem[name].last
        for of_problem in results.values()
        for name in contenders
        if name in of_problem
    }
    record = next(iter(newest.values()))
    limits = sorted({f"{last['time_limit']:g}" for last in newest.values()})
    versions = ", ".join(f"{name} {newest[name]['version']}" for name in newest)
    return (
        f"{record['machine']['cpu']}, {record['machine']['cores']} cores, "
        f"Python {record['python']}; {versions}; limit {' or '.join(limits)} s."
    )


def section(results: Results, contenders: list[str]) -> str:
    """Return the table of one group."""
    peers = [name for name in contenders if name != OURS]
    header = ["problem"]
    if OURS in contenders:
        header += ["s", "engine s", "target s", "objective", "leaves", "status"]
        header += ["subproblems", "MB"]
    for name in peers:
        header += [f"{name} s", "objective", "MB"]
        if OURS in contenders:
            header += ["ratio"]
    rows = [header, ["---", *("---:" for _ in header[1:])]]
    for problem, of_problem in results.items():
        best, ours = best_objective(of_problem), of_problem.get(OURS)
        row = [problem]
        if OURS in contenders:
            row += our_cells(ours, best)
        for name in peers:
            row += peer_cells(of_problem.get(name), best)
            if OURS in contenders:
                row += [ratio(of_problem.get(name), ours)]
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def our_cells(result: Result | None, best: float | None) -> list[str]:
    """Return the cells of ostrya."""
    if result is None:
        return [""] * 8
    record = result.last
    return [
        seconds(result),
        "" if result.engine_seconds is None else figures(result.engine_seconds),
        target(result),
        objective(result, best),
        str(record.get("leaves", "")),
        record["status"],
        str(record.get("subproblems") or ""),
        megabytes(result),
    ]


def peer_cells(result: Result | None, best: float | None) -> list[str]:
    """Return the cells of a peer, but for its ratio."""
    if result is None:
        return [""] * 3
    return [seconds(result), objective(result, best), megabytes(result)]


def seconds(result: Result) -> str:
    """Return the seconds to three figures, or how long it took without a proof."""
    if result.seconds is None:
        return result.last["status"]
    unproved = "" if result.proved or result.heuristic else "> "
    return f"{unproved}{figures(result.seconds)}"


def figures(number: float) -> str:
    """Return three figures, or all before the point, never in powers of ten."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def target(result: Result) -> str:
    """Return the target, and whether it was missed."""
    wanted = result.last.get("target")
    if wanted is None:
        return ""
    kept = result.proved and result.spent <= wanted
    return f"{wanted:g}" if kept else f"{wanted:g} MISSED"


def objective(result: Result, best: float | None) -> str:
    """Return the objective with what is wrong about it."""
    if result.objective is None:
        return "-"
    wrong = fault(result, best)
    return f"{result.objective:.6f}" + (f" {wrong}" if wrong else "")


def megabytes(result: Result) -> str:
    """Return the peak of resident memory, interpreter and packages included."""
    return f"{result.peak_memory / 1e6:.0f}"


def ratio(peer: Result | None, ours: Result | None) -> str:
    """Return the peer's seconds over ours, as a bound where one has no proof."""
    if peer is None or ours is None or peer.heuristic:
        return ""
    if not (peer.proved or ours.proved):
        return ""
    sign = "" if peer.proved and ours.proved else ("<" if peer.proved else ">")
    return f"{sign}{figures(peer.spent / ours.spent)}x"


def means(results: Results, contenders: list[str]) -> list[str]:
    """Return a line per peer, and one for the faster of them, with geometric means."""
    if OURS not in contenders:
        return []
    everyone = [result for row in results.values() for result in row.values()]
    greedy = {result.contender for result in everyone if result.heuristic}
    peers = [name for name in contenders if is_peer(name) and name not in greedy]
    lines = [mean_line(name, results, [name]) for name in peers]
    if len(peers) > 1:
        lines.append(mean_line("fastest peer", results, peers))
    return lines + [line for name in peers if (line := gap_line(name, results))]


def is_peer(name: str) -> bool:
    """Tell whether a contender is neither ours nor a variant of ours."""
    return name != OURS and not name.startswith(f"{OURS}-")


def gap_line(peer: str, results: Results) -> str | None:
    """Return how often our early gap is no larger than the last one of a peer."""
    pairs = []
    for of_problem in results.values():
        ours, theirs = of_problem.get(OURS), of_problem.get(peer)
        if ours is None or theirs is None or theirs.proved:
            continue
        is_over = ours.proved and ours.spent <= EARLY
        early = 0.0 if is_over else ours.last.get("early_gap")
        lower = theirs.last.get("lower")
        if early is not None and lower is not None and theirs.objective is not None:
            pairs.append((early, theirs.objective - lower))
    if not pairs:
        return None
    kept = sum(early <= last + FLOAT32 for early, last in pairs)
    return (
        f"- gap: on {kept} of the {len(pairs)} problems that {peer} does not prove, "
        f"our gap after {EARLY:g} s is at most its final gap"
    )


def mean_line(title: str, results: Results, peers: list[str]) -> str:
    """Return the mean ratio over the problems that one of the peers proves.

    A wrong proof counts as one, in favour of the peer. Where ours has none, the
    seconds it spent count, which flatters ours: the line says how often.
    """
    ratios, unproved = [], 0
    for of_problem in results.values():
        ours = of_problem.get(OURS)
        entered = [of_problem[name] for name in peers if name in of_problem]
        proofs = [result.spent for result in entered if result.proved]
        if ours is not None and proofs:
            ratios.append(min(proofs) / ours.spent)
            unproved += not ours.proved
    if not ratios:
        return f"- {title}: proves none"
    mean = exp(fmean(log(ratio) for ratio in ratios))
    missing = f", {unproved} of which Ostrya does not prove" if unproved else ""
    return (
        f"- {title}: {figures(mean)}x our time in the geometric mean over the "
        f"{len(ratios)} of {len(results)} problems that it proves{missing}; "
        f"at least {figures(min(ratios))}x"
    )
