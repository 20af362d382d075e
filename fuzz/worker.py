"""Run one target in its own process, so that a crash ends only this process."""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import json
import os
import sys
import time
import warnings
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from fuzz import found
from fuzz.shrink import shrink
from fuzz.target import Target, chance

# A target that fails this often has one fault, or is one: the rest can wait.
ENOUGH = 5
# What running functions hold, while the sanitizer of leaks looks for it.
_held: list[tuple[FrameType, dict[str, Any]]] = []


def load(name: str) -> Target:
    """Return the target with this name."""
    target: Any = import_module(f"fuzz.targets.{name}")
    return target  # type: ignore[no-any-return]


def run(name: str, seed: int, first: int, seconds: float, state: Path) -> None:
    """Draw and check cases starting at `first`; write progress to the state file."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    target = load(name)
    counts: Counter[str] = Counter()
    end, index, parent = time.monotonic() + seconds, first, os.getppid()
    with state.open("w", encoding="ascii", buffering=1) as file:
        while time.monotonic() < end and counts["failed"] < ENOUGH:
            if os.getppid() != parent:
                return  # nobody is left to tell
            _tell(file, index, counts)
            _one(name, target, seed, index, counts)
            index += 1
        _tell(file, index, counts)
    if _leaks():
        sys.exit("memory was leaked: see above")


def _one(
    name: str, target: Target, seed: int, index: int, counts: Counter[str]
) -> None:
    case = target.draw(chance(name, seed, index))
    counts["cases"] += 1
    try:
        target.check(case, counts)
    except Exception as error:
        counts["failed"] += 1
        place = found.write(name, seed, index, found.words(error), case)
        print(f"{name}: {found.words(error)[-600:]}\n  -> {place}", flush=True)
        small = shrink(target, case, error)
        found.write(name, seed, index, found.words(error), small)


def _tell(file: Any, index: int, counts: Counter[str]) -> None:
    """Overwrite the state with the index of the next case and all counts."""
    text = json.dumps({"index": index, "counts": counts}) + "\n"
    os.pwrite(file.fileno(), text.encode(), 0)


def _leaks() -> bool:
    """Ask the address sanitizer, if it is active, for leaked memory.

    This must happen while Python runs: at exit, Python drops many pointers without
    freeing the memory. The frames and local variables of running functions are only
    referenced from memory that the sanitizer does not scan, so they are kept here.
    """
    check = getattr(ctypes.CDLL(None), "__lsan_do_recoverable_leak_check", None)
    gc.collect()
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        _held.append((frame, frame.f_locals))
        frame = frame.f_back
    try:
        return check is not None and bool(check())
    finally:
        _held.clear()
