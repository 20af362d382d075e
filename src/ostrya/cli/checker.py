"""Run ostrya-check, the independent program that checks certificates."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ostrya.cli.messages import RefusalError

PROGRAM = "ostrya-check"


@dataclass(frozen=True)
class Checked:
    """What the program found: integers if it verified a proof, otherwise a reason."""

    cost: int = 0
    lower: int = 0
    refusal: str | None = None


def check(problem: bytes, proof: Path) -> Checked:
    """Return what the program says about a proof, or raise if it cannot tell."""
    folders = (sysconfig.get_path("scripts"), str(Path(sys.executable).parent))
    found = filter(None, (shutil.which(PROGRAM, path=each) for each in folders))
    program = next(found, None)
    if program is None:
        raise RefusalError(
            f"{PROGRAM} is not next to {sys.executable}. Install Ostrya again, or "
            "compile verify/ostrya_check.c from the repository"
        )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "problem.bin"
        place.write_bytes(problem)
        done = subprocess.run(
            [program, place, proof], capture_output=True, text=True, check=False
        )
    lines = done.stdout.splitlines()
    if done.returncode == 1 and lines and lines[-1].startswith("REFUSED: "):
        return Checked(refusal=lines[-1].removeprefix("REFUSED: "))
    if done.returncode == 0 and len(lines) == 3 and lines[2].startswith("VERIFIED"):
        cost, lower = (int(line.split()[-1]) for line in lines[:2])
        return Checked(cost, lower)
    raise RefusalError(
        done.stderr.strip() or f"{PROGRAM} ended with exit code {done.returncode}"
    )
