"""Measure certificates: their size, the time to write them and the time to check them.

Every problem of a suite is solved in one thread, the proof of its lower bound is
written, and both checkers verify it. Each step is a process of its own. Seconds are
those of the processor, so that other work on the machine does not count. A problem
that is not solved within the time limit has a certificate of the lower bound that was
reached, which is not measured here. Rows are kept in a file as they come, so that a
run can be done in parts.
"""

from __future__ import annotations

import json
import math
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.data import ROOT
from benchmarks.papers.kept import origin
from benchmarks.problem import Problem

#: The aims: seconds to write, and to check, over those of the search.
MOST_WRITING, MOST_CHECKING = 2.0, 3.0
#: Searches that take less are within the noise of starting a process.
LEAST_SECONDS = 0.05
COLUMNS = ("problem", "solve s", "write s", "C s", "Python s", "bytes", "notes")


def measure(
    problems: Iterable[Problem], time_limit: float, python_limit: float
) -> Iterator[dict[str, Any]]:
    """Yield what each problem took, as one row of the table."""
    for problem in problems:
        with tempfile.TemporaryDirectory() as name:
            yield _measure(problem, Path(name), time_limit, python_limit)


def _measure(
    problem: Problem, folder: Path, time_limit: float, python_limit: float
) -> dict[str, Any]:
    task = {"problem": asdict(problem), "folder": str(folder), "seconds": time_limit}
    worker = [sys.executable, "-m", "benchmarks.certificates_worker", json.dumps(task)]
    done = subprocess.run(worker, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return {"problem": problem.name, "notes": f"failed: {reason}"}
    row: dict[str, Any] = {"problem": problem.name, **json.loads(done.stdout)}
    if "bytes" not in row:  # nothing to check
        return row
    files = [str(folder / "problem.bin"), str(folder / "proof.ostrya")]
    compiled = shutil.which("ostrya-check", path=sysconfig.get_path("scripts"))
    plain = [sys.executable, str(ROOT / "verify" / "ostrya_check.py")]
    row["C s"] = _check([str(compiled), *files], row, 100 * python_limit)
    row["Python s"] = _check([*plain, *files], row, python_limit)
    return row


def _check(command: list[str], row: dict[str, Any], limit: float) -> float | None:
    """Return the seconds that a checker takes; None if they are over the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    last = (done.stdout.splitlines() or [done.stderr])[-1]
    if done.returncode != 0 or ("by more than" in last) == row["is_proved"]:
        raise RuntimeError(f"{row['problem']}: {command[0]} printed {last!r}")
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def report(
    suite: str,
    problems: Iterable[Problem],
    limits: tuple[float, float],
    file: Path,
    page: Path,
) -> str:
    """Measure the problems that the file lacks, and write the page of all of them."""
    rows = (
        [json.loads(line) for line in file.read_text().splitlines()]
        if file.exists()
        else []
    )
    known = {row["problem"] for row in rows}
    with file.open("a", encoding="utf-8") as out:
        missing = (problem for problem in problems if problem.name not in known)
        for row in measure(missing, *limits):
            out.write(f"{json.dumps(row)}\n")
            out.flush()
            rows.append(row)
    text = render(rows, f"certificates {suite} --time-limit {limits[0]:g}")
    page.write_text(f"{text}\n", encoding="utf-8")
    return text


def render(rows: list[dict[str, Any]], command: str) -> str:
    """Return the page of results: the aims, and the table."""
    lines = [
        "# Certificates",
        "",
        "Time to solve, to write the certificate and to check it with both checkers,",
        "and the size of the certificate, for every problem that is proved within the",
        "time limit. Seconds are processor seconds in one thread. A dash means that",
        "the Python checker took longer than its limit. Times beyond the aims are",
        f"bold: writing within {MOST_WRITING:g} times the search, and checking with",
        f"the C program within {MOST_CHECKING:g} times, for searches of at least",
        f"{LEAST_SECONDS:g} seconds.",
        "",
        f"Made by `{origin(command)}`.",
        "",
        "| " + " | ".join(COLUMNS) + " |",
        "| --- |" + " ---: |" * (len(COLUMNS) - 2) + " --- |",
    ]
    for row in rows:
        cells = [row["problem"]]
        for name, most in zip(
            COLUMNS[1:5], (math.inf, MOST_WRITING, MOST_CHECKING, math.inf), strict=True
        ):
            cells.append(_seconds(row.get(name), row.get("solve s"), most))
        cells.append(f"{row['bytes']:,}" if "bytes" in row else "-")
        cells.append(row.get("notes", ""))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *summary(rows)])


def _seconds(value: float | None, solve: float | None, most: float) -> str:
    if value is None:
        return "-"
    text = f"{value:.3f}" if value < 10 else f"{value:.1f}"
    is_over = solve is not None and value > most * solve and solve >= LEAST_SECONDS
    return f"**{text}**" if is_over else text


def summary(rows: list[dict[str, Any]]) -> list[str]:
    """Return how writing and checking compare with the aims."""
    out = []
    for name, most in (("write s", MOST_WRITING), ("C s", MOST_CHECKING)):
        ratios = [
            row[name] / row["solve s"]
            for row in rows
            if row.get(name) is not None and row["solve s"] >= LEAST_SECONDS
        ]
        if ratios:
            mean = math.exp(
                sum(math.log(max(each, 1e-3)) for each in ratios) / len(ratios)
            )
            over = sum(each > most for each in ratios)
            out.append(
                f"- {name} over solve s: {mean:.2f} in the geometric mean of "
                f"{len(ratios)} problems, {max(ratios):.2f} at most; "
                f"{over} above {most:g}"
            )
    sizes = [row["bytes"] for row in rows if "bytes" in row]
    if sizes:
        out.append(f"- largest certificate: {max(sizes):,} bytes")
    return out
