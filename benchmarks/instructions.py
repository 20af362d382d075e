"""Compare two builds by the number of instructions of the engine.

Seconds depend on the load of the machine; the instructions of a search do not. They are
counted by valgrind's callgrind, only during the call into the engine, with the same
instruction set for both builds.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.data import ROOT
from benchmarks.problem import Problem
from benchmarks.process import environment
from benchmarks.summary import geometric_mean

#: Callgrind knows none wider.
INSTRUCTION_SET = "avx2"
#: A build whose ratio is above this is told apart, with the functions that differ.
NOTABLE = 1.03
#: Functions told of a notable problem.
FUNCTIONS = 12
# Requests to valgrind are instructions without effect outside it, so they need C.
SWITCH = """
#include <valgrind/callgrind.h>
void start(void) { CALLGRIND_ZERO_STATS; CALLGRIND_START_INSTRUMENTATION; }
void stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }
void dump(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
"""
#: Ranks and merges rows before the search; found only in builds with symbols.
PREPARATION = "ostrya::build_problem("
A_COST = re.compile(r"^\s*([\d,]+) \([ \d.]+%\)\s+\S*?:(.*?)(?: \[.*)?$")


@dataclass(frozen=True)
class Count:
    """One problem as one build solves it."""

    answer: dict[str, Any]
    instructions: int
    dump: Path

    @property
    def search(self) -> int:
        """Instructions of the search alone; of everything where that is unknown."""
        costs = self.functions("--inclusive=yes")
        return self.instructions - sum(
            cost for name, cost in costs.items() if name.startswith(PREPARATION)
        )

    def functions(self, *options: str) -> dict[str, int]:
        """Return instructions by function, callees not included unless asked for."""
        text = subprocess.run(
            ["callgrind_annotate", "--threshold=99.9", *options, self.dump],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        out: dict[str, int] = {}
        for line in text.splitlines():
            if found := A_COST.match(line):
                name = found[2].replace("'2", "")
                out[name] = out.get(name, 0) + int(found[1].replace(",", ""))
        return out


def count(python: str, problems: Iterable[Problem], folder: Path) -> dict[str, Count]:
    """Return what the build of one Python environment takes, by problem."""
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "callgrind.out"
    asked = [problem.name for problem in problems]
    library = build_switch(folder)
    child = subprocess.Popen(
        [
            *("valgrind", "--tool=callgrind", "--instr-atstart=no", "-q"),
            *(f"--callgrind-out-file={out}", python),
            *("-m", "benchmarks.instructions_worker", str(library)),
        ],
        cwd=ROOT,
        env=environment()
        | {"OSTRYA_INSTRUCTION_SET": INSTRUCTION_SET, "PYTHONHASHSEED": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    told = child.communicate(json.dumps(asked))[0]
    if child.returncode:
        raise SystemExit(f"{python} under valgrind ended with {child.returncode}")
    answers = [json.loads(line) for line in told.splitlines()]
    return {
        name: Count(answer, *read_dump(out.with_name(f"{out.name}.{place}"), name))
        for place, (name, answer) in enumerate(zip(asked, answers, strict=True), 1)
    }


def build_switch(folder: Path) -> Path:
    """Return a library that turns counting on and off."""
    source, library = folder / "switch.c", folder / "switch.so"
    source.write_text(SWITCH)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def read_dump(path: Path, name: str) -> tuple[int, Path]:
    """Return the instructions in a dump, which must be that of the problem."""
    text = path.read_text()
    if f"Client Request: {name}" not in text:
        raise SystemExit(f"{path} is not the dump of {name}")
    return int(text.rpartition("totals: ")[2].split()[0]), path


def soon_over(problems: Iterable[Problem], most_seconds: float) -> tuple[Problem, ...]:
    """Return the problems that this build proves within so many seconds."""
    from benchmarks.paired import Build

    build = Build(sys.executable)
    return tuple(
        problem
        for problem in problems
        if build.solve(problem, most_seconds)["status"] == "optimal"
    )


def report(
    problems: Iterable[Problem], other: str, most_seconds: float, folder: Path | None
) -> None:
    """Print a line per problem, and what differs where this build does more."""
    for tool in ("valgrind", "callgrind_annotate", "cc"):
        if shutil.which(tool) is None:
            raise SystemExit(f"counting instructions needs {tool}, which is not here")
    chosen = soon_over(problems, most_seconds)
    if not chosen:
        raise SystemExit(f"no problem is proved within {most_seconds:g} s")
    with tempfile.TemporaryDirectory() as spare:
        place = Path(spare) if folder is None else folder
        ours = count(sys.executable, chosen, place / "this")
        theirs = count(other, chosen, place / "other")
        print(table(ours, theirs))


def table(ours: dict[str, Count], theirs: dict[str, Count]) -> str:
    """Return the table of both builds, and the functions of notable problems."""
    lines = [
        "| problem | all: other | this | ratio | search: other | this | ratio | same |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    notes, ratios = [], []
    for name, mine in ours.items():
        other = theirs[name]
        pairs = (mine.instructions, other.instructions), (mine.search, other.search)
        ratios.append([here / there for here, there in pairs])
        keys = [key for key in mine.answer if mine.answer[key] != other.answer[key]]
        cells = [name]
        for (here, there), ratio in zip(pairs, ratios[-1], strict=True):
            cells += [f"{there / 1e6:.2f}", f"{here / 1e6:.2f}", f"{ratio:.3f}"]
        cells.append("not " + ", ".join(keys) if keys else "yes")
        lines.append(f"| {' | '.join(cells)} |")
        if ratios[-1][1] > NOTABLE:
            notes.append(f"{name}, {ratios[-1][1]:.3f}:\n" + difference(mine, other))
    means = [geometric_mean(of) for of in zip(*ratios, strict=True)]
    lines.append("")
    lines.append(
        f"Millions of instructions. {len(ratios)} problems: geometric mean "
        f"{means[0]:.3f}, of the search alone {means[1]:.3f}; {len(notes)} searches "
        f"above {NOTABLE:g}."
    )
    return "\n".join(lines + (["", *notes] if notes else []))


def bare(name: str) -> str:
    """Return a function's name without classes, arguments and types, which change."""
    while name != (name := re.sub(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}", "", name)):
        pass
    words = re.findall(r"operator.*|~?\w+", name.replace(" const", ""))
    return words[-1] if words else name


def by_bare_name(costs: dict[str, int]) -> dict[str, int]:
    """Return the costs of all functions of one name together."""
    out: dict[str, int] = {}
    for name, cost in costs.items():
        out[bare(name)] = out.get(bare(name), 0) + cost
    return out


def difference(mine: Count, other: Count) -> str:
    """Return the functions whose own instructions differ most, million each."""
    here, there = by_bare_name(mine.functions()), by_bare_name(other.functions())
    names = sorted(
        here.keys() | there.keys(),
        key=lambda name: -abs(here.get(name, 0) - there.get(name, 0)),
    )
    return "\n".join(
        f"  {there.get(name, 0) / 1e6:10.3f} -> {here.get(name, 0) / 1e6:10.3f}  {name}"
        for name in names[:FUNCTIONS]
    )
