"""Run the targets in turn and report the results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fuzz import ROOT, found

# No case takes this many seconds on any machine, even under a sanitizer.
HUNG = 900.0
# Longest time slice of a target in seconds, so that all targets run early.
TURN = 60.0


@dataclass
class Run:
    """The results of one target so far."""

    name: str
    seed: int
    next_index: int = 0
    seconds: float = 0.0
    faults: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def turn(self, seconds: float) -> None:
        """Check cases in a new process for this long; record how it ended."""
        with tempfile.TemporaryDirectory() as folder:
            state, log = Path(folder) / "state", Path(folder) / "log"
            started = time.monotonic()
            code = _watched(self._command(seconds, state), state, log)
            self.seconds += time.monotonic() - started
            said = log.read_text(encoding="utf-8", errors="replace")
            print(said, end="", flush=True)
            self._note(code, said, state)

    def _command(self, seconds: float, state: Path) -> list[str]:
        options = {
            "--seed": self.seed,
            "--first": self.next_index,
            "--seconds": seconds,
            "--worker": state,
        }
        words = [str(word) for option in options.items() for word in option]
        return [sys.executable, "-m", "fuzz", self.name, *words]

    def _note(self, code: int, said: str, state: Path) -> None:
        index = self.next_index
        if state.exists() and (text := state.read_text(encoding="ascii")):
            told = json.loads(text.splitlines()[0])
            index = told["index"]
            self.counts.update(told["counts"])
            self.faults += told["counts"].get("failed", 0)
        self.next_index = index
        if code != 0:
            self.faults += 1
            self.next_index += 1
            say = f"the process ended with code {code}:\n{said}"
            place = found.write(self.name, self.seed, index, say, None)
            print(f"{self.name}: ended with code {code}\n  -> {place}", flush=True)


def _watched(command: list[str], state: Path, log: Path) -> int:
    """Run a command, and end it if one case hangs."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for us, and for the cases about it
        )
        try:
            moved, before = time.monotonic(), ""
            while process.poll() is None:
                time.sleep(0.05)
                now = state.read_text(encoding="ascii") if state.exists() else ""
                if now != before:
                    moved, before = time.monotonic(), now
                elif time.monotonic() - moved > HUNG:
                    os.kill(process.pid, signal.SIGABRT)  # it says where it was
                    process.wait(60)
            return process.returncode
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def run(names: list[str], seconds: float, seed: int) -> list[Run]:
    """Give each target its share of the time, in time slices."""
    runs = [Run(name, seed) for name in names]
    share = seconds / len(runs)
    turns = max(1, round(share / TURN))
    for _ in range(turns):
        for each in runs:
            if each.faults < 5:
                each.turn(share / turns)
    return runs


def table(runs: list[Run]) -> str:
    """Return a table of what was tested, one target per line."""
    lines = []
    for each in runs:
        rest = {k: n for k, n in each.counts.items() if k not in ("cases", "failed")}
        tried = ", ".join(f"{k} {n:,}" for k, n in sorted(rest.items()))
        lines.append(
            f"{each.name:<12}{each.counts['cases']:>9,} cases {each.seconds:>7,.0f} s "
            f"{each.faults:>3} faults   {tried}"
        )
    return "\n".join(lines)
