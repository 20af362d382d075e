"""One file per target: `draw` a case, `check` what must be true of it."""

NAMES = (
    "oracle",
    "engines",
    "relations",
    "limits",
    "interrupts",
    "threads",
    "allocations",
    "readers",
)
