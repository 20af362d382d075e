"""Measure the cost of a cell of the pair scan, and compare it with memory bandwidth.

With random bits and random labels the bounds cannot prune anything: at depth two, every
pair of splits is counted for both classes. A cell is one pair; it reads the words of
the second column, 64 rows each, once for each class.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

#: Rows and columns: columns in the first cache, in the second, in the third, beyond.
SIZES = (
    (512, 128),
    (512, 512),
    (4096, 512),
    (4096, 2048),
    (32768, 1024),
    (65536, 4096),
)
REPEATS = 5


def scan_seconds(n_rows: int, n_columns: int) -> float:
    """Return the least seconds of several scans."""
    from ostrya import _core

    rng = np.random.default_rng(0)
    return _core.testing.pair_seconds(
        rng.integers(0, 2, (n_rows, n_columns)).astype(np.float64),
        rng.integers(0, 2, n_rows).astype(np.int32),
        np.ones(n_rows, dtype=np.int64),
        1 - np.eye(2, dtype=np.int64),
        _core.Options(_core.Limits()),
        REPEATS if n_rows * n_columns < 2**23 else 1,
    )


def copied_bytes_a_second(n_bytes: int = 1 << 28) -> float:
    """Return how fast memory is read and written by a plain copy."""
    source = np.ones(n_bytes // 8)
    target = np.empty_like(source)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        np.copyto(target, source)
        times.append(time.perf_counter() - start)
    return 2 * n_bytes / min(times)


def gigahertz() -> float | None:
    """Return the clock of the processor as the system tells it, if it does."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return None
    found = re.search(r"cpu MHz\s*:\s*([\d.]+)", text)
    return float(found[1]) / 1000 if found else None


def report() -> Iterator[str]:
    """Yield the lines of a Markdown table, as they come."""
    clock = gigahertz()
    yield "| rows | columns | MiB | seconds | cycles per cell | per word | GB/s read |"
    yield "|---:|---:|---:|---:|---:|---:|---:|"
    for n_rows, n_columns in SIZES:
        seconds = scan_seconds(n_rows, n_columns)
        cells = n_columns * (n_columns - 1) / 2
        words = 2 * cells * n_rows / 64  # once for each class
        cycles = "-", "-"
        if clock is not None:
            cycles = tuple(f"{seconds * clock * 1e9 / n:.2f}" for n in (cells, words))
        yield (
            f"| {n_rows:,} | {n_columns:,} | {n_rows * n_columns / 2**23:.2f} "
            f"| {seconds:.4f} | {cycles[0]} | {cycles[1]} "
            f"| {8e-9 * words / seconds:.0f} |"
        )
    yield ""
    told = "not told" if clock is None else f"{clock:.2f} GHz"
    yield f"Clock: {told}. Copying memory: {1e-9 * copied_bytes_a_second():.0f} GB/s."
