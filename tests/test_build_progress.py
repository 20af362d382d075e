"""`make` shows how far an installation has come."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "progress.py"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="not part of the sdist")

OUTPUT = [
    "Collecting numpy>=1.24 (from ostrya==0.2.0)",
    "  Downloading numpy-2.4.0-cp313-cp313-manylinux_2_28_x86_64.whl (16.0 MB)",
    "  Downloading mdurl-0.1.2-py3-none-any.whl.metadata (1.6 kB)",
    *(f"  [{n}/120] Building CXX object cpp/{n}.cpp.o" for n in range(1, 121)),
    "Installing collected packages: a, b, c, d, e, ostrya",
    "Successfully installed a-1 b-1",
]


def command(lines: list[str], exit_code: int = 0) -> list[str]:
    program = f"import sys; print({chr(10).join(lines)!r}); sys.exit({exit_code})"
    return [sys.executable, str(SCRIPT), "Building", sys.executable, "-c", program]


def test_a_log_file_gets_a_line_per_step_and_per_tenth_of_the_compilation():
    run = subprocess.run(command(OUTPUT), capture_output=True, text=True, check=True)
    lines = [re.sub(r" \(\d+ s\)$", "", line) for line in run.stdout.splitlines()]
    assert lines == [
        "Building: starting",
        "Building: downloading numpy (16.0 MB)",
        "Building: compiling, 1 of 120 files (1%)",
        *(
            f"Building: compiling, {n} of 120 files ({n / 120:.0%})"
            for n in range(12, 121, 12)
        ),
        "Building: installing a, b, c and 3 more packages",
        "Building: done",
    ]


def test_a_failed_command_shows_its_output_and_keeps_its_exit_code():
    lines = [*OUTPUT[:5], "solver.cpp:3: error: expected ';'"]
    run = subprocess.run(command(lines, 7), capture_output=True, text=True)
    assert run.returncode == 7
    assert "solver.cpp:3: error: expected ';'" in run.stderr
    assert run.stdout.splitlines()[-1].startswith("Building: failed with exit code 7")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_shows_one_line_that_is_rewritten():
    ours, theirs = os.openpty()
    with subprocess.Popen(command(OUTPUT), stdout=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(ours)
    assert process.returncode == 0
    assert shown.count(b"\n") == 1
    last = shown.decode().rpartition("\x1b[K")[2]
    assert last.startswith("Building: done")
