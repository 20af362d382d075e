"""The fastest competitor for each kind of problem.

Times are processor seconds: every contender has one thread, and on a busy machine
wall-clock time depends more on the other work than on the contender.
"""

from __future__ import annotations

from collections import Counter

from benchmarks.ledger import Record
from benchmarks.summary import (
    Result,
    best_objective,
    fault,
    geometric_mean,
    summarise,
)
from benchmarks.table import OURS, figures, is_peer

HEADER = (
    "kind",
    "problems",
    "we prove",
    "fastest rival",
    "rivals prove",
    "their time / ours",
    "least",
    "we are slower on",
    "they alone prove",
    "their proofs refuted",
)
EACH = ("problem", "ours s", "fastest rival", "s", "their time / ours")


def kind(record: Record) -> str:
    """Return the kind of a problem: its group, whether leaves cost, its tags."""
    tags = record.get("tags") or ()
    group = f"{record['group']}, {tags[0]}" if tags else record["group"]
    return group if record["penalty"] > 0 else f"{group}, penalty 0"


def render(records: list[Record]) -> str:
    """Return a Markdown table with a row per kind, and the rows that are notable."""
    kinds: dict[str, list[dict[str, Result]]] = {}
    for row in summarise(records).values():
        # What no rival was given is no comparison.
        if OURS in row and any(map(is_peer, row)):
            kinds.setdefault(kind(row[OURS].last), []).append(row)
    lines = [" | ".join(HEADER), " | ".join("---" for _ in HEADER)]
    lines += [" | ".join(cells(name, rows)) for name, rows in kinds.items()]
    notes = [note for rows in kinds.values() for row in rows for note in notable(row)]
    each = [" | ".join(EACH), " | ".join("---" for _ in EACH)]
    each += [" | ".join(each_cells(row)) for rows in kinds.values() for row in rows]
    tables = (f"| {line} |" for line in lines), (f"| {line} |" for line in each)
    return "\n".join([*tables[0], "", *notes, "", *tables[1]])


def cells(name: str, rows: list[dict[str, Result]]) -> tuple[str, ...]:
    """Return the cells of a kind.

    The fastest rival is taken problem by problem, among those that claim the proof;
    the column names who that is, and how often.
    """
    pairs = [(row[OURS], rival) for row in rows if (rival := fastest(row))]
    ratios = [rival.worked / ours.worked for ours, rival in pairs]
    wins = Counter(named(rival) for _, rival in pairs)
    return (
        name,
        str(len(rows)),
        str(sum(row[OURS].proved for row in rows)),
        ", ".join(f"{who} ({n})" for who, n in wins.most_common()) or "-",
        str(len(pairs)),
        f"{figures(geometric_mean(ratios))}x" if ratios else "-",
        f"{figures(min(ratios))}x" if ratios else "-",
        str(sum(ratio < 1 for ratio in ratios)),
        str(sum(not ours.proved for ours, _ in pairs)),
        str(sum(len(refuted(row)) for row in rows)),
    )


def each_cells(row: dict[str, Result]) -> tuple[str, ...]:
    """Return the cells of one problem; `>` marks the seconds of a search cut short."""
    ours, rival = row[OURS], fastest(row)
    mine = f"{'' if ours.proved else '> '}{figures(ours.worked)}"
    if rival is None:
        return ours.problem, mine, "-", "-", "-"
    ratio = f"{'' if ours.proved else '< '}{figures(rival.worked / ours.worked)}x"
    return ours.problem, mine, named(rival), figures(rival.worked), ratio


def named(rival: Result) -> str:
    """Return a rival with its version."""
    return f"{rival.contender} {rival.last['version']}"


def fastest(row: dict[str, Result]) -> Result | None:
    """Return the rival that is first with a proof, which nothing refutes."""
    wrong = refuted(row)
    proofs = [
        result
        for name, result in row.items()
        if is_peer(name) and result.proved and name not in wrong
    ]
    return min(proofs, key=lambda result: result.worked, default=None)


def refuted(row: dict[str, Result]) -> list[str]:
    """Return the rivals whose claim of the optimum another tree refutes."""
    best = best_objective(row)
    return [
        name
        for name, result in row.items()
        if is_peer(name) and fault(result, best) == "WRONG"
    ]


def notable(row: dict[str, Result]) -> list[str]:
    """Return a line for each thing that a comparison must not hide."""
    ours, rival = row[OURS], fastest(row)
    notes = [f"- {ours.problem}: {name} claims a worse tree" for name in refuted(row)]
    if rival is not None and not ours.proved:
        notes.append(f"- {ours.problem}: {rival.contender} proves it, ours does not")
    elif rival is not None and rival.worked < ours.worked:
        notes.append(
            f"- {ours.problem}: {rival.contender} {figures(rival.worked)} s, "
            f"ours {figures(ours.worked)} s"
        )
    best = best_objective(row)
    if best is not None and (ours.objective or best) > best + 1e-9:
        notes.append(f"- {ours.problem}: another contender has a better tree")
    return notes
