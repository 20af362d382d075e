"""Create a separate virtual environment for each package when it is first needed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.contenders.base import Contender

VENVS = Path(__file__).resolve().parent / ".venvs"


def interpreter(contender: type[Contender]) -> Path:
    """Return the Python of a contender; build its environment if it is not there.

    The requirements it was built from are kept inside it, last of all, so that an
    interrupted build or a changed pin leads to a fresh one.
    """
    if not contender.requirements:
        return Path(sys.executable)
    folder = VENVS / contender.environment()
    python, built_from = folder / "bin" / "python", folder / "requirements.txt"
    wanted = "\n".join(contender.requirements) + "\n"
    if not built_from.exists() or built_from.read_text() != wanted:
        print(f"building an environment for {folder.name}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", *contender.requirements],
            check=True,
        )
        built_from.write_text(wanted)
    return python
