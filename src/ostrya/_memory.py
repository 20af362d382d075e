"""Determine the memory of the machine and of this process."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

# The memory limit of a Linux container, for control groups of version 2 and 1.
_CONTAINER_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def resident_memory() -> int:
    """Return the bytes of memory that this process uses; 0 if unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError, IndexError):  # not Linux
        return 0


@cache  # because reading the files takes as long as a small search
def memory_size() -> int | None:
    """Return the bytes of memory of this machine or container, or None if unknown."""
    return measured_memory_size()


def measured_memory_size() -> int | None:
    """Return the same, measured again in each call."""
    sizes = []
    try:
        sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # not supported by the system
        return None
    for place in _CONTAINER_LIMITS:
        try:
            sizes.append(int(place.read_text(encoding="ascii")))
        except (OSError, ValueError):  # not Linux, or no limit: "max"
            continue
    return min(sizes)


def memory_left(memory_limit: int | None) -> float:
    """Return the bytes that a fit may still use.

    None stands for half of the memory of the machine. As for searches, a process that
    is nearly full gets a quarter of the limit.
    """
    if memory_limit is None:
        size = memory_size()
        if size is None:
            return float("inf")
        memory_limit = size // 2
    return max(memory_limit - resident_memory(), memory_limit // 4)
