"""Damage files guided by the code coverage of the readers.

`python -m fuzz.guided -max_total_time=300` needs Atheris, which is in the dependency
group `fuzz`, and accepts the options of libFuzzer. Failing cases are written in the
same way as for the target `readers`.
"""

from __future__ import annotations

import sys
import types
import zlib
from collections import Counter
from pathlib import Path

import atheris

from fuzz import corpus, found
from fuzz.targets import readers

# The first byte of an input selects how the rest is read.
WAYS = [
    (kind, command, as_json)
    for kind, commands in readers.COMMANDS.items()
    for command in dict.fromkeys(commands)
    for as_json in (False, True)
]
READERS = (
    "ostrya.cli.",
    "ostrya.estimators.model",
    "ostrya.export.json",
    "ostrya.tree",
)
COUNTS: Counter[str] = Counter()


def check(data: bytes) -> None:
    """Read one input in the way that its first byte selects."""
    if not data:
        return
    kind, command, as_json = WAYS[data[0] % len(WAYS)]
    case = {"kind": kind, "command": command, "content": data[1:], "json": as_json}
    try:
        readers.check(case, COUNTS)
    except Exception as error:
        name = zlib.crc32(data)
        print(found.write("readers", 0, name, found.words(error), case), flush=True)
        raise


def instrument() -> None:
    """Instrument the readers for coverage.

    This happens after the import, because the import hook of Atheris does not find
    editable packages.
    """
    for name, module in list(sys.modules.items()):
        if not name.startswith(READERS):
            continue
        for place in [module, *vars(module).values()]:
            if place is not module and not isinstance(place, type):
                continue
            for function in list(vars(place).values()):
                if isinstance(function, types.FunctionType):
                    atheris.instrument_func(function)


def seeds(folder: Path) -> None:
    """Write every valid file, once for each way to read it."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "csv": corpus.tables(),
        "parquet": corpus.parquets(),
        "model": corpus.models(),
        "tree": corpus.trees(),
    }
    for way, (kind, command, _) in enumerate(WAYS):
        for number, content in enumerate(files[kind]):
            name = f"{kind}-{command.replace(' ', '-')}-{way}-{number}"
            (folder / name).write_bytes(bytes([way]) + content)


def main() -> None:
    """Fuzz until stopped; keep the inputs that reach new code."""
    folder = found.FOLDER / "inputs"
    seeds(folder)
    instrument()
    atheris.Setup([*sys.argv, str(folder), "-max_len=20000"], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
