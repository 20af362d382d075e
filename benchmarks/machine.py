"""The properties of a machine that affect the seconds of a run."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path


@cache
def machine() -> dict[str, str | int | None]:
    """Return processor, cores and system."""
    return {"cpu": cpu(), "cores": os.cpu_count(), "system": platform.system()}


def cpu() -> str:
    """Return the model of the processor, by the name the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
