"""`python -m benchmarks rules`: what each rule of the schedule is worth.

Tables are those of `unseen`, on which no rule was tuned.

Every table is searched with default settings and no depth limit, once with the schedule
that ships and once without each rule. Time is counted work in nanoseconds, so the
numbers are the same on every machine, however busy it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks import ledger
from benchmarks.unseen.tables import RawTable, files, read
from ostrya import OptimalTreeClassifier, _core

#: Words after which a search ends: about a second.
MOST_WORK = 2**29
#: Nanoseconds of counted work at which trees are compared.
MOMENTS = (10**7, 10**8)
NEVER = 2**62


class _CapturedError(Exception):
    """The arguments of the engine are known; nothing needs to be searched."""


def _set(family: str, **values: Any) -> Callable[[_core.Options], None]:
    def change(tuning: Any, bounds: Any) -> None:
        for name, value in values.items():
            setattr(getattr(tuning, family), name, value)

    return change


def _no_prices(tuning: Any, bounds: Any) -> None:
    bounds.dual_prices.is_on = False


#: Each rule, and how the engine searches without it.
RULES: dict[str, Callable[..., None]] = {
    "as shipped": lambda tuning, bounds: None,
    "small depths": _set(
        "deepening", first_turn=NEVER, first_turn_of_questions=NEVER, early=NEVER
    ),
    "splits of the incumbent first": _set("deepening", most_promising=0),
    "more for a far proof": _set(
        "deepening", far_share_of_three=4, far_share_of_four=4, first_share=4
    ),
    "more for a stuck proof": _set("deepening", late=NEVER),
    "Top-k searches": _set("incumbents", first_turn=NEVER),
    "dual prices": _no_prices,
    "more while prices lead": _set("prices", leading_share=2),
    "waiting near the proof": _set("prices", wait_while_near=1, most_wait=0),
    "prices of negative rounds": _set("prices", most_greedy=0),
    "halving at the root": _set("search", subproblems_before_halving=NEVER),
    "slack for middle cuts": _set("search", most_slack_part=NEVER),
    "sampled cuts": _set("search", idle_cuts=NEVER),
    "trees before a wide scan": _set("first_trees", wide_root_pairs=NEVER),
    "first trees of small depth": _set("first_trees", most_small_depth=2),
    "greedy pairs": _set("first_trees", greedy_cells=1, later_greedy_cells=1),
    "careful first tree": _set("first_trees", long_leaves=2**31),
}


def arguments(table: RawTable) -> tuple[Any, ...] | None:
    """Return what a default fit hands to the engine; None if it does not reach it."""
    found: list[tuple[Any, ...]] = []

    def keep(*given: Any) -> None:
        found.append(given[:6])
        raise _CapturedError

    try:
        with mock.patch.object(_core, "solve", keep):
            OptimalTreeClassifier().fit(table.X, table.y)
    except _CapturedError:
        return found[0]
    except ValueError:
        return None
    return None


def search(given: tuple[Any, ...], rule: str) -> dict[str, Any]:
    """Search without a rule: the counted time, the status and the trees on the way."""
    tuning, bounds = _core.Tuning(), _core.Bounds()
    RULES[rule](tuning, bounds)
    limits = _core.Limits(memory_limit=2**31)
    options = _core.Options(limits, bounds=bounds, max_work=MOST_WORK, tuning=tuning)
    result = _core.solve(*given, options)
    best = [
        min(p.upper for p in result.trace if p.nanoseconds <= moment or p.work == 0)
        if any(p.nanoseconds <= moment for p in result.trace)
        else None
        for moment in MOMENTS
    ]
    return {
        "rule": rule,
        "is_proved": result.status == "optimal",
        "nanoseconds": result.statistics.nanoseconds,
        "trees": [*best, result.upper],
        "lower": result.lower,
    }


def run(output: Path, most_tables: int, most_cells: int) -> Iterator[str]:
    """Search the tables that are not in `output` yet; yield a line for each."""
    known = {each["table"] for each in ledger.read(output)}
    names = list(files().items())
    step = max(1, len(names) // most_tables)
    for name, path in names[::step]:
        if name in known:
            continue
        table = read(name, path)
        if table is None or table.X.size > most_cells:
            continue
        given = arguments(table)
        if given is None:
            continue
        runs = [search(given, rule) for rule in RULES]
        # A table that every variant proves in a millisecond compares nothing.
        ledger.append(output, {"table": name, "runs": runs})
        yield f"{name}: {runs[0]['nanoseconds'] / 1e9:.3f} s"


def report(output: Path) -> Iterator[str]:
    """Yield a Markdown table with one line per rule."""
    records = ledger.read(output)
    long = [r for r in records if any(x["nanoseconds"] > 10**7 for x in r["runs"])]
    yield (
        f"{len(records)} tables, of which {len(long)} take more than 10 ms of counted "
        "time with or without some rule."
    )
    yield ""
    yield (
        "| rule | tables that differ | proved with / without | "
        "time without / with | best tree: with / without |"
    )
    yield "|---|---:|---:|---:|---:|"
    for rule in list(RULES)[1:]:
        ratios, proved, better, n_other = [], [0, 0], [0, 0], 0
        for record in long:
            runs = {each["rule"]: each for each in record["runs"]}
            ours, other = runs["as shipped"], runs[rule]
            n_other += {**ours, "rule": ""} != {**other, "rule": ""}
            proved[0] += ours["is_proved"]
            proved[1] += other["is_proved"]
            if ours["is_proved"] and other["is_proved"]:
                ratios.append(other["nanoseconds"] / ours["nanoseconds"])
            if ours["trees"] != other["trees"]:
                # Trees at the moments and at the end: who is first to be better?
                better[_is_worse(ours["trees"], other["trees"])] += 1
        mean = math.exp(sum(map(math.log, ratios)) / max(1, len(ratios)))
        yield (
            f"| {rule} | {n_other} | {proved[0]} / {proved[1]} | {mean:.3f} | "
            f"{better[0]} / {better[1]} |"
        )


def _is_worse(ours: list[int | None], others: list[int | None]) -> bool:
    """Whether the first trees that differ are better without the rule."""
    for mine, other in zip(reversed(ours), reversed(others), strict=True):
        if mine != other:
            return mine is None or (other is not None and other < mine)
    return False
