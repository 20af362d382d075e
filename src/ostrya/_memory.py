"""The memory that the machine has, and that this process holds."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

# Where Linux says what a container may hold; version 2 of control groups, then 1.
_CONTAINER_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def resident_memory() -> int:
    """Return the bytes of memory that this process holds; 0 where it is unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError, IndexError):  # not Linux
        return 0


@cache  # a small search takes no longer than reading two files
def memory_size() -> int | None:
    """Return the bytes of memory of this machine or container, or None if unknown."""
    return measured_memory_size()


def measured_memory_size() -> int | None:
    """Return the same, as it is at this moment."""
    sizes = []
    try:
        sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # no such call, or no such answer
        return None
    for place in _CONTAINER_LIMITS:
        try:
            sizes.append(int(place.read_text(encoding="ascii")))
        except (OSError, ValueError):  # not Linux, or no limit: "max"
            continue
    return min(sizes)
